import type { Faults } from "../http/faults.js";
import type { Controls } from "../objects/controls.js";
import type { Seed } from "../seed/file.js";
import { type EmulatedObjects, kindsOf, type Stores } from "../seed/kinds.js";
import type { EmulatorSeed } from "../seed/schema.js";
import { withValues } from "../storage/members.js";

/** State of an emulator as a seed, without secrets. */
export interface SavedSeed {
  readonly seed: EmulatorSeed;
  /** Sentences about the secrets, files and objects that the seed lacks. */
  readonly missing: readonly string[];
}

/** Converts the present objects to a seed: each kind writes the entries that the kind can read. */
export function savedSeed(
  { contents, loginScenarios }: Seed,
  objects: EmulatedObjects,
  faults: Faults,
  { organization, projects }: Stores,
): SavedSeed {
  // A record may lack several deleted objects: one sentence is enough.
  const missing = new Set<string>();
  const { defaultProject } = projects;
  const kinds = Object.entries(kindsOf(objects)).map(([kind, each]) => {
    const controls = each as Controls<never>;
    const noun = controls.noun.replaceAll("_", " ").replace(/^./, (letter) => letter.toUpperCase());
    const entries = controls.records().flatMap((record) => {
      const lacks = (what: string) => missing.add(`${noun} "${record.name ?? record.id}": ${what}`);
      const entry = controls.written(record, lacks);
      const project = record.projectId === defaultProject.id ? undefined : record.projectId;
      return entry ? [withValues({ project, ...entry })] : [];
    });
    return [kind, entries] as const;
  });
  const rules = faults.list().flatMap(({ id, hits, ...rule }) => {
    if (rule.action === "call") {
      missing.add(`Fault "${id}": is not in the seed, because a function of the program is the action.`);
      return [];
    }
    return [withValues(rule)];
  });
  const lists = Object.entries({ ...Object.fromEntries(kinds), loginScenarios, faults: rules });
  const seed: unknown = withValues({
    organization: { id: organization.id, ...organization.limits() },
    defaultProject: projects.written(defaultProject),
    ...Object.fromEntries(lists.filter(([, given]) => Object.keys(given).length > 0)),
    ...{ defaultLoginScenario: contents.defaultLoginScenario, vaultItems: contents.vaultItems },
  });
  return { seed: seed as EmulatorSeed, missing: [...missing] };
}
