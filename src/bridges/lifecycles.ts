import { ApiKeyLifecycle } from "../providers/api-key/api-key.js";
import { ApiKeyNameLifecycle } from "../providers/api-key-name/api-key-name.js";
import { BrowserPoolLifecycle } from "../providers/browser-pool/pool.js";
import type { Accounts } from "../providers/call.js";
import { ExtensionLifecycle } from "../providers/extension/lifecycle.js";
import type { ResourceLifecycle } from "../providers/lifecycle.js";
import { LoginFlowLifecycle } from "../providers/login-flow/lifecycle.js";
import { ProjectLifecycle } from "../providers/project/project.js";
import { ProjectLimitsLifecycle } from "../providers/project-limits/project-limits.js";
import type { ResourceKind } from "./dynamic/contract.js";

/**
 * The life cycle of each kind of resource, which both bridges drive. A run opens one of a kind at
 * most, so that all resources of the kind share what it knows.
 */
export const lifecycles: Readonly<Record<ResourceKind, new (accounts: Accounts) => ResourceLifecycle>> = {
  Extension: ExtensionLifecycle,
  ApiKeyName: ApiKeyNameLifecycle,
  ApiKey: ApiKeyLifecycle,
  LoginFlow: LoginFlowLifecycle,
  Project: ProjectLifecycle,
  ProjectLimits: ProjectLimitsLifecycle,
  BrowserPool: BrowserPoolLifecycle,
};

/** Every kind of resource. */
export const resourceKinds = Object.keys(lifecycles) as readonly ResourceKind[];
