/** Receives a stream's pieces, one event each. */
export interface StreamSink {
  /** Sends a piece. False when its receiver is behind: then the next must wait for `drained`. */
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

/** A server-sent event, framed as every official client accepts it: kind, data in one line, LF. */
export function eventFrame(event: { readonly event: string }): string {
  return `event: ${event.event}\ndata: ${JSON.stringify(event)}\n\n`;
}
