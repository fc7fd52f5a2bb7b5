import { appDeploymentKind } from "./apps/app-deployment/app-deployment.js";
import { browserPoolKind } from "./browsers/browser-pool/pool.js";
import { extensionKind } from "./browsers/extension/lifecycle.js";
import { profileKind } from "./browsers/profile/profile.js";
import { proxyKind } from "./browsers/proxy/proxy.js";
import type { Kind } from "./lifecycle.js";
import { authConnectionKind } from "./logins/auth-connection/auth-connection.js";
import { credentialKind } from "./logins/credential/credential.js";
import { loginFlowKind } from "./logins/login-flow/lifecycle.js";
import { apiKeyKind } from "./organization/api-key/api-key.js";
import { apiKeyNameKind } from "./organization/api-key-name/api-key-name.js";
import { credentialProviderKind } from "./organization/credential-provider/credential-provider.js";
import { organizationLimitsKind } from "./organization/organization-limits/organization-limits.js";
import { projectKind } from "./organization/project/project.js";
import { projectLimitsKind } from "./organization/project-limits/project-limits.js";
import { telemetryDestinationKind } from "./organization/telemetry-destination/telemetry-destination.js";

/**
 * Kinds of resource, by the name of the class. The name ends the type token, and is the argument of
 * `open` in `pulumi-browser-infra/dynamic/v1`. State files contain the name, so no name is ever
 * changed or removed.
 */
export const lifeCycles = {
  AppDeployment: appDeploymentKind,
  Extension: extensionKind,
  ApiKeyName: apiKeyNameKind,
  ApiKey: apiKeyKind,
  LoginFlow: loginFlowKind,
  Project: projectKind,
  ProjectLimits: projectLimitsKind,
  OrganizationLimits: organizationLimitsKind,
  BrowserPool: browserPoolKind,
  AuthConnection: authConnectionKind,
  Credential: credentialKind,
  CredentialProvider: credentialProviderKind,
  Profile: profileKind,
  Proxy: proxyKind,
  TelemetryDestination: telemetryDestinationKind,
} satisfies Readonly<Record<string, Kind>>;

export type ResourceKind = keyof typeof lifeCycles;

export const resourceKinds = Object.keys(lifeCycles) as readonly ResourceKind[];
