import type * as pulumi from "@pulumi/pulumi";
import {
  type BrowserEnvironmentArgs,
  BrowserEnvironmentResource,
  declareEnvironment,
  environmentType,
} from "../../../resources/browser-environment.js";
import * as resources from "./resources.js";

/** A project with everything that agents need, managed by the provider plugin. */
export class BrowserEnvironment extends BrowserEnvironmentResource {
  /** Type token, for policies and aliases. */
  static readonly __pulumiType = environmentType;

  constructor(name: string, args: BrowserEnvironmentArgs, opts?: pulumi.ComponentResourceOptions) {
    super(environmentType, name, {}, opts);
    this.registerOutputs(declareEnvironment(this, resources, name, args));
  }
}
