/**
 * The frozen entry that the constant `__provider` text names: `require("pulumi-browser-infra/dynamic/v1").open(kind)`.
 * Runs inside Pulumi's dynamic provider process. Its name, `open` and the kinds it knows are part of every state file,
 * so they never change and never go; what they do may improve.
 */
import { ApiKeyNameLifecycle } from "../providers/api-key-name.js";
import { Connections } from "../providers/connections.js";
import { ExtensionLifecycle } from "../providers/extension.js";
import type { ResourceLifecycle } from "../providers/lifecycle.js";
import { LoginFlowLifecycle } from "../providers/login-flow.js";
import { DynamicAdapter } from "./adapter.js";
import { cancellationSignal } from "./cancellation.js";
import { EngineLog } from "./engine-log.js";
import { silenceEchoes } from "./error-echo.js";
import type { ResourceKind } from "./loader-text.js";

const connections = new Connections();

const lifecycles: Record<ResourceKind, () => ResourceLifecycle> = {
  Extension: () => new ExtensionLifecycle(connections),
  ApiKeyName: () => new ApiKeyNameLifecycle(connections),
  LoginFlow: () => new LoginFlowLifecycle(connections),
};

// Once for the process, and as early as this module loads: a Cancel that arrives before anybody listens is lost.
const signal = cancellationSignal();
silenceEchoes(console);

/** The provider of one kind of resource, in the form Pulumi's dynamic provider process drives. */
export function open(kind: ResourceKind): DynamicAdapter {
  if (!Object.hasOwn(lifecycles, kind)) {
    throw new Error(
      `The installed version of "pulumi-browser-infra" has no resource "${kind}". Install the version that the program was last deployed with, or a later one.`,
    );
  }
  const engineAddress = process.argv.at(-1) ?? "";
  return new DynamicAdapter(lifecycles[kind](), {
    log: new EngineLog(engineAddress),
    engineAddress,
    signal,
    environment: process.env,
  });
}
