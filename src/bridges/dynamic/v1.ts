/**
 * Frozen entry, loaded by the constant `__provider` text inside Pulumi's dynamic provider process.
 * State files contain the name of the entry, `open` and the names of the kinds, so these names are
 * never changed or removed. The behavior may improve.
 */

import "../../node-version.js";

import { Accounts } from "../../providers/call.js";
import type { ResourceLifecycle } from "../../providers/lifecycle.js";
import type { DeploymentProgress } from "../engine-call.js";
import { EngineLog } from "../engine-log.js";
import { endWithEngine, pipedInput } from "../engine-watch.js";
import { kinds, type ResourceKind } from "../kinds.js";
import { DynamicAdapter } from "./adapter.js";
import { createCancelController, silenceEchoes, stubCredentials } from "./host-process.js";

// Once for the process, as soon as the module loads: a Cancel without a listener is lost.
const cancel = createCancelController();
silenceEchoes(console);

const deployment: DeploymentProgress = { hasProgram: false, callsRunning: 0 };

/** Memory of a run. Life cycles by kind: the engine opens only those in the program or the state. */
const newRun = (name: string) => ({
  name,
  accounts: new Accounts(),
  lifecycles: new Map<ResourceKind, ResourceLifecycle>(),
});
let current = newRun("");

/** Whether the process already watches the engine, to end with the engine. */
let endsWithEngine = false;

/**
 * Opens the provider of a kind of resource, for Pulumi's dynamic provider process.
 *
 * Pulumi opens a provider for every text: the text of the program, and the texts of earlier
 * versions in the state. All providers of a kind share the life cycle, because a deletion must take
 * into account what a creation did, even if two different texts opened the two providers. A process
 * lives for a single run of the engine. `run`: name of a run, for a test with several runs in a
 * process.
 */
export function open(kind: ResourceKind, run = ""): DynamicAdapter {
  if (!Object.hasOwn(kinds, kind)) {
    throw new Error(
      `The installed version of "pulumi-browser-infra" has no resource "${kind}". Install the version of the last deployment, or a newer version.`,
    );
  }
  // Source: @pulumi/pulumi cmd/dynamic-provider.
  const engineAddress = process.argv.at(-1) ?? "";
  if (!endsWithEngine) {
    endsWithEngine = true;
    endWithEngine({ engineAddress, input: pipedInput() }, { cancel: () => cancel.abort() });
  }
  if (current.name !== run) {
    current = newRun(run);
  }
  const { accounts, lifecycles } = current;
  const lifecycle = lifecycles.get(kind) ?? kinds[kind].lifecycle(accounts);
  lifecycles.set(kind, lifecycle);
  return new DynamicAdapter(kinds[kind], lifecycle, {
    log: new EngineLog(engineAddress, stubCredentials()),
    // The engine starts this process in the program's folder.
    programFolder: process.cwd(),
    signal: cancel.signal,
    environment: process.env,
    deployment,
  });
}
