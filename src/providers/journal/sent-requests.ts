/** What a note says of a request that creates something. */
export interface SentRequest {
  /** Milliseconds since 1970. */
  readonly sentAt: number;
  /** The id in the service's answer. Without one, nobody knows whether the request arrived. */
  readonly id?: string | undefined;
  /** When a deployment last looked for the result and did not find it. Milliseconds since 1970. */
  readonly soughtAt?: number | undefined;
}

/**
 * How long a request without an answer may take to arrive, in milliseconds. Within this time, that
 * its result cannot be found proves nothing.
 */
export const lateRequestMs = 5 * 60_000;

/** Whether the service may still carry out a request whose result nobody found. */
export function mayStillArrive({ id, sentAt }: SentRequest): boolean {
  return id === undefined && Date.now() - sentAt <= lateRequestMs;
}

/** Whether the next deployment must look for the result. One not found gets time to arrive. */
export function isToSeek(request: SentRequest): boolean {
  return request.soughtAt === undefined || !mayStillArrive(request);
}

/**
 * Whether an update must undo what a leftover tells of: all that a killed deployment created, and
 * of one that ended by itself what got no answer. No state can have that.
 */
export function isToUndo(
  note: { readonly concluded?: boolean | undefined },
  requests: readonly SentRequest[],
): boolean {
  return note.concluded !== true || requests.some((each) => each.id === undefined && isToSeek(each));
}
