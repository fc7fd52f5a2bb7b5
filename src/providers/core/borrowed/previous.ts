import type { Entry, Values } from "../entry.js";

/** What is known of the settings of one object. */
export interface Known {
  /** What the resource has set. */
  readonly set: Values;
  /** What the object had before. */
  readonly previous: Values;
}

/** The values in `target` that the object does not have. */
export function differing(target: Values, now: Values): Values {
  return Object.fromEntries(Object.entries(target).filter(([name, value]) => (now[name] ?? null) !== value));
}

/** Whether a resource may have given the object this value. */
export function hasSent(entry: Entry | undefined, name: string, value: Values[string]): boolean {
  return entry?.sent?.some((sent) => sent[name] === value) === true;
}

/** Whether the object has any setting that was sent, in place of a previous one. */
export function isStillSet(entry: Entry, now: Values): boolean {
  return Object.keys(differing(entry.previous ?? {}, now)).some((name) =>
    hasSent(entry, name, now[name] ?? null),
  );
}

/** The last value that was sent, by name. */
export function sentBy(entry: Entry | undefined): Values {
  return Object.assign({}, ...(entry?.sent ?? []));
}

/** Settings that a resource took for previous although another one had set them. */
export function takenOver(previous: Values, entry: Entry | undefined): string[] {
  return Object.keys(previous).filter((name) => {
    const before = entry?.previous?.[name];
    return before !== undefined && before !== previous[name] && hasSent(entry, name, previous[name] ?? null);
  });
}

/** The previous values, also for a resource that took the settings of another one for those. */
export function previousOf(previous: Values, entry: Entry | undefined): Values {
  const taken = takenOver(previous, entry).map((name) => [name, entry?.previous?.[name]]);
  return { ...previous, ...(Object.fromEntries(taken) as Values) };
}

/**
 * What each setting was before the resource declared it. `stored`: what the state says of another
 * resource that had the object until now.
 */
export function previousOfAll(
  names: readonly string[],
  now: Values,
  { known, entry, stored }: { known: Known; entry: Entry | undefined; stored: Known | undefined },
): Values {
  return Object.fromEntries(
    names.map((name) => {
      const value = now[name] ?? null;
      const noted = hasSent(entry, name, value) ? entry?.previous?.[name] : undefined;
      const theirs = stored?.set[name] === value ? stored?.previous[name] : undefined;
      const earlier = [known.previous[name], noted, theirs].find((each) => each !== undefined);
      return [name, earlier === undefined ? value : earlier];
    }),
  );
}

/** Whether a deletion has restored the previous values. */
export function isRestored({ op, answered }: Entry): boolean {
  return op === "remove" && answered !== undefined;
}

/** Undefined where a deletion has restored everything, so what was sent before is over. */
export function unlessRestored<E extends Entry>(entry: E | undefined): E | undefined {
  return entry !== undefined && isRestored(entry) ? undefined : entry;
}
