import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Emulator, FaultPoint } from "../../../../src/emulator/index.js";
import { isAtRest, processTree, type RunningProcess } from "../process-tree.js";
import type { Stack } from "../stack.js";

/**
 * Processes that a kill ends: only the engine, which leaves the provider process alone, or
 * everything at once, as a power failure does.
 */
export type KillTarget = "engine" | "everything";

/** Moment of a kill. Requests and writes are counted from 1. */
export type KillMoment =
  /**
   * The service has answered a write, and the provider has answered the engine. The engine has been
   * stopped since the service's commit, and so has neither read the response nor written the state.
   */
  | { readonly at: "answered"; readonly write: number; readonly method?: string }
  /** A request is at this point in the service. */
  | { readonly at: FaultPoint; readonly request: number }
  /** `ms` milliseconds after the start, or at the end of the deployment if earlier. */
  | { readonly at: "time"; readonly ms: number };

/** Result of a deployment that was to be killed. */
export interface KilledDeployment {
  /** Whether the kill came before the end of the deployment. */
  readonly isKilled: boolean;
  readonly exitCode: number | null;
  readonly output: string;
  /** All processes of the command, for `killAll` after the test. */
  readonly processes: readonly RunningProcess[];
}

/** Environment with which the provider records calls for {@link killDeployment}. */
export const tellingCalls = { NODE_OPTIONS: `--require ${join(__dirname, "tell-calls.cjs")}` };

/** Longest wait for the engine to stop, or for the provider to answer it, in milliseconds. */
const answerMsMax = 30_000;

/** Deploys, and sends SIGKILL when the moment has come. */
export async function killDeployment(
  stack: Stack,
  emulator: Emulator,
  { target, moment }: { readonly target: KillTarget; readonly moment: KillMoment },
): Promise<KilledDeployment> {
  const calls = new ProviderCalls(stack);
  let isOver = false;
  let processes: readonly RunningProcess[] = [];
  let problem: unknown;
  const kill = () => {
    if (isOver) {
      return;
    }
    processes = processTree(running.pid);
    if (target === "engine") {
      running.signal("SIGKILL");
    } else {
      running.kill();
    }
  };
  const stopAndKill = async () => {
    await stopBetweenWrites(stack, running);
    kill();
  };
  const killOnceAnswered = async () => {
    await calls.allAnswered().catch((error: unknown) => {
      problem = error;
    });
    kill();
  };

  let seen = 0;
  if (moment.at === "answered") {
    const strike = async ({ method }: { readonly method: string }) => {
      if (method === "GET" || method !== (moment.method ?? method)) {
        return;
      }
      seen += 1;
      if (seen === moment.write) {
        await stopBetweenWrites(stack, running);
        // The service answers after the return of this function.
        void killOnceAnswered();
      }
    };
    emulator.faults.add({ at: "after-commit", times: Number.POSITIVE_INFINITY, action: { call: strike } });
  } else if (moment.at !== "time") {
    emulator.faults.add({ at: moment.at, nth: moment.request, action: { call: stopAndKill } });
  }
  const running = stack.start("up", "--yes", "--skip-preview");
  const timer = moment.at === "time" ? setTimeout(() => void stopAndKill(), moment.ms) : undefined;
  const { exitCode, output } = await running.ended;
  isOver = true;
  clearTimeout(timer);
  emulator.faults.clear();
  if (problem !== undefined) {
    throw problem;
  }
  // A command that ends by itself has an exit code.
  return { isKilled: exitCode === null, exitCode, output, processes };
}

/**
 * Stops the engine outside of a write of the state file. Pulumi's file backend empties the file
 * before writing: a kill in between costs the state, whatever a provider does.
 */
async function stopBetweenWrites(stack: Stack, running: ReturnType<Stack["start"]>): Promise<void> {
  const { pid } = running;
  if (pid === undefined) {
    return;
  }
  for (;;) {
    running.signal("SIGSTOP");
    await until(() => isAtRest({ pid }), "The engine does not stop.");
    if (stack.hasCompleteState()) {
      return;
    }
    running.signal("SIGCONT");
    await wait(5);
  }
}

/** Changing calls of the engine, as recorded by `tell-calls.cjs`. */
class ProviderCalls {
  readonly #file: string;

  constructor({ folder }: Stack) {
    this.#file = join(folder, "tmp", "provider-calls");
    rmSync(this.#file, { force: true });
  }

  /** Waits until the provider has answered every call that has arrived. */
  allAnswered(): Promise<void> {
    return until(() => {
      const lines = readFileSync(this.#file, "utf8").split("\n");
      const count = (ending: string) => lines.filter((line) => line.endsWith(ending)).length;
      return count(" answered") === count(" arrived");
    }, "The provider does not answer the engine.");
  }
}

async function until(isSo: () => boolean, problem: string): Promise<void> {
  for (const startedMs = performance.now(); !isSo(); ) {
    if (performance.now() - startedMs > answerMsMax) {
      throw new Error(`${problem} That is a fault of this test, or of the provider.`);
    }
    await wait(10);
  }
}
