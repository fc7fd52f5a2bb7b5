import type { Entitlements } from "../../client/index.js";
import { type Call, perAccount } from "../call.js";
import { organizationOf } from "../reads/lists.js";
import { readInPreview } from "../reads/preview.js";

/** Part of the plan that a declared resource needs. */
interface PlanNeed {
  readonly feature: "browser_pools" | "browser_extensions" | "managed_auth";
  readonly browsers?: number;
  /** Interval between two health checks, in seconds. */
  readonly interval?: number;
}

/** Plan of an account, the needs by URN, and the subjects of the warnings of a preview. */
class PlanCheck {
  readonly needs = new Map<string | undefined, PlanNeed>();
  readonly reported = new Set<string>();
  plan: Promise<Entitlements | undefined> | undefined;
}

const checkOf = perAccount(() => new PlanCheck());

/**
 * For a preview: warns if the program needs more than the plan of the organization includes. Never
 * refuses: the service decides. The plan is read once per account, and only for a resource that
 * needs more than before (`isMore`). A service without `GET /org/entitlements` causes no warning.
 */
export async function warnOfPlan(need: PlanNeed, isMore: boolean, call: Call): Promise<void> {
  const { context } = call;
  const check = checkOf(call);
  check.needs.set(context.urn, need);
  if (!isMore) {
    return;
  }
  check.plan ??= readInPreview(call, (limited) => organizationOf(limited).entitlements(limited.options));
  const plan = await check.plan;
  if (plan === undefined) {
    return;
  }
  for (const [at, [isExceeded, problem]] of problemsOf(need, [...check.needs.values()], plan).entries()) {
    const subject = `${need.feature} ${at}`;
    if (isExceeded && !check.reported.has(subject)) {
      check.reported.add(subject);
      context.report.warning(`${problem} The service may refuse this deployment.`);
    }
  }
}

/** Compares needs with a plan: whether the plan is exceeded, and the text. */
function problemsOf(
  { feature, interval = Number.POSITIVE_INFINITY }: PlanNeed,
  all: readonly PlanNeed[],
  plan: Entitlements,
): readonly (readonly [isExceeded: boolean, problem: string])[] {
  const { maxConcurrentBrowsers: browsersMax } = plan.limits;
  const extensionsMax = plan.features.browser_extensions?.maxStoredPerOrg ?? Number.POSITIVE_INFINITY;
  const intervalMin = plan.features.managed_auth?.healthCheckIntervalMinSeconds ?? 0;
  const browsers = all.reduce((sum, need) => sum + (need.browsers ?? 0), 0);
  const extensions = all.filter((need) => need.feature === "browser_extensions").length;
  return [
    [plan.features[feature]?.enabled === false, `The plan does not include ${feature}.`],
    [
      feature === "browser_pools" && browsers > browsersMax,
      `The browser pools of this program reserve ${browsers} browsers, and the plan allows ${browsersMax} at the same time.`,
    ],
    [
      feature === "browser_extensions" && extensions > extensionsMax,
      `This program declares ${extensions} extensions, and the plan allows ${extensionsMax} in all projects.`,
    ],
    [
      interval < intervalMin,
      `"healthCheckInterval" is ${interval}, and the plan allows no less than ${intervalMin} seconds.`,
    ],
  ];
}
