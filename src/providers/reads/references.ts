import { ignoreNotFound } from "../../client/not-found.js";
import { type NamedList, nearNameAdvice } from "../../client/operations/near-names.js";
import { InputError } from "../../errors.js";
import type { Call } from "../call.js";
import type { CheckFailure } from "../lifecycle.js";
import { destinationsOf, extensionsOf, profilesOf, proxiesOf } from "./lists.js";
import { readInPreview } from "./preview.js";
import { type List, walkOf } from "./walks.js";

type Operations = ReturnType<List<{ readonly id: string }>> &
  NamedList & {
    get(id: string, options: Call["options"]): Promise<{ readonly id: string }>;
  };
type Noun = "extension" | "profile" | "proxy" | "telemetry destination";

/** Kinds of object that others name by id: the objects, their use, and the group of commands. */
const nouns: Readonly<
  Record<
    Noun,
    {
      list: (projectId: string | undefined, call: Call) => Operations;
      use: string;
      group: string;
      isOfOrganization?: true;
    }
  >
> = {
  extension: { list: extensionsOf, use: "load", group: "extensions" },
  profile: { list: profilesOf, use: "load", group: "profiles" },
  proxy: { list: proxiesOf, use: "use", group: "proxies" },
  "telemetry destination": {
    list: (_project, call) => destinationsOf(call),
    use: "export to",
    group: "telemetry-destinations",
    isOfOrganization: true,
  },
};

export interface Reference {
  readonly property: string;
  readonly noun: Noun;
  readonly id: string;
}

/** References of an input whose ids are known in a preview. */
export function referencesOf(property: string, noun: Noun, ids: readonly unknown[]): Reference[] {
  return ids.flatMap((id) => (typeof id === "string" ? [{ property, noun, id }] : []));
}

/**
 * For a preview: refuses new ids of objects that the project or the organization does not have, with
 * the near name. `who`: the object with the references, such as `pool`.
 */
export async function unknownReferences(
  who: string,
  references: readonly Reference[],
  olds: readonly Reference[],
  projectId: unknown,
  call: Call,
): Promise<CheckFailure[]> {
  const given = typeof projectId === "string" ? projectId : undefined;
  const known = olds.map(({ noun, id }) => `${noun} ${id}`);
  const added = references.filter(({ noun, id }) => !known.includes(`${noun} ${id}`));
  const failures = added.map(async ({ property, noun, id }): Promise<CheckFailure[]> => {
    const { use, list, group, isOfOrganization } = nouns[noun];
    const project = isOfOrganization ? undefined : given;
    if (!(await isMissing(list, id, project, call))) {
      return [];
    }
    const near = await readInPreview(call, (limited) =>
      nearNameAdvice(noun, id, list(project, limited), limited.options),
    );
    const where = project === undefined ? "" : ` in project ${project}`;
    const place = isOfOrganization ? "." : ", and the project.";
    const remedy = near || `Check the id, which "browser-infra ${group} list" shows${place}`;
    const reason = `There is no ${noun} with the id "${id}"${where} for the ${who} to ${use}. ${remedy}`;
    return [{ property, reason }];
  });
  return (await Promise.all(failures)).flat();
}

/** Whether the service reports no object with the id, or the client refuses the id as malformed. */
async function isMissing(
  list: (projectId: string | undefined, call: Call) => Operations,
  id: string,
  projectId: string | undefined,
  call: Call,
): Promise<boolean> {
  try {
    const isMissing = await readInPreview(call, async (limited) => {
      if (await walkOf(list, projectId, limited).has(id, limited)) {
        return false;
      }
      const found = await ignoreNotFound(list(projectId, limited).get(id, limited.options));
      return found?.id !== id;
    });
    return isMissing === true;
  } catch (error) {
    if (error instanceof InputError) {
      return true;
    }
    throw error;
  }
}
