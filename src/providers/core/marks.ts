/**
 * Marks `lost` and `unfinished` in a resource's state: the last request got no response, or work is left.
 * Pulumi's state is the only memory between two runs, so the next deployment finds the mark on any machine.
 */
import { RecoveryError } from "../../errors.js";
import { PartiallyCreatedError } from "../lifecycle.js";
import { isPropertyMap, type PropertyMap, t } from "../properties.js";

const lost = t.object({
  name: t.string,
  projectId: t.string,
  /** Only for objects that never change: further identifying values, such as a checksum. */
  identity: t.mapOf(t.string),
  /** Time when the deployment gave up, after the last lookup. Milliseconds since 1970. */
  gaveUpAt: t.number,
});

const unfinished = t.object({
  /** Message of the error that caused the mark, for a person who reads the state. */
  reason: t.string,
  /** Settings that the lost request may have changed. `value`: for borrowed settings; missing for null. */
  settings: t.listOf(t.object({ name: t.string, value: t.anything })),
  /** An update's request for a new object, such as a key rotation, that got no response. */
  request: t.anything,
  /** Declared values of inputs that the service refused to change in place, such as `{ policy: {…} }`. */
  refused: t.mapOf(t.anything),
});

/** State members `lost` and `unfinished` of every kind: for the life cycles, never shown as outputs. */
export const marks = {
  /**
   * Set by a create without a response, such as `lost: { name: "web", gaveUpAt: 1764230400000 }`. The next
   * `diff` then reports a replacement, whose deletion looks for an object by name and creation time.
   */
  lost: { ...lost, isInternal: true },
  /**
   * Set by an update without a response or with work left. The next `diff` reports a change, so the next run
   * updates the object again. Example: `{ reason: "…", settings: [{ name: "size" }] }`.
   */
  unfinished: { ...unfinished, isInternal: true },
} as const;

/** Value of the mark `lost`: name, project, identity and time of a creation that got no response. */
export type LostCreation = NonNullable<ReturnType<typeof lost.read>>;
/** Value of the mark `unfinished`: the error, and settings or requests that may have taken effect. */
export type Unfinished = NonNullable<ReturnType<typeof unfinished.read>>;
/** Setting in the mark `unfinished`, possibly changed by a request without a response. */
export type SentSetting = NonNullable<Unfinished["settings"]>[number];

/** Names of the settings in a state that requests without a response may have set. Empty without a mark. */
export function sentNames({ unfinished }: { readonly unfinished?: Unfinished | undefined }): string[] {
  return unfinished?.settings?.flatMap(({ name }) => name ?? []) ?? [];
}

/**
 * Reads the marks `lost` and `unfinished` of a state. Throws `RecoveryError` `state_unreadable` for a mark in
 * the form of a different provider version: to ignore the mark would be to forget an interrupted request.
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

/** Builds an error whose `outputs` the engine stores, even after Ctrl-C, SIGTERM or a time limit. */
export function storedFailure(
  id: string,
  outputs: PropertyMap,
  cause: Error & { readonly code?: string },
): PartiallyCreatedError {
  return Object.assign(new PartiallyCreatedError(id, outputs, [cause.message]), { cause, code: cause.code });
}

/**
 * Content for the mark in the state, by the error that a write throws: `{ request }` after a creation without
 * a response, and `{ refused }` after a refusal to change inputs in place.
 */
export const marksByError = new WeakMap<Error, { request: LostCreation } | Pick<Unfinished, "refused">>();
