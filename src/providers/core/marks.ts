/**
 * Marks in the state of a resource whose last request got no answer. Pulumi's state is the only
 * memory between two runs, so the next deployment of any machine finds the mark.
 */
import { type OutcomeUnknownError, RecoveryError } from "../../errors.js";
import { PartiallyCreatedError } from "../lifecycle.js";
import { isPropertyMap, type PropertyMap, t } from "../properties.js";

const lost = t.object({
  name: t.string,
  projectId: t.string,
  /** Values that identify an object besides the name, such as a checksum. */
  identity: t.mapOf(t.string),
  /** Time of the request on this machine, in milliseconds since 1970. */
  sentAt: t.number,
});

const unfinished = t.object({
  /** Message of the error, for a person who reads the state. */
  reason: t.string,
  /** Settings that may have been sent. `value`: of borrowed settings; missing for no value. */
  settings: t.listOf(t.object({ name: t.string, value: t.anything })),
  /** A request of an update that may have created a further object. */
  request: t.object({
    /** Id of the object that the request rotates; missing for a creation. */
    rotates: t.string,
    name: t.string,
    projectId: t.string,
    /** Ids of the objects that had the name before. */
    before: t.listOf(t.string),
    /** Values by which a rotation is recognized. */
    trace: t.anything,
  }),
});

/** State members that only the life cycles read. Every kind that writes has them. */
export const marks = {
  /** A creation whose outcome is unknown, in place of an object. */
  lost: { ...lost, isInternal: true },
  /** A request about the object whose outcome is unknown, or a reason to deploy again. */
  unfinished: { ...unfinished, isInternal: true },
} as const;

/** A creation whose outcome is unknown. */
export type LostCreation = NonNullable<ReturnType<typeof lost.read>>;
/** Why the next deployment must look at an object, and what may have been sent. */
export type Unfinished = NonNullable<ReturnType<typeof unfinished.read>>;
/** A setting that a request without an answer may have set. */
export type SentSetting = NonNullable<Unfinished["settings"]>[number];

/**
 * The marks in a state. Throws `RecoveryError` `state_unreadable` for a mark of another form, which an
 * other version of the provider wrote: without the mark, the object would pass for settled.
 */
export function marksIn(state: PropertyMap): { lost?: LostCreation; unfinished?: Unfinished } {
  const found = { lost: lost.read(state.lost), unfinished: unfinished.read(state.unfinished) };
  const isReadable = (["lost", "unfinished"] as const).every((mark) => {
    const value = state[mark];
    const known = Object.keys(marks[mark].schema.properties ?? {});
    return (
      value === undefined ||
      (isPropertyMap(value) && Object.keys(value).every((each) => known.includes(each)))
    );
  });
  if (!isReadable || (found.lost !== undefined && found.lost.name === undefined)) {
    throw new RecoveryError(
      "state_unreadable",
      "Another version of pulumi-browser-infra has recorded an interrupted request in the state, in a form that this version cannot read. " +
        "Install the version that made the last deployment, and run the same command again.",
    );
  }
  return {
    ...(found.lost === undefined ? {} : { lost: found.lost }),
    ...(found.unfinished === undefined ? {} : { unfinished: found.unfinished }),
  };
}

/** A failure with outputs, which the engine stores also after Ctrl-C, SIGTERM and a time limit. */
export function storedFailure(
  id: string,
  outputs: PropertyMap,
  cause: Error & { readonly code?: string },
): PartiallyCreatedError {
  return Object.assign(new PartiallyCreatedError(id, outputs, [cause.message]), { cause, code: cause.code });
}

/** What the state is to remember of requests without an answer. Source: the issuer. */
export const requestOf = new WeakMap<OutcomeUnknownError, Unfinished["request"]>();
