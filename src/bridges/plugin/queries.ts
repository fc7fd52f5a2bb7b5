import { defaultProjectId, resolveSettings } from "../../config.js";
import { InputError } from "../../errors.js";
import type { Accounts } from "../../providers/call.js";
import type { LifecycleContext } from "../../providers/lifecycle.js";
import type { PropertyMap } from "../../providers/properties.js";
import { queries, runQuery } from "../../queries/index.js";

/**
 * Answers the function with this name, in the account and the project of the provider. Throws
 * `InputError` for a function or an argument that there is not, `ConfigError`, and whatever the
 * client throws.
 */
export async function askQuery(
  name: string,
  args: PropertyMap,
  context: LifecycleContext,
  accounts: Accounts,
): Promise<PropertyMap> {
  const query = Object.hasOwn(queries, name) ? queries[name] : undefined;
  if (query === undefined) {
    const known = Object.keys(queries).map((each) => `browser-infra:index:${each}`);
    const message = `This version of the provider has no function "${name}". Its functions are ${known.join(", ")}.`;
    throw new InputError("function_unknown", "tok", message);
  }
  const settings = resolveSettings(context);
  const projectId = query.scope === "project" ? defaultProjectId(settings) : undefined;
  const found = await runQuery(query, accounts.clientFor(settings).inProject(projectId), args);
  return found as PropertyMap;
}
