/** Rules for the resources of both bridges: each kind has a type for dynamic resources and a type for the plugin. */
import type {
  Policies,
  PolicyResource,
  ReportViolation,
  ResourceValidationArgs,
  ResourceValidationPolicy,
  StackValidationPolicy,
} from "@pulumi/policy";
import * as pulumi from "@pulumi/pulumi";
import type { ApiKeyArgs, BrowserPoolArgs, ExtensionArgs } from "pulumi-browser-infra";

const prefixes = ["browser-infra:index:", "pulumi-nodejs:dynamic/browser-infra:"];
const isOf = (type: string, kind: string) => prefixes.some((prefix) => type === `${prefix}${kind}`);

/** Checks the arguments of a kind. An unknown argument of a preview has no value yet. */
function check<Args>(kind: string, validate: (props: pulumi.Unwrap<Args>) => string | undefined) {
  return ({ type, props }: ResourceValidationArgs, report: ReportViolation) => {
    const problem = isOf(type, kind) ? validate(props as pulumi.Unwrap<Args>) : undefined;
    if (problem !== undefined) {
      report(problem);
    }
  };
}

const keysExpire: ResourceValidationPolicy = {
  name: "keys-expire",
  description: "Every API key expires.",
  validateResource: check<ApiKeyArgs>("ApiKey", ({ daysToExpire, expiresAt }) =>
    daysToExpire === undefined && expiresAt === undefined
      ? 'The key never expires. Set "daysToExpire", and "rotateBeforeDays" for a rotation in time.'
      : undefined,
  ),
};

const poolsHaveAllowedHosts: ResourceValidationPolicy = {
  name: "pools-have-allowed-hosts",
  description: "Every browser pool names the hosts that its pages may come from.",
  validateResource: check<BrowserPoolArgs>("BrowserPool", ({ network }) =>
    network?.allowedHosts === undefined
      ? 'The browsers reach every host. Set "network.allowedHosts".'
      : undefined,
  ),
};

const noStealthInProduction: ResourceValidationPolicy = {
  name: "no-stealth-in-production",
  description: 'In a stack named "prod" or "prod-…", no browser hides its automation.',
  validateResource: check<BrowserPoolArgs>("BrowserPool", ({ stealth }) =>
    stealth === true && /^prod(-|$)/.test(pulumi.getStack())
      ? 'The browsers hide their automation. Remove "stealth" in production.'
      : undefined,
  ),
};

const extensionsAreNotAdopted: ResourceValidationPolicy = {
  name: "extensions-are-not-adopted",
  description: "Every extension is uploaded from the folder in the repository.",
  validateResource: check<ExtensionArgs>("Extension", ({ adopt }) =>
    adopt === undefined
      ? undefined
      : 'The extension is taken over from the service. Remove "adopt", so that the folder is uploaded.',
  ),
};

const projectsHaveLimits: StackValidationPolicy = {
  name: "projects-have-limits",
  description: "Every project has limits of its own.",
  validateStack({ resources }, report) {
    const limited = resources
      .filter(({ type }) => isOf(type, "ProjectLimits"))
      .flatMap(({ propertyDependencies }: PolicyResource) => propertyDependencies.projectId ?? []);
    for (const project of resources.filter(({ type }) => isOf(type, "Project"))) {
      if (!limited.some(({ urn }) => urn === project.urn)) {
        report(
          `The project "${project.name}" has no limits. Declare a ProjectLimits with its id.`,
          project.urn,
        );
      }
    }
  },
};

export const policies: Policies = [
  keysExpire,
  poolsHaveAllowedHosts,
  noStealthInProduction,
  projectsHaveLimits,
  extensionsAreNotAdopted,
];
