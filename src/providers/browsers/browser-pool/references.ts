import { quote } from "../../../text/escape.js";
import type { Call } from "../../call.js";
import type { CheckFailure } from "../../lifecycle.js";
import { profilesOf } from "../../reads/lists.js";
import { readInPreview } from "../../reads/preview.js";
import { type Reference, referencesOf, unknownReferences } from "../../reads/references.js";
import { walkOf } from "../../reads/walks.js";
import type { BrowserPoolInputs, DeclaredPool } from "./properties.js";

/**
 * For a preview: refuses new ids of objects that do not exist. A missing profile that is given by
 * name is only mentioned: a resource of the program may create the profile.
 */
export async function referenceFailures(
  inputs: DeclaredPool,
  olds: BrowserPoolInputs | undefined,
  call: Call,
): Promise<CheckFailure[]> {
  if (inputs.profileName !== olds?.profileName) {
    const project = typeof inputs.projectId === "string" ? inputs.projectId : undefined;
    await mentionUnknownProfile(inputs.profileName, project, call);
  }
  return unknownReferences("pool", referencesIn(inputs), referencesIn(olds ?? {}), inputs.projectId, call);
}

function referencesIn(pool: DeclaredPool): Reference[] {
  const { extensionIds, network } = pool;
  const routes = typeof network === "object" ? (network.proxyRoutes ?? []) : [];
  const proxyIds = routes.map(({ proxyId }) => proxyId);
  return [
    ...referencesOf("extensionIds", "extension", typeof extensionIds === "object" ? extensionIds : []),
    ...referencesOf("profileId", "profile", [pool.profileId]),
    ...referencesOf("proxyId", "proxy", [pool.proxyId]),
    ...referencesOf("network", "proxy", proxyIds),
    ...referencesOf("telemetryDestinationId", "telemetry destination", [pool.telemetryDestinationId]),
  ];
}

async function mentionUnknownProfile(
  name: DeclaredPool["profileName"],
  projectId: string | undefined,
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
    const where = projectId === undefined ? "" : ` in project ${projectId}`;
    call.context.report.info(
      `There is no profile with the name ${quote(name)}${where} yet. Unless the profile is created before the pool, the service will refuse the deployment.`,
    );
  }
}
