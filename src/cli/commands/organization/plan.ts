import type { PlanFeature } from "../../../client/index.js";
import type { ServiceCommand } from "../../session.js";
import type { CellContent } from "../../terminal/table.js";

/** `browser-infra plan`: the features and limits of the organization's plan. */
export const plan: ServiceCommand = {
  name: "plan",
  help: "Show the plan of the organization: its features and limits.",
  scope: "organization",
  async work({ organization, signal, output }) {
    const entitlements = await organization.organization.entitlements({ signal });
    const { plan, features, limits } = entitlements;
    const { browser_extensions: extensions, managed_auth: logins } = features;
    const interval = logins?.healthCheckIntervalMinSeconds ?? null;
    const named = (enabled: boolean) =>
      Object.entries(features).flatMap(([name, feature]) => (feature?.enabled === enabled ? [name] : []));
    output.printFields(entitlements, [
      ["PLAN", plan.effectiveId === plan.id ? plan.id : `${plan.id}, counts as ${plan.effectiveId}`],
      ["BROWSERS", String(limits.maxConcurrentBrowsers)],
      ["EXTENSIONS", limitCell(extensions, String(extensions?.maxStoredPerOrg ?? "unlimited"))],
      ["AUTH CONNECTIONS", limitCell(logins, String(logins?.maxConnections ?? "unlimited"))],
      ["HEALTH CHECKS", limitCell(logins, interval === null ? null : `every ${interval} s or less often`)],
      ["FEATURES", named(true).join(", ") || "none"],
      ["NOT INCLUDED", named(false).join(", ") || "none"],
    ]);
  },
};

/** Limit of a feature. Null, which is shown as unknown, if the service does not report the feature. */
function limitCell(feature: PlanFeature | null | undefined, limit: CellContent): CellContent {
  return feature?.enabled === false ? "not included" : feature ? limit : null;
}
