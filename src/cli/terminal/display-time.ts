/** A date-time of the service as a day, in UTC: `2026-11-21`. */
export function day(dateTime: string): string {
  return new Date(dateTime).toISOString().slice(0, 10);
}

/** A date-time of the service to the second, in UTC: `2026-11-21 10:00:00 UTC`. */
export function moment(dateTime: string): string {
  return `${new Date(dateTime).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}
