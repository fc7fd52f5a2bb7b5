import { resolveSettings } from "../../config.js";
import { InputError } from "../../errors.js";
import { checkNames, checkValues } from "../../functions/forms.js";
import { ask, type ReadName, reads } from "../../functions/reads.js";
import type { Accounts } from "../../providers/call.js";
import type { LifecycleContext } from "../../providers/lifecycle.js";
import type { PropertyMap } from "../../providers/properties.js";

/**
 * Answers the function with this name, in the account of the provider. Throws `InputError` for a
 * function or an argument that there is not, and whatever `ask` throws.
 */
export async function askRead(
  name: string,
  args: PropertyMap,
  context: LifecycleContext,
  accounts: Accounts,
): Promise<PropertyMap> {
  if (!isRead(name)) {
    const known = Object.keys(reads).map((each) => `browser-infra:index:${each}`);
    const message = `This version of the provider has no function "${name}". Its functions are ${known.join(", ")}.`;
    throw new InputError("function_unknown", "tok", message);
  }
  checkNames(args, reads[name].takes);
  checkValues(args, reads[name].takes);
  const settings = resolveSettings(context);
  return (await ask(name, args, settings, accounts.clientFor(settings))) as PropertyMap;
}

function isRead(name: string): name is ReadName {
  return Object.hasOwn(reads, name);
}
