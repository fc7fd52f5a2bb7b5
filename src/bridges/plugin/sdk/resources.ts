/**
 * Resource classes managed by the plugin. Arguments, outputs and lookups are the same as in the
 * classes of the main entry.
 */
import type * as pulumi from "@pulumi/pulumi";
import {
  type AppDeploymentArgs,
  AppDeploymentResource,
  appDeployment,
} from "../../../resources/apps/app-deployment.js";
import {
  type BrowserPoolArgs,
  BrowserPoolResource,
  browserPool,
} from "../../../resources/browsers/browser-pool.js";
import { type ExtensionArgs, ExtensionResource, extension } from "../../../resources/browsers/extension.js";
import { type ProfileArgs, ProfileResource, profile } from "../../../resources/browsers/profile.js";
import { type ProxyArgs, ProxyResource, proxy } from "../../../resources/browsers/proxy.js";
import {
  type AuthConnectionArgs,
  AuthConnectionResource,
  authConnection,
} from "../../../resources/logins/auth-connection.js";
import { type CredentialArgs, CredentialResource, credential } from "../../../resources/logins/credential.js";
import { type LoginFlowArgs, LoginFlowResource, loginFlow } from "../../../resources/logins/login-flow.js";
import { type ApiKeyArgs, ApiKeyResource, apiKey } from "../../../resources/organization/api-key.js";
import {
  type ApiKeyNameArgs,
  ApiKeyNameResource,
  apiKeyName,
} from "../../../resources/organization/api-key-name.js";
import {
  type CredentialProviderArgs,
  CredentialProviderResource,
  credentialProvider,
} from "../../../resources/organization/credential-provider.js";
import {
  type OrganizationLimitsArgs,
  OrganizationLimitsResource,
  organizationLimits,
} from "../../../resources/organization/organization-limits.js";
import { type ProjectArgs, ProjectResource, project } from "../../../resources/organization/project.js";
import {
  type ProjectLimitsArgs,
  ProjectLimitsResource,
  projectLimits,
} from "../../../resources/organization/project-limits.js";
import {
  type TelemetryDestinationArgs,
  TelemetryDestinationResource,
  telemetryDestination,
} from "../../../resources/organization/telemetry-destination.js";
import { type Bridge, nullsToUndefined, registration } from "../../../resources/registration.js";
import { pluginType } from "../../../resources/type-token.js";
import { declare } from "./declare.js";
import * as functions from "./functions.js";

const pluginBridge: Bridge = { name: "plugin", declare, functions };

/** A browser extension, uploaded by the provider plugin. */
export class Extension extends ExtensionResource {
  /** Type token, for policies and aliases. */
  static readonly __pulumiType = pluginType("Extension");

  constructor(name: string, args: ExtensionArgs, opts?: pulumi.CustomResourceOptions) {
    super(...registration(pluginBridge, extension, name, args, opts));
    nullsToUndefined(this);
  }
}

/** The code of an app, deployed by the provider plugin. */
export class AppDeployment extends AppDeploymentResource {
  /** Type token, for policies and aliases. */
  static readonly __pulumiType = pluginType("AppDeployment");

  constructor(name: string, args: AppDeploymentArgs, opts?: pulumi.CustomResourceOptions) {
    super(...registration(pluginBridge, appDeployment, name, args, opts));
    nullsToUndefined(this);
  }
}

/** The name of an existing API key, set by the provider plugin. */
export class ApiKeyName extends ApiKeyNameResource {
  /** Type token, for policies and aliases. */
  static readonly __pulumiType = pluginType("ApiKeyName");

  constructor(name: string, args: ApiKeyNameArgs, opts?: pulumi.CustomResourceOptions) {
    super(...registration(pluginBridge, apiKeyName, name, args, opts));
    nullsToUndefined(this);
  }
}

/** An API key with its secret, made by the provider plugin. */
export class ApiKey extends ApiKeyResource {
  /** Type token, for policies and aliases. */
  static readonly __pulumiType = pluginType("ApiKey");

  constructor(name: string, args?: ApiKeyArgs, opts?: pulumi.CustomResourceOptions) {
    super(...registration(pluginBridge, apiKey, name, args, opts));
    nullsToUndefined(this);
  }
}

/** The login of an auth connection, for which the provider plugin waits. */
export class LoginFlow extends LoginFlowResource {
  /** Type token, for policies and aliases. */
  static readonly __pulumiType = pluginType("LoginFlow");

