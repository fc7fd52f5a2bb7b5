/** Finds drift by a refresh of the Pulumi engine and the events of the refresh. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { EngineEvent, StepEventMetadata } from "@pulumi/pulumi/automation";
import { LocalError } from "../../errors.js";
import { logicalNameOf } from "../../providers/names.js";
import type { Streams } from "../terminal/streams.js";
import { type ClosedStackProject, closedProjects } from "./closed-projects.js";
import { kindOf, pendingOperations } from "./pending-operations.js";
import { pulumiMessage, pulumiMissing, type Stack } from "./stack.js";

/** Marks a secret in an event. Source: `specialSecretSig` in @pulumi/pulumi's runtime/rpc. */
const secretSignature = "1b47061264138c4ac30d75fd1eb44270";

/** Environment variables of Pulumi that would change how the refresh runs. */
const refreshVariables =
  /^PULUMI_(SKIP_CONFIRMATIONS$|OPTION_(YES|SKIP_PREVIEW|EXPECT_NO_CHANGES|TARGET|EXCLUDE))/;

/** Codes of the service in messages of the provider about a project. */
const projectRefusal = /\b404 project(_not_found|s_disabled)\b/;

/** Value in the state and value in the service: null if not set, `[secret]` for a secret. */
type PropertyDrift = { readonly name: string; readonly state: unknown; readonly service: unknown };

export interface ResourceDrift {
  readonly urn: string;
  readonly name: string;
  readonly type: string;
  readonly drift: "changed" | "gone";
  readonly properties: readonly PropertyDrift[];
}

export interface Drift {
  /** Bare name. Without resources: the given name, or empty. */
  readonly stack: string;
  /** Whether nothing has drifted, in any package. */
  readonly clean: boolean;
  /** Projects that are archived or gone, with resources of this stack. `resources` has none of these. */
  readonly projects: readonly ClosedStackProject[];
  /** Drifted resources of this package, ordered by name. */
  readonly resources: readonly ResourceDrift[];
  readonly others: number;
  /** Whether operations of an interrupted deployment are pending. */
  readonly pending: boolean;
}

/**
 * Refresh of a resource. `op`: `update` after drift, `delete` without the object. `old`: the state.
 * Keys of `detailedDiff`: paths of the differences, such as `files["popup.js"]`.
 */
type Step = StepEventMetadata & { readonly old?: { readonly external?: boolean } };

/**
 * Previews a refresh of a stack, by default the selected stack. Throws `LocalError` `pulumi_missing`,
 * `drift_unknown` or `stack_unreadable`, and the reason of `signal`, once Pulumi has ended.
 */
export async function findDrift(stack: Stack): Promise<Drift> {
  const refreshed = await refresh([], stack);
  const { operations, resources } =
    refreshed.failure === undefined || refreshed.isOfProject
      ? await pendingOperations(stack)
      : { operations: [], resources: [] };
  const projects = await closedProjects(resources, stack);
  const inClosed = projects.flatMap(({ urns }) => urns);
  const exclude = inClosed.map((urn) => `--exclude=${urn}`);
  // The engine stops at the first object that cannot be read.
  const { failure, steps } =
    refreshed.failure === undefined || inClosed.length === 0 ? refreshed : await refresh(exclude, stack);
  if (failure !== undefined) {
    const message = `The drift check failed, so it is unknown whether anything has drifted. ${pulumiMessage(failure, stack.env)} Run this in the folder of the program, with the settings of "pulumi up".`;
    throw new LocalError("drift_unknown", message);
  }
  const [, name = stack.name ?? ""] = /^urn:pulumi:([^:]+)/.exec(steps[0]?.urn ?? "") ?? [];
  const { clean, ...drift } = driftIn(steps.filter(({ urn }) => !inClosed.includes(urn)));
  // The events of a preview do not contain pending operations.
  return {
    stack: name,
    clean: clean && projects.length === 0,
    projects,
    ...drift,
    pending: operations.length > 0,
  };
}

/** A previewed refresh. `failure`: Pulumi's message. */
interface Refreshed {
  readonly steps: readonly Step[];
  readonly failure: string | undefined;
  /** Whether the failure may come from a project that is archived or gone. */
  readonly isOfProject: boolean;
}

