import type { BrowserInfraClient } from "../../../client/index.js";
import { nearNameAdvice } from "../../../client/near-names.js";
import { ignoreNotFound } from "../../../client/not-found.js";
import { InputError } from "../../../errors.js";
import { quote } from "../../../text/escape.js";
import type { Call } from "../../call.js";
import type { CheckFailure } from "../../lifecycle.js";
import { readInPreview } from "../../preview-reads.js";
import type { BrowserPoolInputs, DeclaredPool } from "./properties.js";

type Get = (
  client: BrowserInfraClient,
  id: string,
  options: Call["options"],
) => Promise<{ readonly id: string }>;

type List = "extensions" | "profiles" | "proxies";

/** Kinds of object that a pool names: the read, the use by the pool, and the group of commands. */
const nouns: Readonly<Record<"extension" | "profile" | "proxy", { get: Get; use: string; list: List }>> = {
  extension: { get: ({ extensions }, ...args) => extensions.get(...args), use: "load", list: "extensions" },
  profile: { get: ({ profiles }, ...args) => profiles.get(...args), use: "load", list: "profiles" },
  proxy: { get: ({ proxies }, ...args) => proxies.get(...args), use: "use", list: "proxies" },
};

/** Reference of a pool to an object, by id. */
interface Reference {
  readonly property: string;
  readonly noun: keyof typeof nouns;
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
      const { use, list } = nouns[noun];
      const objects = call.clientFor(project)[list];
      const near = await readInPreview(call, ({ options }) => nearNameAdvice(noun, id, objects, options));
      const remedy = near || `Check the id, which "browser-infra ${list} list" shows, and the project.`;
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
  const all = (property: string, noun: keyof typeof nouns, ids: readonly unknown[]) =>
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
    const found = await readInPreview(call, async (limited) => {
      const request = nouns[noun].get(limited.clientFor(projectId), id, limited.options);
      return { object: await ignoreNotFound(request) };
    });
    return found !== undefined && found.object?.id !== id;
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
  const found = await readInPreview(call, async (limited) => ({
    profile: await limited.clientFor(projectId).profiles.holderOf(name, limited.options),
  }));
  if (found !== undefined && found.profile === undefined) {
    call.context.report.info(
      `There is no profile with the name ${quote(name)}${where} yet. Unless the profile is created before the pool, the service will refuse the deployment.`,
    );
  }
}
