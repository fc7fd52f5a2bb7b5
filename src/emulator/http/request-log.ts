/** Request received by the emulator. */
export interface RecordedRequest {
  /** Header `x-request-id` of the response. */
  readonly requestId: string;
  /** Time of arrival, as an ISO 8601 date-time. */
  readonly time: string;
  readonly method: string;
  /** Percent-encoded path, without the query. */
  readonly path: string;
  /**
   * Id of the project of the request; null if the request concerned the whole organization, or was
   * refused before the project was known.
   */
  readonly project: string | null;
  /** Id of the API key; null for a request without a valid key. */
  readonly apiKeyId: string | null;
  /** Number of bytes read of the body. */
  readonly bodyBytes: number;
  /**
   * HTTP status of the response, even if cut off. Null until the response begins, and permanently
   * if the connection was ended instead.
   */
  readonly status: number | null;
}

/** Entry of a request in progress, completed by the emulator step by step. */
export type OpenRequest = { -readonly [K in keyof RecordedRequest]: RecordedRequest[K] };

/** Most requests kept in the log; the oldest are dropped first. */
export const recordedRequestsMax = 10_000;

/** Received requests, oldest first. Without headers, query and body: no credentials. */
export class RequestLog {
  readonly #requests: OpenRequest[] = [];

  add(request: OpenRequest): void {
    this.#requests.push(request);
    if (this.#requests.length > recordedRequestsMax) {
      this.#requests.shift();
    }
  }

  /** Drops all requests received so far. */
  clear(): void {
    this.#requests.length = 0;
  }

  /** Returns a copy of the newest requests. Default: all. */
  snapshot(newest = recordedRequestsMax): readonly RecordedRequest[] {
    return this.#requests.slice(-newest).map((request) => ({ ...request }));
  }
}
