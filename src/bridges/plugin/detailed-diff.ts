import { isDeepStrictEqual } from "node:util";
import { isPropertyMap, type PropertyMap, type PropertyValue } from "../../providers/properties.js";

/** Change of a property. `replaces`: the change replaces the resource. */
export interface PropertyChange {
  readonly kind: "add" | "delete" | "update";
  readonly replaces: boolean;
  /** Whether the inputs differ. Otherwise only the existing object differs from the inputs. */
  readonly isOfInputs: boolean;
}

/**
 * Lists the changes of a resource's inputs, by property path: `files["popup.js"]`, `exclude[0]`. A
 * key in `replaces` with equal inputs has an entry of its own, so the preview names the key.
 */
export function detailedDiff(
  olds: PropertyMap,
  news: PropertyMap,
  replaces: readonly string[],
): Map<string, PropertyChange> {
  const changes = new Map<string, PropertyChange>();
  for (const name of new Set([...Object.keys(olds), ...Object.keys(news)])) {
    const isReplacing = replaces.includes(name);
    compare(pathTo("", name), olds[name], news[name], (path, kind) => {
      changes.set(path, { kind, replaces: isReplacing, isOfInputs: true });
    });
  }
  for (const name of replaces.filter((each) => isDeepStrictEqual(olds[each], news[each]))) {
    changes.set(pathTo("", name), { kind: "update", replaces: true, isOfInputs: false });
  }
  return changes;
}

type Note = (path: string, kind: PropertyChange["kind"]) => void;

function compare(path: string, old: PropertyValue | undefined, now: PropertyValue | undefined, note: Note) {
  if (isDeepStrictEqual(old, now)) {
    return;
  }
  if (old === undefined || now === undefined) {
    note(path, old === undefined ? "add" : "delete");
  } else if (isPropertyMap(old) && isPropertyMap(now)) {
    for (const name of new Set([...Object.keys(old), ...Object.keys(now)])) {
      compare(pathTo(path, name), old[name], now[name], note);
    }
  } else if (Array.isArray(old) && Array.isArray(now)) {
    for (let at = 0; at < Math.max(old.length, now.length); at += 1) {
      compare(`${path}[${at}]`, old[at], now[at], note);
    }
  } else {
    note(path, "update");
  }
}

/** Builds a property path. Source: Pulumi's SDK, go/common/resource/property_path. */
function pathTo(parent: string, name: string): string {
  if (!/^[A-Za-z_$][\w$]*$/.test(name)) {
    return `${parent}["${name.replaceAll('"', '\\"')}"]`;
  }
  return parent === "" ? name : `${parent}.${name}`;
}
