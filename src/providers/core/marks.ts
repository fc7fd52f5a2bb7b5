/**
 * Marks in the state of a resource whose last request got no response, or has work left. Pulumi's
 * state is the only memory between two runs, so the next deployment of any machine finds the mark.
 */
import { RecoveryError } from "../../errors.js";
import { PartiallyCreatedError } from "../lifecycle.js";
import { isPropertyMap, type PropertyMap, t } from "../properties.js";

const lost = t.object({
  name: t.string,
  projectId: t.string,
  /** Identifying values besides the name, such as a checksum. */
  identity: t.mapOf(t.string),
  /** When this machine gave up, after the lookups, in milliseconds since 1970. */
  sentAt: t.number,
});

const unfinished = t.object({
  /** Message of the error, for a person who reads the state. */
  reason: t.string,
  /** Possibly sent settings. `value`: of borrowed settings; missing for no value. */
  settings: t.listOf(t.object({ name: t.string, value: t.anything })),
  /** Request of an update with a possible new object as result. */
  request: t.anything,
  /** Declared values of settings that the service refused to change in place, by name. */
  refused: t.mapOf(t.anything),
});

/** State members for the life cycles only, in every kind of objects and settings. */
export const marks = {
  /** A creation whose outcome is unknown, in place of an object. */
  lost: { ...lost, isInternal: true },
  /** A request about the object whose outcome is unknown, or a reason to deploy again. */
  unfinished: { ...unfinished, isInternal: true },
} as const;

/** A creation whose outcome is unknown. */
export type LostCreation = NonNullable<ReturnType<typeof lost.read>>;
/** Reason to check an object in the next deployment, with possibly sent settings and request. */
export type Unfinished = NonNullable<ReturnType<typeof unfinished.read>>;
/** Setting possibly changed by a request without a response. */
export type SentSetting = NonNullable<Unfinished["settings"]>[number];

/** Reads from a state the names of the settings that requests without a response may have sent. */
export function sentNames({ unfinished }: { readonly unfinished?: Unfinished | undefined }): string[] {
  return unfinished?.settings?.flatMap(({ name }) => name ?? []) ?? [];
}

/**
 * Reads the marks in a state. Throws `RecoveryError` `state_unreadable` for a mark of an unknown
 * form, written by a different version of the provider: without the mark, the object would pass for
 * settled.
 */
export function marksIn(state: PropertyMap) {
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
  return found;
}

/** Failure with outputs, which the engine stores even after Ctrl-C, SIGTERM and a time limit. */
export function storedFailure(
  id: string,
  outputs: PropertyMap,
  cause: Error & { readonly code?: string },
): PartiallyCreatedError {
  return Object.assign(new PartiallyCreatedError(id, outputs, [cause.message]), { cause, code: cause.code });
}

/** By error, for the mark `unfinished`: a request without a response, or refused settings. */
export const marksByError = new WeakMap<Error, { request: LostCreation } | Pick<Unfinished, "refused">>();
