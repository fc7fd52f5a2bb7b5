/**
 * An event in the framing of server-sent events that every official client of the service accepts: the kind in a line of its own, the
 * data in one line after `data: `, LF alone, and an empty line.
 */
export function eventFrame(event: { readonly event: string }): string {
  return `event: ${event.event}\ndata: ${JSON.stringify(event)}\n\n`;
}
