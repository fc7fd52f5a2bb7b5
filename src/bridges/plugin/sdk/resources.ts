/**
 * The classes of the resources, managed by the plugin. Their arguments, outputs and lookups are
 * those of the classes of the main entry.
 */
import type * as pulumi from "@pulumi/pulumi";
import { type ApiKeyArgs, ApiKeyResource, declareApiKey } from "../../../resources/api-key.js";
import {
  type ApiKeyNameArgs,
  ApiKeyNameResource,
  declareApiKeyName,
} from "../../../resources/api-key-name.js";
import {
  type BrowserPoolArgs,
  BrowserPoolResource,
  declareBrowserPool,
} from "../../../resources/browser-pool.js";
import { declareExtension, type ExtensionArgs, ExtensionResource } from "../../../resources/extension.js";
import { declareLoginFlow, type LoginFlowArgs, LoginFlowResource } from "../../../resources/login-flow.js";
import { declareProject, type ProjectArgs, ProjectResource } from "../../../resources/project.js";
import {
  declareProjectLimits,
  type ProjectLimitsArgs,
  ProjectLimitsResource,
} from "../../../resources/project-limits.js";
import { giveUndefined } from "../../../resources/registration.js";
import { pluginType } from "../../dynamic/contract.js";
import { declare } from "./declare.js";
import { getBrowserPoolOutput, getExtensionOutput } from "./functions.js";

/** A browser extension, uploaded by the provider plugin. */
export class Extension extends ExtensionResource {
  /** The type token, for policies and aliases. */
  static readonly __pulumiType = pluginType("Extension");
  /** @internal */
  protected static override readonly find = getExtensionOutput;

  constructor(name: string, args: ExtensionArgs, opts?: pulumi.CustomResourceOptions) {
    super(...declareExtension(declare, name, args, opts));
  }
}

/** The name of an existing API key, set by the provider plugin. */
export class ApiKeyName extends ApiKeyNameResource {
  /** The type token, for policies and aliases. */
  static readonly __pulumiType = pluginType("ApiKeyName");

  constructor(name: string, args: ApiKeyNameArgs, opts?: pulumi.CustomResourceOptions) {
    super(...declareApiKeyName(declare, name, args, opts));
  }
}

/** An API key with its secret, made by the provider plugin. */
export class ApiKey extends ApiKeyResource {
  /** The type token, for policies and aliases. */
  static readonly __pulumiType = pluginType("ApiKey");

  constructor(name: string, args?: ApiKeyArgs, opts?: pulumi.CustomResourceOptions) {
    super(...declareApiKey(declare, name, args, opts));
    giveUndefined(this);
  }
}

/** The login of an auth connection, for which the provider plugin waits. */
export class LoginFlow extends LoginFlowResource {
  /** The type token, for policies and aliases. */
  static readonly __pulumiType = pluginType("LoginFlow");

  constructor(name: string, args: LoginFlowArgs, opts?: pulumi.CustomResourceOptions) {
    super(...declareLoginFlow(declare, name, args, opts));
    giveUndefined(this);
  }
}

/** A project of the organization, made by the provider plugin. */
export class Project extends ProjectResource {
  /** The type token, for policies and aliases. */
  static readonly __pulumiType = pluginType("Project");

  constructor(name: string, args?: ProjectArgs, opts?: pulumi.CustomResourceOptions) {
    super(...declareProject(declare, name, args, opts));
  }
}

/** The caps that a project sets for itself, set by the provider plugin. */
export class ProjectLimits extends ProjectLimitsResource {
  /** The type token, for policies and aliases. */
  static readonly __pulumiType = pluginType("ProjectLimits");

  constructor(name: string, args: ProjectLimitsArgs, opts?: pulumi.CustomResourceOptions) {
    super(...declareProjectLimits(declare, name, args, opts));
  }
}

/** A pool of browsers with the same settings, made by the provider plugin. */
export class BrowserPool extends BrowserPoolResource {
  /** The type token, for policies and aliases. */
  static readonly __pulumiType = pluginType("BrowserPool");
  /** @internal */
  protected static override readonly find = getBrowserPoolOutput;

  constructor(name: string, args: BrowserPoolArgs, opts?: pulumi.CustomResourceOptions) {
    super(...declareBrowserPool(declare, name, args, opts));
  }
}
