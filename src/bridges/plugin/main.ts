/**
 * Provider plugin: the process that Pulumi's engine starts for programs in any language. The
 * process prints the port of the server, as plugins do, and nothing else on standard output. The
 * last argument is the address of the engine. `--port-file=3`: the wrapper script has made standard
 * output file 3, where nothing but the plugin prints.
 */

import "../../node-version.js";

import { writeSync } from "node:fs";
import { credentials } from "@grpc/grpc-js";
import type { DeploymentProgress } from "../engine-call.js";
import { EngineLog } from "../engine-log.js";
import { endWithEngine, pipedInput, watchEngine } from "../engine-watch.js";
import { CallerLimits } from "./caller-limits.js";
import { PluginProvider } from "./provider.js";
import { type EngineRun, PluginServer } from "./server.js";

/** Milliseconds for canceled work after the end of the engine. The process ends within 2 s. */
const graceMs = 500;

const engineAddress = process.argv.slice(2).findLast((argument) => !argument.startsWith("-")) ?? "";
const portFile = process.argv.includes("--port-file=3") ? 3 : 1;
const limits = new CallerLimits();
const logOf = (address: string) => new EngineLog(address, credentials.createInsecure());

function startRun(address: string): EngineRun & { readonly deployment: DeploymentProgress } {
  const deployment: DeploymentProgress = { hasProgram: false, callsRunning: 0 };
  const canceled = new AbortController();
  const provider = new PluginProvider({
    log: logOf(address),
    // The engine starts this process in the program's folder.
    programFolder: process.cwd(),
    signal: canceled.signal,
    environment: process.env,
    settingsNamespace: "browser-infra",
    mayRead: (place) => limits.mayRead(place),
    deployment,
  });
  return {
    engineAddress: address,
    provider,
    deployment,
    cancel: () => canceled.abort(),
    isCanceled: () => canceled.signal.aborted,
  };
}

/** Starts a run in an attached process, and watches the engine: a killed one sends no Cancel. */
function startAttachedRun(address: string): EngineRun {
  const run = startRun(address);
  watchEngine({ engineAddress: address, input: undefined }, run.cancel);
  return run;
}

const run = startRun(engineAddress);
endWithEngine(
  { engineAddress, input: pipedInput() },
  { cancel: run.cancel, graceMs, isIdle: () => run.deployment.callsRunning === 0 },
);

const server = new PluginServer(run, startAttachedRun, limits);
void server.listen().then((port) => writeSync(portFile, `${port}\n`));