  constructor(name: string, args: LoginFlowArgs, opts?: pulumi.CustomResourceOptions) {
    super(...registration(pluginBridge, loginFlow, name, args, opts));
    nullsToUndefined(this);
  }
}

/** A project of the organization, made by the provider plugin. */
export class Project extends ProjectResource {
  /** Type token, for policies and aliases. */
  static readonly __pulumiType = pluginType("Project");

  constructor(name: string, args?: ProjectArgs, opts?: pulumi.CustomResourceOptions) {
    super(...registration(pluginBridge, project, name, args, opts));
    nullsToUndefined(this);
  }
}

/** The caps of a project for itself, set by the provider plugin. */
export class ProjectLimits extends ProjectLimitsResource {
  /** Type token, for policies and aliases. */
  static readonly __pulumiType = pluginType("ProjectLimits");

  constructor(name: string, args: ProjectLimitsArgs, opts?: pulumi.CustomResourceOptions) {
    super(...registration(pluginBridge, projectLimits, name, args, opts));
    nullsToUndefined(this);
  }
}

/** The login of a browser profile at a domain, declared by the provider plugin. */
export class AuthConnection extends AuthConnectionResource {
  /** Type token, for policies and aliases. */
  static readonly __pulumiType = pluginType("AuthConnection");

  constructor(name: string, args: AuthConnectionArgs, opts?: pulumi.CustomResourceOptions) {
    super(...registration(pluginBridge, authConnection, name, args, opts));
    nullsToUndefined(this);
  }
}

/** The default cap of the organization's projects, set by the provider plugin. */
export class OrganizationLimits extends OrganizationLimitsResource {
  /** Type token, for policies and aliases. */
  static readonly __pulumiType = pluginType("OrganizationLimits");

  constructor(name: string, args?: OrganizationLimitsArgs, opts?: pulumi.CustomResourceOptions) {
    super(...registration(pluginBridge, organizationLimits, name, args, opts));
    nullsToUndefined(this);
  }
}

/** A pool of browsers with the same settings, made by the provider plugin. */
export class BrowserPool extends BrowserPoolResource {
  /** Type token, for policies and aliases. */
  static readonly __pulumiType = pluginType("BrowserPool");

  constructor(name: string, args: BrowserPoolArgs, opts?: pulumi.CustomResourceOptions) {
    super(...registration(pluginBridge, browserPool, name, args, opts));
    nullsToUndefined(this);
  }
}

/** Values for a login, stored by the service, made by the provider plugin. */
export class Credential extends CredentialResource {
  /** Type token, for policies and aliases. */
  static readonly __pulumiType = pluginType("Credential");

  constructor(name: string, args: CredentialArgs, opts?: pulumi.CustomResourceOptions) {
    super(...registration(pluginBridge, credential, name, args, opts));
    nullsToUndefined(this);
  }
}

/** A password manager for logins, made known to the service by the provider plugin. */
export class CredentialProvider extends CredentialProviderResource {
  /** Type token, for policies and aliases. */
  static readonly __pulumiType = pluginType("CredentialProvider");

  constructor(name: string, args: CredentialProviderArgs, opts?: pulumi.CustomResourceOptions) {
    super(...registration(pluginBridge, credentialProvider, name, args, opts));
    nullsToUndefined(this);
  }
}

/** A browser profile, made by the provider plugin. */
export class Profile extends ProfileResource {
  /** Type token, for policies and aliases. */
  static readonly __pulumiType = pluginType("Profile");

  constructor(name: string, args?: ProfileArgs, opts?: pulumi.CustomResourceOptions) {
    super(...registration(pluginBridge, profile, name, args, opts));
    nullsToUndefined(this);
  }
}

/** A proxy for browsers, made by the provider plugin. */
export class Proxy extends ProxyResource {
  /** Type token, for policies and aliases. */
  static readonly __pulumiType = pluginType("Proxy");

  constructor(name: string, args: ProxyArgs, opts?: pulumi.CustomResourceOptions) {
    super(...registration(pluginBridge, proxy, name, args, opts));
    nullsToUndefined(this);
  }
}

/** A receiver of telemetry for the whole organization, made by the provider plugin. */
export class TelemetryDestination extends TelemetryDestinationResource {
  /** Type token, for policies and aliases. */
  static readonly __pulumiType = pluginType("TelemetryDestination");

  constructor(name: string, args: TelemetryDestinationArgs, opts?: pulumi.CustomResourceOptions) {
    super(...registration(pluginBridge, telemetryDestination, name, args, opts));
    nullsToUndefined(this);
  }
}
