/** Where a stream's pieces go, one event each. */
export interface StreamSink {
  /** Puts a piece on the wire. False when its receiver is behind: then nothing more may be sent until the source hears `drained`. */
  send(piece: string): boolean;
  /** Ends the stream in order, once all that was sent is on the wire. */
  end(): void;
}

/** What sends a stream's pieces. */
export interface StreamSource {
  /** The headers are on the wire: pieces may be sent. */
  opened(sink: StreamSink): void;
  /** The receiver has caught up. */
  drained(): void;
  /** The connection is gone. Comes once, also after `end`. */
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
