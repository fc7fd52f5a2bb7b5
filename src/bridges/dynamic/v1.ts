/**
 * The frozen entry that the constant `__provider` text loads inside Pulumi's dynamic provider
 * process. Its name, `open` and the kinds it knows are part of every state file, so they never
 * change and never go. What they do may improve.
 */

import "../../node-version.js";

import { Accounts } from "../../providers/call.js";
import type { ResourceLifecycle } from "../../providers/lifecycle.js";
import type { DeploymentProgress } from "../engine-call.js";
import { EngineLog } from "../engine-log.js";
import { endWithEngine, pipedInput } from "../engine-watch.js";
import { kinds, type ResourceKind } from "../kinds.js";
import { DynamicAdapter } from "./adapter.js";
import { cancellation, silenceEchoes, stubCredentials } from "./host-process.js";

const accounts = new Accounts();

// Once for the process, and as soon as this module loads: a Cancel that arrives before anybody
// listens is lost.
const cancel = cancellation();
silenceEchoes(console);

const deployment: DeploymentProgress = { hasProgram: false, callsRunning: 0 };
/** By kind. The engine opens only those that the program or the state has. */
const opened = new Map<ResourceKind, { readonly run: string; readonly lifecycle: ResourceLifecycle }>();

/** Whether this process will end with its engine. */
let endsWithEngine = false;

/**
 * The provider of a kind of resource, as Pulumi's dynamic provider process drives it.
 *
 * Pulumi opens one for each text: that of the program, and those that earlier versions left in the
 * state. All of them share the life cycle, which must know of a deletion, opened by the one, what a
 * creation did, opened by the other. A process lives for one run of the engine; a test that plays
 * several in one process gives each a name, `run`.
 */
export function open(kind: ResourceKind, run = ""): DynamicAdapter {
  if (!Object.hasOwn(kinds, kind)) {
    throw new Error(
      `The installed version of "pulumi-browser-infra" has no resource "${kind}". Install the version that the program was last deployed with, or a later one.`,
    );
  }
  // Source: @pulumi/pulumi cmd/dynamic-provider.
  const engineAddress = process.argv.at(-1) ?? "";
  if (!endsWithEngine) {
    endsWithEngine = true;
    endWithEngine({ engineAddress, input: pipedInput() }, { cancel: () => cancel.abort() });
  }
  const known = opened.get(kind);
  const lifecycle = known?.run === run ? known.lifecycle : kinds[kind].lifecycle(accounts);
  opened.set(kind, { run, lifecycle });
  return new DynamicAdapter(kinds[kind], lifecycle, {
    log: new EngineLog(engineAddress, stubCredentials()),
    // The engine starts this process in the program's folder.
    programFolder: process.cwd(),
    signal: cancel.signal,
    environment: process.env,
    deployment,
  });
}
