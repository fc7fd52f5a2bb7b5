/** Receives a stream's pieces, one event each. */
export interface StreamSink {
  /**
   * Sends a piece. False when its receiver is behind: then nothing more may be sent until the
   * source's `drained` is called.
   */
  send(piece: string): boolean;
  /** Ends the stream in order, once everything is sent. */
  end(): void;
}

/** Sends a stream's pieces. */
export interface StreamSource {
  /** The headers are sent, and pieces may follow. */
  opened(sink: StreamSink): void;
  /** The receiver has caught up. */
  drained(): void;
  /** The connection is gone. Called once, also after `end`. */
  closed(): void;
}

/** A route's answer that is sent piece by piece, for as long as it takes. */
export class StreamResponse extends Response {
  readonly source: StreamSource;

  constructor(source: StreamSource, headers: Readonly<Record<string, string>>) {
    super(null, { status: 200, headers });
    this.source = source;
  }
}

/**
 * An event in the framing of server-sent events that every official client of the service accepts:
 * a line with the kind, a line with `data: ` and all of the data, LF alone, and an empty line.
 */
export function eventFrame(event: { readonly event: string }): string {
  return `event: ${event.event}\ndata: ${JSON.stringify(event)}\n\n`;
}
