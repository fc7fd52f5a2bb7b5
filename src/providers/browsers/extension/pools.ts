import { isSameName } from "../../../client/names.js";
import { BrowserInfraError } from "../../../errors.js";
import { quote } from "../../../text/escape.js";
import { listed } from "../../../text/words.js";
import type { Call } from "../../call.js";
import type { ReplacedObject } from "../../core/run.js";
import type { CheckFailure } from "../../lifecycle.js";
import type { MaybeUnknown } from "../../properties.js";
import { readInPreview } from "../../reads/preview.js";

/** Advice if an extension with a fixed name is to be replaced while a pool loads the extension. */
const waysOut =
  'Remove "name": one deployment then uploads the new extension, changes the pool, and deletes the old extension. ' +
  "Or remove the extension from the pool, deploy, and change the extension in the next deployment.";

/** Replacement of an extension, under a fixed name. */
interface FixedReplacement {
  readonly name: string;
  readonly projectId: MaybeUnknown<string> | undefined;
}

/** Pools with an extension, if any: `browser pool "agents" (id) loads it`. */
export async function loadersOf(
  { id, projectId }: Pick<ReplacedObject, "id" | "projectId">,
  call: Call,
): Promise<string | undefined> {
  const pools = await call.clientFor(projectId).browserPools.list(call.options);
  const names = pools
    .filter(({ extensionIds }) => extensionIds.includes(id))
    .map((pool) => (pool.name === null ? pool.id : `${quote(pool.name)} (${pool.id})`));
  if (names.length === 0) {
    return undefined;
  }
  return names.length === 1 ? `browser pool ${names[0]} loads it` : `browser pools ${listed(names)} load it`;
}

/** As {@link loadersOf}, but undefined if the request fails: the deployment continues. */
export async function loadersIfKnown(
  extension: Pick<ReplacedObject, "id" | "projectId">,
  call: Call,
): Promise<string | undefined> {
  try {
    return await loadersOf(extension, call);
  } catch (error) {
    if (!(error instanceof BrowserInfraError)) {
      throw error;
    }
    return undefined;
  }
}

/**
 * For a preview: refuses to replace an extension that must be deleted first, because the
 * replacement has a fixed name. The service deletes no extension that a pool loads, and no pool can
 * load the replacement before the upload. Reads the pools of the old extension's project.
 */
export async function replacementFailures(
  old: ReplacedObject,
  replacement: FixedReplacement,
  call: Call,
): Promise<CheckFailure[]> {
  const loaders = await readInPreview(call, (limited) => loadersOf(old, limited));
  return loaders === undefined ? [] : [{ property: "name", reason: refusalText(old, replacement, loaders) }];
}

/** Reason why an extension cannot be replaced under a fixed name, with advice. */
export function refusalText(
  old: ReplacedObject,
  { name, projectId }: FixedReplacement,
  loaders: string,
): string {
  const staysTheSame = isSameName(old.name, name) && old.projectId === projectId;
  const [what, why] = staysTheSame
    ? ["under the same name", "must be deleted before the new extension can have the name"]
    : ["by an extension with a fixed name", 'must be deleted before an extension with "name" is uploaded'];
  return `Extension ${old.id} cannot be replaced ${what}, because ${loaders}. The old extension ${why}, and the service refuses the deletion. ${waysOut}`;
}

/** Advice if an extension in use was not deleted. `makesRoom`: before the upload of the replacement. */
export function useAdvice(makesRoom: boolean): string {
  return makesRoom ? waysOut : "First remove the extension from the pool, and deploy.";
}