/** Previews a refresh. `more`: further arguments. */
async function refresh(more: readonly string[], { name, env, signal }: Stack): Promise<Refreshed> {
  const folder = await mkdtemp(join(tmpdir(), "browser-infra-drift-"));
  try {
    const log = join(folder, "events");
    // Option and name are a single argument, so that a name beginning with `-` is not an option.
    const args = [`--event-log=${log}`, ...(name === undefined ? [] : [`--stack=${name}`]), ...more];
    const printed = await runRefresh(args, env, signal);
    // An unreadable log counts as empty. A killed Pulumi ends in the middle of a line.
    const events: EngineEvent[] = await readFile(log, "utf8")
      .then((written) => JSON.parse(`[${written.split("\n").slice(0, -1).join()}]`))
      .catch(() => []);
    const errors = events.flatMap(({ diagnosticEvent }) =>
      diagnosticEvent?.severity === "error" ? [diagnosticEvent.message] : [],
    );
    const isComplete = printed === undefined && events.some(({ summaryEvent }) => summaryEvent);
    return {
      steps: events.flatMap(({ resOutputsEvent }) => resOutputsEvent?.metadata ?? []),
      failure: isComplete ? undefined : (errors[0] ?? printed ?? "It wrote no summary."),
      isOfProject: errors.some((message) => projectRefusal.test(message)),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs the refresh. Resolves with the printed error after a failure, otherwise undefined. */
async function runRefresh(args: readonly string[], env: Streams["env"], signal: AbortSignal) {
  const options = ["--preview-only", "--run-program", "--non-interactive", "--color=never", ...args];
  // A pipeline may set `--yes` for all commands, and Pulumi then refuses `--preview-only`.
  const others = Object.entries(env).filter(([name]) => !refreshVariables.test(name));
  const child = spawn("pulumi", ["refresh", ...options], {
    // `--event-log` exists only with PULUMI_DEBUG_COMMANDS.
    env: { ...Object.fromEntries(others), PULUMI_SKIP_UPDATE_CHECK: "true", PULUMI_DEBUG_COMMANDS: "true" },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let printed = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    printed += text;
  });
  signal.addEventListener("abort", () => child.kill());
  try {
    const [code, endedBy] = await once(child, "close");
    signal.throwIfAborted();
    return code === 0 ? undefined : printed.trim() || `It ended with ${code ?? endedBy}.`;
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === "ENOENT" ? pulumiMissing('"drift"') : error;
  }
}

function driftIn(steps: readonly Step[]): Omit<Drift, "stack" | "projects" | "pending"> {
  const drifted = steps
    // `external`: the program only looks the resource up.
    .filter((step) => step.old?.external !== true && (step.op === "delete" || isChanged(step)))
    .map(driftOf)
    .toSorted((one, other) => `${one.name} ${one.urn}`.localeCompare(`${other.name} ${other.urn}`, "en"));
  const resources = drifted.filter(({ type }) => kindOf(type) !== undefined);
  return {
    clean: drifted.length === 0,
    resources,
    others: drifted.length - resources.length,
  };
}

/** Whether values differ. The engine also reports `update` for unread components and providers. */
function isChanged({ op, old, new: now, detailedDiff }: Step): boolean {
  const differs = !isDeepStrictEqual([old?.inputs, old?.outputs], [now?.inputs, now?.outputs]);
  return op === "update" && (differs || Object.keys(detailedDiff ?? {}).length > 0);
}

function driftOf(step: Step): ResourceDrift {
  const { op, urn, type, old, new: now, detailedDiff } = step;
  const names = new Set(Object.keys(detailedDiff ?? {}).map((path) => /^[\w$]+/.exec(path)?.[0] ?? path));
  // The reason of the other differences, and no input.
  if (op === "update" && old?.outputs?.status !== now?.outputs?.status) {
    names.add("status");
  }
  // Names that begin with "__" come from a bridge, not from the service.
  const visible = [...names].filter((name) => !name.startsWith("__")).sort();
  const properties = visible.map((name) => propertyDrift(name, step));
  const subject = { urn, name: logicalNameOf(urn), type };
  return { ...subject, drift: op === "delete" ? "gone" : "changed", properties };
}

/** Compares the inputs of a property, then the outputs: the bytes of an extension are no input. */
function propertyDrift(name: string, { old, new: now }: Step): PropertyDrift {
  const inputs = [old?.inputs?.[name], now?.inputs?.[name]];
  const [state = null, service = null] = isDeepStrictEqual(inputs[0], inputs[1])
    ? [old?.outputs?.[name], now?.outputs?.[name]]
    : inputs;
  return JSON.stringify([state, service]).includes(secretSignature)
    ? { name, state: "[secret]", service: "[secret]" }
    : { name, state, service };
}
