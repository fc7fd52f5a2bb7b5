/**
 * Marks `lost` and `unfinished` in a resource's state: the last request got no response, or work is left.
 * Pulumi's state is the only memory between two runs, so the next deployment finds the mark on any machine.
 */
import { isDeepStrictEqual } from "node:util";
import { type BrowserInfraError, RecoveryError } from "../../errors.js";
import { PartiallyCreatedError } from "../lifecycle.js";
import { isPropertyMap, type PropertyMap, type PropertyValue, t, unknownValue } from "../properties.js";

const lost = t.object({
  name: t.string,
  projectId: t.string,
  /** Only for objects that never change: further identifying values, such as a checksum. */
  identity: t.mapOf(t.string),
  /** One-time names of earlier attempts in the same run, also without a response. */
  earlierNames: t.listOf(t.string),
  /** Time of the service at the sending. Milliseconds since 1970; missing if no response told the time. */
  sentAt: t.number,
  /** Time of the service after the last lookup, when the deployment gave up. */
  gaveUpAt: t.number,
});

const unfinished = t.object({
  /** Message of the error that caused the mark, for a person who reads the state. */
  reason: t.string,
  /** Settings that the lost request may have changed. `value`: for borrowed settings; missing for null. */
  settings: t.listOf(t.object({ name: t.string, value: t.anything })),
  /** Requests for new objects, such as key rotations, that got no response and have not been found. */
  requests: t.listOf(t.anything),
  /** Declared values of inputs that the service refused to change in place, such as `{ policy: {…} }`. */
  refused: t.mapOf(t.anything),
});

/** State members `lost` and `unfinished` of every kind: for the life cycles, never shown as outputs. */
export const marks = {
  /**
   * Set by a create without a response, such as `lost: { name: "web", gaveUpAt: 1764230400000 }`. The next
   * `diff` then reports a replacement, which finishes, deletes or refuses the object with the name.
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
/** Input `adopt` of a kind whose objects have a name: id or name of an object to manage from now on. */
export const adoptInput = { adopt: { ...t.string, isInternal: true } } as const;

/** Common members of inputs and states of all owned objects: objects that a resource creates and deletes. */
export interface Named {
  readonly name?: string | undefined;
  /** Id of the object's project; undefined for an object of the whole organization. */
  readonly projectId?: string | undefined;
  /** Only of kinds with `adoptInput`. Counts for the first object of a resource, and is ignored later. */
  readonly adopt?: string | undefined;
  /** In the state only: mark of a change without a response or of remaining work. See `marks`. */
  readonly unfinished?: Unfinished | undefined;
  readonly lost?: LostCreation | undefined;
}

/** Setting in the mark `unfinished`, possibly changed by a request without a response. */
export type SentSetting = NonNullable<Unfinished["settings"]>[number];

/** Names of the settings in a state that requests without a response may have set. Empty without a mark. */
export function sentNames({ unfinished }: { readonly unfinished?: Unfinished | undefined }): string[] {
  return unfinished?.settings?.flatMap(({ name }) => name ?? []) ?? [];
}

/**
 * Adds to a state, as unknown values, settings missing there that a request without a response may have set.
 * To `diff`, such settings differ: a setting that no update can clear then causes a replacement.
 */
export function withSent<S extends { readonly unfinished?: Unfinished | undefined }>(state: S): S {
  return { ...Object.fromEntries(sentNames(state).map((name) => [name, unknownValue])), ...state };
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
 * Failure of a write with content for the mark `unfinished`: the request without a response, or the inputs that
 * the service refused to change in place. The life cycle stores the content and reports the failure itself.
 */
export class MarkedFailure extends Error {
  readonly failure: BrowserInfraError;
  readonly mark: Pick<Unfinished, "requests" | "refused">;

  constructor(failure: BrowserInfraError, mark: MarkedFailure["mark"]) {
    super(failure.message);
    this.failure = failure;
    this.mark = mark;
  }
}

/**
 * Merges a mark `unfinished` with more content. Settings, requests and refused
 * inputs of the known mark stay, and only a new value for the same setting or input takes the place of the old.
 */
export function addToMark(
  known: Unfinished | undefined,
  more: Unfinished | undefined,
): Unfinished | undefined {
  if (known === undefined || more === undefined) {
    return more ?? known;
  }
  const isKept = ({ name }: SentSetting) => !more.settings?.some((each) => each.name === name);
  const settings = [...(known.settings ?? []).filter(isKept), ...(more.settings ?? [])];
  const isNew = (request: PropertyValue) => !known.requests?.some((each) => isDeepStrictEqual(each, request));
  const requests = [...(known.requests ?? []), ...(more.requests ?? []).filter(isNew)];
  const refused = { ...known.refused, ...more.refused };
  return {
    ...known,
    ...more,
    ...(settings.length > 0 && { settings }),
    ...(requests.length > 0 && { requests }),
    ...(Object.keys(refused).length > 0 && { refused }),
  };
}

/** Adds to the mark `unfinished` in a resource's outputs. See {@link addToMark}. */
export function withMark(outputs: PropertyMap, more: Unfinished): PropertyMap {
  return { ...outputs, unfinished: addToMark(unfinished.read(outputs.unfinished), more) } as PropertyMap;
}
