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
  readonly bodyBytes: number;
  /**
   * HTTP status of the response, even if cut off. Null until the response begins, and permanently
   * if the connection was ended instead.
   */
  readonly status: number | null;
  /** Header `user-agent`: name and version of the program. Null without the header. */
  readonly program: string | null;
  /** Milliseconds until the response began or the connection ended; null until then. */
  readonly tookMs: number | null;
  /** Id of the object that the request created; null if none. */
  readonly createdId: string | null;
  /** Id of the last fault rule that applied; null if none. */
  readonly fault: string | null;
}

/** Entry of a request in progress, completed by the emulator step by step. */
export type OpenRequest = { -readonly [K in keyof RecordedRequest]: RecordedRequest[K] };

/** Most requests kept in the log; the oldest are dropped first. */
export const recordedRequestsMax = 10_000;

/** Number of newest requests whose headers and bodies are kept. */
const contentsMax = 200;

/** Largest body kept, in bytes (16 KiB). */
const keptBytesMax = 16_384;

/** Headers and bodies of a request and its response, with the secrets. Filled step by step. */
export interface RequestContents {
  readonly query: string;
  readonly headers: Readonly<Record<string, unknown>>;
  /** Bytes of a small body; else a description, or the parts of a form. */
  body?: unknown;
  answer?: { readonly headers: Readonly<Record<string, unknown>>; readonly body: unknown };
}

/** Returns a copy of a body that is small enough to keep, else the size in words. */
export function keptBody(body: Uint8Array): unknown {
  return body.byteLength > keptBytesMax ? `${body.byteLength} bytes, not kept` : Buffer.from(body);
}

/** Received requests, oldest first. Lists contain no headers, queries and bodies: no credentials. */
export class RequestLog {
  readonly #requests: OpenRequest[] = [];
  readonly #contents = new Map<string, RequestContents>();

  add(request: OpenRequest, contents: RequestContents): void {
    this.#requests.push(request);
    if (this.#requests.length > recordedRequestsMax) {
      this.#requests.shift();
    }
    this.#contents.set(request.requestId, contents);
    const [oldest = ""] = this.#contents.keys();
    if (this.#contents.size > contentsMax) {
      this.#contents.delete(oldest);
    }
  }

  /** Drops all requests received so far. */
  clear(): void {
    this.#requests.length = 0;
    this.#contents.clear();
  }

  /**
   * Returns query, headers and bodies of one of the last 200 requests, without secrets; undefined for
   * any other request.
   */
  contents(requestId: string) {
    const found = this.#contents.get(requestId);
    if (found === undefined) {
      return undefined;
    }
    const { query, headers, body, answer } = found;
    const request = this.#requests.find((each) => each.requestId === requestId);
    return {
      query: withoutSecrets(Object.fromEntries(new URLSearchParams(query))),
      headers: withoutSecrets(headers),
      body: shownBody(body, secretNames),
      answer: answer && {
        headers: withoutSecrets(answer.headers),
        // The code of an error is no secret.
        body: shownBody(answer.body, (request?.status ?? 0) < 400 ? secretNames : errorSecretNames),
      },
    };
  }

  /** Returns a copy of the newest requests. Default: all. */
  snapshot(newest = recordedRequestsMax): readonly RecordedRequest[] {
    return this.#requests.slice(-newest).map((request) => ({ ...request }));
  }
}

/** Members whose values are secret at any depth, of requests and responses, and headers. */
const errorSecretNames =
  /^(key|values|field_?values|fields|headers|jwt|hosted_url|live_view_url)$|password|secret|token|handoff|authorization|cookie|api_?key$/i;

const secretNames = new RegExp(`^code$|${errorSecretNames.source}`, "i");

/** Shows JSON without secrets. Any other text may contain a secret anywhere, so only the size is shown. */
function shownBody(body: unknown, secret: RegExp): unknown {
  if (!(body instanceof Uint8Array)) {
    return body;
  }
  if (body.byteLength === 0) {
    return undefined;
  }
  try {
    return withoutSecrets(JSON.parse(Buffer.from(body).toString()), secret);
  } catch {
    return `${body.byteLength} bytes that are not JSON`;
  }
}

/** Replaces every secret string or number. The fields of a form are a list of objects without secrets. */
function withoutSecrets(value: unknown, secret = secretNames, isSecret = false): unknown {
  if (Array.isArray(value)) {
    return value.map((each) => withoutSecrets(each, secret, isSecret && typeof each !== "object"));
  }
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value);
    return Object.fromEntries(
      members.map(([name, of]) => [name, withoutSecrets(of, secret, isSecret || secret.test(name))]),
    );
  }
  return isSecret && (typeof value === "string" || typeof value === "number") ? "[hidden]" : value;
}
