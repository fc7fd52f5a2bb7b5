import { type NamedList, nearNameAdvice } from "../../../client/near-names.js";
import { ignoreNotFound } from "../../../client/not-found.js";
import { InputError } from "../../../errors.js";
import { quote } from "../../../text/escape.js";
import type { Call } from "../../call.js";
import type { CheckFailure } from "../../lifecycle.js";
import { extensionsOf, profilesOf, proxiesOf } from "../../reads/lists.js";
import { readInPreview } from "../../reads/preview.js";
import { type List, walkOf } from "../../reads/walks.js";
import type { BrowserPoolInputs, DeclaredPool } from "./properties.js";

type Operations = ReturnType<List<{ readonly id: string }>> &
  NamedList & {
    get(id: string, options: Call["options"]): Promise<{ readonly id: string }>;
  };
type Noun = "extension" | "profile" | "proxy";

/** Kinds of object that a pool names: the objects, the use by the pool, and the group of commands. */
const nouns: Readonly<
  Record<
    Noun,
    { list: (projectId: string | undefined, call: Call) => Operations; use: string; group: string }
  >
> = {
  extension: { list: extensionsOf, use: "load", group: "extensions" },
  profile: { list: profilesOf, use: "load", group: "profiles" },
  proxy: { list: proxiesOf, use: "use", group: "proxies" },
};

/** Reference of a pool to an object, by id. */
interface Reference {
  readonly property: string;
  readonly noun: Noun;
  readonly id: string;
}

/**
 * For a preview: refuses new ids of objects that the project does not have. A missing profile that
 * is given by name is only mentioned: a resource of the program may create the profile.
 */
export async function unknownReferences(
  inputs: DeclaredPool,
  olds: BrowserPoolInputs | undefined,
  call: Call,
): Promise<CheckFailure[]> {
  const project = typeof inputs.projectId === "string" ? inputs.projectId : undefined;
  const where = project === undefined ? "" : ` in project ${project}`;
  const known = referencesIn(olds ?? {}).map(({ noun, id }) => `${noun} ${id}`);
  const added = referencesIn(inputs).filter(({ noun, id }) => !known.includes(`${noun} ${id}`));
  const missing = await Promise.all(
    added.map(async (each) => ((await isMissing(each, project, call)) ? [each] : [])),
  );
  if (inputs.profileName !== olds?.profileName) {
    await mentionUnknownProfile(inputs.profileName, project, where, call);
  }
  return Promise.all(
    missing.flat().map(async ({ property, noun, id }) => {
      const { use, list, group } = nouns[noun];
      const objects = list(project, call);
      const near = await readInPreview(call, ({ options }) => nearNameAdvice(noun, id, objects, options));
      const remedy = near || `Check the id, which "browser-infra ${group} list" shows, and the project.`;
      return {
        property,
        reason: `There is no ${noun} with the id "${id}"${where} for the pool to ${use}. ${remedy}`,
      };
    }),
  );
}

/** References whose ids are known in a preview. */
function referencesIn({ extensionIds, profileId, proxyId, network }: DeclaredPool): Reference[] {
  const routes = typeof network === "object" ? (network.proxyRoutes ?? []) : [];
  const all = (property: string, noun: Noun, ids: readonly unknown[]) =>
    ids.flatMap((id) => (typeof id === "string" ? [{ property, noun, id }] : []));
  return [
    ...all("extensionIds", "extension", typeof extensionIds === "object" ? extensionIds : []),
    ...all("profileId", "profile", [profileId]),
    ...all("proxyId", "proxy", [proxyId]),
    ...all(
      "network",
      "proxy",
      routes.map((route) => route.proxyId),
    ),
  ];
}

/** Whether the service reports no object with the id, or the client refuses the id as malformed. */
async function isMissing(
  { noun, id }: Reference,
  projectId: string | undefined,
  call: Call,
): Promise<boolean> {
  try {
    const isMissing = await readInPreview(call, async (limited) => {
      const { list } = nouns[noun];
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

async function mentionUnknownProfile(
  name: DeclaredPool["profileName"],
  projectId: string | undefined,
  where: string,
  call: Call,
): Promise<void> {
  if (typeof name !== "string") {
    return;
  }
  const isFree = await readInPreview(call, async (limited) => {
    const isFree = await walkOf(profilesOf, projectId, limited).lacks(name, limited);
    return isFree || (await profilesOf(projectId, limited).holderOf(name, limited.options)) === undefined;
  });
  if (isFree === true) {
    call.context.report.info(
      `There is no profile with the name ${quote(name)}${where} yet. Unless the profile is created before the pool, the service will refuse the deployment.`,
    );
  }
}
