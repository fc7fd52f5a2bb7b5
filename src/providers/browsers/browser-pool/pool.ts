import { regions } from "../../../client/browsers/browser-pool-settings.js";
import type { BrowserPool } from "../../../client/index.js";
import { ignoreNotFound } from "../../../client/not-found.js";
import type { ApiError } from "../../../errors.js";
import { counted, listed, messageOf } from "../../../text/words.js";
import type { Call } from "../../call.js";
import type { OwnedResource } from "../../core/owned/declaration.js";
import { ownedKind } from "../../core/owned/lifecycle.js";
import { warnOfPlan } from "../../organization/plan.js";
import { notePool } from "../../organization/reservations.js";
import { type PropertyMap, requireKnown, unknownValue } from "../../properties.js";
import { changeRequest, stateOf } from "./change.js";
import { browserPoolFailures, withReadPolicy } from "./input-failures.js";
import {
  type BrowserPoolInputs,
  type BrowserPoolState,
  browserPoolInputs,
  browserPoolState,
  type DeclaredPool,
  differingOwnInputs,
  differingSettings,
  poolSettings,
  ratedViewportIn,
} from "./properties.js";
import { referenceFailures } from "./references.js";
import { nonDefaultNames, undeclaredSettings, withoutDefaults } from "./undeclared.js";
import { waitUntilAvailable } from "./wait.js";

/** Code of the refusal to delete a pool with leased browsers. */
const inUse = "pool_in_use";

/** Browsers that the service keeps ready. */
const pool: OwnedResource<BrowserPoolInputs, BrowserPoolState, BrowserPool> = {
  resource: "BrowserPool",
  noun: "browser pool",
  isInProject: true,
  notFoundCode: "browser_pool_not_found",
  deleteCommand: "browser-infra pools delete",
  inputs: browserPoolInputs,
  state: browserPoolState,
  managedMarker: "size",
  failures: browserPoolFailures,
  complete: (declared, news) => ({
    ...declared,
    chromePolicy: browserPoolInputs.readDeclared(withReadPolicy(news)).chromePolicy,
  }),
  previewFailures: async (inputs, old, call) => {
    const browsers = typeof inputs.size === "number" ? inputs.size : 0;
    await warnOfPlan({ feature: "browser_pools", browsers }, browsers > (old?.size ?? 0), call);
    return referenceFailures(inputs, old, call);
  },
  replacingInputs: (state, inputs) => [
    ...(state.projectId !== inputs.projectId ? ["projectId"] : []),
    // The service cannot clear a viewport.
    ...(inputs.viewport === undefined && differingSettings(state, inputs).includes("viewport")
      ? ["viewport"]
      : []),
    ...(isInOtherRegion(state, inputs.region) ? ["region"] : []),
  ],
  differingInputs: (state, inputs) => [
    ...differingSettings(state, inputs),
    ...differingOwnInputs(state, inputs),
  ],
  list: poolsOf,
  find: (id, projectId, call) => ignoreNotFound(poolsOf(projectId, call).get(id, call.options)),
  holderOf: (name, projectId, call) => poolsOf(projectId, call).holderOf(name, call.options),
  create: (inputs, name, call) => {
    const isSetting = ([input]: [string, unknown]) => Object.hasOwn(poolSettings, input);
    const settings = Object.fromEntries(Object.entries(inputs).filter(isSetting));
    const size = requireKnown(inputs.size, "size", "BrowserPool");
    return poolsOf(inputs.projectId, call).create({ ...settings, name, size }, call.options);
  },
  undeclared: (live, state) => {
    const { unknownSettings = [], ...settings } = undeclaredSettings(live, state);
    const unknown = (unknownSettings as string[]).map((name) => [name, unknownValue] as const);
    const known = pick(settings, nonDefaultNames(browserPoolState.read(settings)));
    const { refreshRate } = ratedViewportIn(settings as PropertyMap) ?? {};
    const rate = refreshRate === undefined ? {} : { "viewport.refreshRate": refreshRate };
    return { ...known, ...rate, ...Object.fromEntries(unknown) } as PropertyMap;
  },
  change: (live, inputs, known, call) => {
    const others = nonDefaultNames(browserPoolState.read(undeclaredSettings(live, inputs)));
    if (known === undefined && others.length > 0) {
      const text = `has undeclared settings, which stay unchanged: ${listed(others)}.`;
      call.context.report.info(`Browser pool ${live.id} ${text}`);
    }
    return changeRequest(live, inputs, known ?? {}, call);
  },
  remove: (id, { projectId, forceDelete = false }, call) =>
    poolsOf(projectId, call).delete(id, { force: forceDelete, ...call.options }),
  explainRefusal: async ({ id }, { projectId }, refusal, call) =>
    refusal.serviceCode === inUse ? withLeased(refusal, id, projectId, call) : refusal,
  waitUntilReady: async (live, inputs, state, call) => {
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
  withDefaults: (state) => (state.undeclared === undefined ? withoutDefaults(state) : state),
  compare: notePool,
  advice:
    "Always set the resource option `deleteBeforeReplace` to true. Names are unique in a project, and two pools at " +
    "once count twice for the organization's limit of sessions. Without the option, a forced replacement " +
    "(`--replace`, `pulumi state taint`) fails if the pool has a `name`, and keeps the pool if it has none.",
};

function poolsOf(projectId: string | undefined, call: Call) {
  return call.clientFor(projectId).browserPools;
}

/** Adds advice and the number of leased browsers, if known, to the refusal. */
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
      : `${counted(pool.acquiredCount, "browser")} of the pool ${pool.acquiredCount === 1 ? "is" : "are"} leased. `;
  return error.withAdvice(
    `${leased}Nothing was deleted. Release the browsers and run the command again. Or first deploy the pool with "forceDelete" set to true: the deletion then ends the browsers.`,
  );
}

/** Whether a pool is in a region other than `wanted`. The state of an older version has none. */
function isInOtherRegion({ region, undeclared }: BrowserPoolState, wanted: DeclaredPool["region"]): boolean {
  const present = region ?? undeclared?.region ?? (undeclared === undefined ? wanted : regions[0]);
  return wanted !== undefined && present !== wanted;
}

function pick(settings: object, names: readonly string[]): PropertyMap {
  return Object.fromEntries(Object.entries(settings).filter(([name]) => names.includes(name)));
}

export const browserPoolKind = ownedKind(pool);
