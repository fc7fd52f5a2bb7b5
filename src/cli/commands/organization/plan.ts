import type { ServiceCommand } from "../../session.js";

/** `browser-infra plan`: the features and limits of the organization's plan. */
export const plan: ServiceCommand = {
  name: "plan",
  help: "Show the plan of the organization: its features and limits.",
  scope: "organization",
  async work({ organization, signal, output }) {
    const entitlements = await organization.organization.entitlements({ signal });
    const { plan, features, limits } = entitlements;
    const interval = features.managed_auth?.healthCheckIntervalMinSeconds ?? null;
    const named = (enabled: boolean) =>
      Object.entries(features).flatMap(([name, feature]) => (feature?.enabled === enabled ? [name] : []));
    output.printFields(entitlements, [
      ["PLAN", plan.effectiveId === plan.id ? plan.id : `${plan.id}, counts as ${plan.effectiveId}`],
      ["BROWSERS", String(limits.maxConcurrentBrowsers)],
      ["EXTENSIONS", String(features.browser_extensions?.maxStoredPerOrg ?? "unlimited")],
      ["AUTH CONNECTIONS", String(features.managed_auth?.maxConnections ?? "unlimited")],
      ["HEALTH CHECKS", interval === null ? null : `every ${interval} s or less often`],
      ["FEATURES", named(true).join(", ")],
      ["NOT INCLUDED", named(false).join(", ") || "none"],
    ]);
  },
};
