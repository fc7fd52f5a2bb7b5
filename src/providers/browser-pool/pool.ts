import type { BrowserPool } from "../../client/index.js";
import { ignoreNotFound } from "../../client/refusals.js";
import type { ApiError } from "../../errors.js";
import { counted, listed, messageOf } from "../../text/words.js";
import type { Call } from "../call.js";
import type { OwnedResource } from "../core/owned/declaration.js";
import { OwnedLifecycle } from "../core/owned/lifecycle.js";
import type { Kind } from "../lifecycle.js";
import { requireKnown } from "../properties.js";
import { changeOfPool, stateOf } from "./change.js";
import { browserPoolFailures, withReadPolicy } from "./input-failures.js";
import {
  type BrowserPoolInputs,
  type BrowserPoolState,
  browserPoolInputs,
  browserPoolState,
  changesProviderInputs,
  type DeclaredPool,
  differingSettings,
  isImageViewport,
  poolDefaults,
  poolSettings,
  viewportOf,
} from "./properties.js";
import { unknownExtensions } from "./unknown-extensions.js";
import { waitUntilAvailable } from "./wait.js";

/** Browsers of the pool are leased. */
const inUse = "pool_in_use";

/** Browsers that the service keeps ready. */
const pool: OwnedResource<BrowserPoolInputs, BrowserPoolState, BrowserPool> = {
  resource: "BrowserPool",
  kind: "browser-pool",
  noun: "browser pool",
  isInProject: true,
  notFoundCode: "browser_pool_not_found",
  deleteCommand: "browser-infra pools delete",
  inputs: browserPoolInputs,
  state: browserPoolState,
  essential: "size",
  incidental: ["createdAt", "unfinished", "forceDelete", "rebuildIdleBrowsersOnUpdate", "waitForAvailable"],
  failures: browserPoolFailures,
  normalized: withReadPolicy,
  complete: (declared) => {
    const hasProfile = declared.profileId !== undefined || declared.profileName !== undefined;
    return {
      ...poolDefaults,
      ...(hasProfile ? { refreshOnProfileUpdate: true } : {}),
      ...declared,
      extensionIds: isEmpty(declared.extensionIds) ? undefined : declared.extensionIds,
      chromePolicy: isEmpty(declared.chromePolicy) ? undefined : declared.chromePolicy,
    };
  },
  previewFailures: unknownExtensions,
  replaces: (state, inputs) => [
    ...(state.projectId !== inputs.projectId ? ["projectId"] : []),
    ...(state.viewport !== undefined && inputs.viewport === undefined ? ["viewport"] : []),
  ],
  isSame: (state, inputs) =>
    differingSettings(state, inputs).length === 0 && !changesProviderInputs(state, inputs),
  find: (id, projectId, call) => ignoreNotFound(poolsOf(projectId, call).get(id, call.options)),
  holderOf: (name, projectId, call) => poolsOf(projectId, call).holderOf(name, call.options),
  create: (inputs, name, call) => {
    const isSetting = ([input]: [string, unknown]) => Object.hasOwn(poolSettings, input);
    const settings = Object.fromEntries(Object.entries(inputs).filter(isSetting));
    const size = requireKnown(inputs.size, "size", "BrowserPool");
    return poolsOf(inputs.projectId, call).create({ ...settings, name, size }, call.options);
  },
  change: (live, inputs, known = {}, call) => changeOfPool(live, inputs, known, call),
  remove: (id, { projectId, forceDelete = false }, call) =>
    poolsOf(projectId, call).delete(id, { force: forceDelete, ...call.options }),
  inUseCode: inUse,
  whyKept: async ({ id }, { projectId }, refusal, call) =>
    refusal.serviceCode === inUse ? withLeased(refusal, id, projectId, call) : refusal,
  afterwards: async (live, inputs, state, call) => {
    const { id } = live;
    const differing = differingSettings(state, inputs);
    if (differing.length > 0) {
      call.context.report.warning(
        `Browser pool ${id} has a different ${listed(differing)} than the program declares.`,
      );
    }
    try {
      return await waitUntilAvailable(live, inputs, call);
    } catch (error) {
      const why = messageOf(error);
      const message = `Browser pool ${id} exists, but waiting for ${inputs.waitForAvailable} ready browsers failed: ${why}. Run "pulumi up" again to keep waiting.`;
      throw new Error(message, { cause: error });
    }
  },
  stateOf,
  withDefaults: (state) => state,
  // The earlier run may have declared a viewport, which only a replacement clears.
  known: (live) => {
    const viewport = viewportOf(live);
    return viewport === undefined || isImageViewport(viewport) ? undefined : { viewport };
  },
  drift: (id, known, live) => {
    const changed = differingSettings(known, live);
    const isToReplace = known.viewport === undefined && live.viewport !== undefined;
    const outcome = isToReplace
      ? ' The service cannot clear a viewport, so the next "pulumi up" replaces the pool, unless the program declares this one.'
      : "";
    return changed.length === 0
      ? []
      : [`Browser pool ${id} was changed outside of this program: its ${listed(changed)}.${outcome}`];
  },
};

function poolsOf(projectId: string | undefined, call: Call) {
  return call.clientFor(projectId).browserPools;
}

/** The refusal, with how many browsers are leased and what to do about it. */
async function withLeased(
  error: ApiError,
  id: string,
  projectId: string | undefined,
  call: Call,
): Promise<ApiError> {
  const pool = await poolsOf(projectId, call)
    .get(id, call.options)
    .catch(() => undefined);
  const leased =
    pool === undefined
      ? ""
      : `${counted(pool.acquiredCount, "browser")} of it ${pool.acquiredCount === 1 ? "is" : "are"} leased. `;
  return error.withAdvice(
    `${leased}Nothing was deleted. Release the browsers and run the same command again. Or set "forceDelete" to true and deploy that first: then deleting the pool ends them.`,
  );
}

/** To have no extension and to leave them out is the same. */
function isEmpty(value: DeclaredPool["extensionIds"] | DeclaredPool["chromePolicy"]): boolean {
  return typeof value === "object" && Object.keys(value).length === 0;
}

/** Browser pools, as the bridges drive them. */
export const browserPoolKind: Kind = {
  inputs: browserPoolInputs,
  state: browserPoolState,
  lifecycle: (accounts) => new OwnedLifecycle(pool, accounts),
  advice:
    "Always set the resource option `deleteBeforeReplace` to true. Names are unique in a project, and two pools at " +
    "once count twice for the organization's limit of sessions. Without the option, a replacement that you force " +
    "(`--replace`, `pulumi state taint`) fails if the pool has a `name`, and keeps the pool if it has none.",
};
