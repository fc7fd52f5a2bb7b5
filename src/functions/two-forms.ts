import type * as pulumi from "@pulumi/pulumi";
import type { BrowserInfraClient } from "../client/index.js";
import type { ArgumentRule } from "./arguments.js";
import type * as callModule from "./call.js";

/** A function of this package, from which its two forms are made. */
export interface FunctionDefinition<Args, Result> {
  /** Name of the plain form, such as `getProject`; the Output form has `Output` after it. */
  readonly name: string;
  readonly takes: ArgumentRule;
  /** Whether it asks in the project of the settings, or the whole organization. */
  readonly scope: "project" | "organization";
  readonly ask: (client: BrowserInfraClient, args: Args) => Promise<Result>;
}

/** The plain form: asks at once. */
export function plainForm<Args extends object, Result>(
  definition: FunctionDefinition<Args, Result>,
  args: Args,
  options?: pulumi.InvokeOptions,
): Promise<Result> {
  return call().plainForm(definition, args, options);
}

/**
 * The Output form, by Pulumi's rules: asks when arguments, settings and the resources it depends on are there. While one of them is
 * not known, as in a preview, it asks nothing and its result is not known. Secret arguments make the result secret.
 */
export function outputForm<Args extends object, Result>(
  definition: FunctionDefinition<Args, Result>,
  args: pulumi.Inputs,
  options?: pulumi.InvokeOutputOptions,
): pulumi.Output<Result> {
  return call().outputForm(definition, args, options);
}

/**
 * What both forms are made of, loaded by the first call: every program loads this package, and most call no function. Not with import(), which Jest
 * cannot run in CommonJS.
 */
function call(): typeof callModule {
  return require("./call.js") as typeof callModule;
}
