import { InputError } from "../../errors.js";
import type { Controls } from "../objects/controls.js";
import { refuse } from "../storage/ids-and-names.js";
import { type Seed, seedError } from "./file.js";
import { type EmulatedObjects, kindsOf, type Stores } from "./kinds.js";

/** Entry of a seed about an object. */
interface SeedEntry {
  readonly project?: string | undefined;
}

/** Finds the id of the project that the entry at `place` refers to. Default: the default project. */
type ProjectLookup = (reference: string | undefined, place: string) => string;

/**
 * Creates the objects that a seed names and the database lacks, kind after kind in the order of
 * `kindsOf`, each kind in the order of the file. Existing objects are unchanged. Deleted objects are
 * created again, except a key with an id, because the record still exists.
 *
 * Throws `ConfigError` `emulator_seed_invalid`. The caller rolls back the objects created until
 * then.
 */
export function applySeed(seed: Seed, objects: EmulatedObjects, stores: Stores): void {
  const { title, contents, archives } = seed;
  const { defaultProject = {}, defaultLoginScenario, extensions = [] } = contents;
  const { projects, logins, organization, credentialProviders } = stores;
  credentialProviders.vault = contents.vaultItems ?? [];
  organization.ensure(contents.organization ?? {});
  createFromSeed(seed, "defaultProject", () => projects.ensureDefault(defaultProject));
  if (defaultLoginScenario !== undefined) {
    createFromSeed(seed, "defaultLoginScenario", () => logins.checkScenario(defaultLoginScenario));
  }
  // The seed's name for a project stays a valid reference after the project is renamed.
  const references = new Map([[defaultProject.name, projects.defaultProject.id]]);
  const idOf: ProjectLookup = (reference, place) => {
    const problem = `${place} names no project: no project has the id or the name "${reference}"`;
    const project =
      reference === undefined
        ? projects.defaultProject
        : projects.find(references.get(reference) ?? reference);
    return (project ?? refuse(seedError(title, problem))).id;
  };
  const given: { readonly [kind: string]: unknown } = {
    ...contents,
    extensions: extensions.map((entry, index) => ({ ...entry, bytes: archives[index] })),
  };
  for (const [kind, controls] of Object.entries(kindsOf(objects))) {
    const entries = (given[kind] ?? []) as readonly SeedEntry[];
    const found = createMissing(seed, kind, controls as Controls<SeedEntry>, entries, idOf);
    if (kind === "projects") {
      for (const [index, { id }] of found.entries()) {
        references.set(contents.projects?.[index]?.name, id);
      }
    }
  }
}

/**
 * Creates the missing objects of one kind, and returns an object for each entry. Existing objects are
 * looked up first: two equal entries create two objects, or are refused where only one is possible.
 */
function createMissing(
  seed: Seed,
  kind: string,
  controls: Controls<SeedEntry>,
  entries: readonly SeedEntry[],
  idOf: ProjectLookup,
): readonly { readonly id: string }[] {
  const looked = entries.map((entry, index) => {
    const place = `${kind}[${index}]`;
    const projectId = idOf(entry.project, `${place}.project`);
    return { place, entry, projectId, known: controls.existing(entry, projectId) };
  });
  return looked.map(
    ({ place, entry, projectId, known }) =>
      known ?? createFromSeed(seed, place, () => controls.createFrom(entry, projectId)),
  );
}

/** Creates an object for an entry. If the creation fails, the error names the entry. */
export function createFromSeed<T>({ title }: Seed, place: string, make: () => T): T {
  try {
    return make();
  } catch (cause) {
    if (!(cause instanceof InputError)) {
      throw cause;
    }
    throw seedError(title, `${place}: ${cause.message.replace(/\.$/, "")}`, cause);
  }
}
