/** One request the emulator received. */
export interface RecordedRequest {
  /** The answer's header `x-request-id`. */
  readonly requestId: string;
  /** When it arrived, as an ISO 8601 date-time. */
  readonly time: string;
  readonly method: string;
  /** Percent-encoded path, without the query. */
  readonly path: string;
  /**
   * Id of the project it was scoped to; null when it was about the whole organization, or was
   * refused before its project was known.
   */
  readonly project: string | null;
  /** Id of its API key; null for a request without a valid one. */
  readonly apiKeyId: string | null;
  /** Bytes read of its body. */
  readonly bodyBytes: number;
  /**
   * HTTP status of the answer, also of one that was cut off. Null until the answer begins, and for
   * good when the connection was ended instead.
   */
  readonly status: number | null;
}

/** A request being handled; the emulator fills in what it learns. */
export type OpenRequest = { -readonly [K in keyof RecordedRequest]: RecordedRequest[K] };

/** Most requests that are remembered; the oldest are dropped first. */
export const recordedRequestsMax = 10_000;

/** The requests received, oldest first, without headers, query and body: no credentials. */
export class RequestLog {
  readonly #requests: OpenRequest[] = [];

  add(request: OpenRequest): void {
    this.#requests.push(request);
    if (this.#requests.length > recordedRequestsMax) {
      this.#requests.shift();
    }
  }

  /** Forgets all requests so far. */
  clear(): void {
    this.#requests.length = 0;
  }

  /** A copy as of now, by default of all. */
  snapshot(newest = recordedRequestsMax): readonly RecordedRequest[] {
    return this.#requests.slice(-newest).map((request) => ({ ...request }));
  }
}
