import { marks } from "../../core/marks.js";
import { type CheckFailure, undeclaredInputs } from "../../lifecycle.js";
import { Properties, type PropertiesOf, type PropertyMap, t } from "../../properties.js";
import { capProblem } from "../caps.js";

const caps = { defaultProjectMaxConcurrentSessions: t.integer };

/** Inputs of OrganizationLimits. No value means no cap. */
export const organizationLimitsInputs = new Properties({
  ...caps,
  /** Action on the cap when the resource is deleted. */
  onDelete: t.oneOf({
    restore: "Restores the previous limit. The default.",
    keep: "Leaves the limit unchanged.",
  }),
});
export type OrganizationLimitsInputs = PropertiesOf<typeof organizationLimitsInputs>;

export const organizationLimitsState = new Properties({
  ...organizationLimitsInputs.types,
  ...marks,
  /** Cap before the resource existed. */
  previous: { ...t.object(caps), isInternal: true },
  /** Cap set by the resource, while a refresh has found a different cap. */
  set: { ...t.object(caps), isInternal: true },
});
export type OrganizationLimitsState = PropertiesOf<typeof organizationLimitsState>;

/** Reports all invalid inputs of OrganizationLimits at once. Unknown values pass. */
export function organizationLimitsFailures(news: PropertyMap): CheckFailure[] {
  const failures = undeclaredInputs(news, organizationLimitsInputs, "OrganizationLimits");
  const property = "defaultProjectMaxConcurrentSessions";
  const problem = capProblem(news[property], "For no cap, remove the input.");
  if (problem !== undefined) {
    failures.push({ property, reason: `"${property}" ${problem}` });
  }
  return failures;
}
