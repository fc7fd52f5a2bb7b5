/** What arguments in a Pulumi program may be besides plain values: Outputs and Promises. */
import * as pulumi from "@pulumi/pulumi";
import { InputError } from "../errors.js";
import { type ArgumentRule, checkNames, checkValues } from "../queries/argument-rule.js";

/** The same arguments, where each may be an Output or a Promise. */
export type InputsOf<Args> = Args extends unknown
  ? { readonly [Name in keyof Args]: pulumi.Input<Args[Name]> }
  : never;

/**
 * Refuses arguments that the rule does not list, whatever their values, and an Output or a Promise
 * in place of all of them. Throws `InputError`.
 */
export function checkGivenNames(args: unknown, rule: ArgumentRule): asserts args is object {
  checkNames(isPending(args) ? undefined : args, rule);
}

/**
 * Refuses arguments that the function would have to wait for, and otherwise checks which of them
 * have a value. `outputForm` names the function that waits. Throws `InputError`.
 */
export function checkGivenValues(args: object, rule: ArgumentRule, outputForm: string): void {
  const [pending] = Object.entries(args).find(([, value]) => isPending(value)) ?? [];
  if (pending !== undefined) {
    const why = "is an Output or a Promise, and this function does not wait for it";
    throw new InputError("argument_unresolved", pending, `"${pending}" ${why}. Use ${outputForm}.`);
  }
  checkValues(args, rule);
}

function isPending(value: unknown): boolean {
  return value instanceof Promise || pulumi.Output.isInstance(value);
}
