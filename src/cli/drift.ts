/** Finds what has drifted, by a refresh of the Pulumi engine and the events that it writes. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { EngineEvent, StepEventMetadata } from "@pulumi/pulumi/automation";
import { LocalError } from "../errors.js";
import { pulumiMissing, pulumiSays } from "./stack.js";
import type { Streams } from "./terminal/streams.js";

/** What the type tokens of this package begin with, in either bridge. */
const ownTypes = ["browser-infra:index:", "pulumi-nodejs:dynamic/browser-infra:"];

/** Marks a secret in an event. Source: `specialSecretSig` in @pulumi/pulumi's runtime/rpc. */
const secretSignature = "1b47061264138c4ac30d75fd1eb44270";

/** Settings of Pulumi that would make the refresh another one. */
const changesRefresh =
  /^PULUMI_(SKIP_CONFIRMATIONS$|OPTION_(YES|SKIP_PREVIEW|EXPECT_NO_CHANGES|TARGET|EXCLUDE))/;

/** What was deployed, and what the service has: null if not set, `[secret]` for a secret. */
type PropertyDrift = { readonly name: string; readonly state: unknown; readonly service: unknown };

/** A resource that has drifted. */
export interface ResourceDrift {
  readonly urn: string;
  readonly name: string;
  /** Its type token. */
  readonly type: string;
  readonly drift: "changed" | "gone";
  readonly properties: readonly PropertyDrift[];
}

/** What a refresh has found. */
export interface Drift {
  /** Its bare name. Of one without resources: as it was given, or empty. */
  readonly stack: string;
  /** Nothing has drifted, of this package or another. */
  readonly clean: boolean;
  /** Those of this package, ordered by name. */
  readonly resources: readonly ResourceDrift[];
  /** How many resources of other packages have drifted. */
  readonly others: number;
  /** Whether operations of an interrupted deployment are pending. */
  readonly pending: boolean;
}

/**
 * How the engine has refreshed a resource: `op` is `update` for one that has drifted, `delete` for
 * one that is gone. `old` is the state, and `new` what exists. The keys of `detailedDiff` are the
 * paths of what differs, such as `files["popup.js"]`.
 */
type Step = StepEventMetadata & { readonly old?: { readonly external?: boolean } };

/**
 * Previews a refresh that runs the program in the current folder, which changes nothing. `stack`:
 * undefined means the selected one.
 *
 * Throws `LocalError` `pulumi_missing`, or `drift_unknown` when anything failed, such as the read
 * of a resource, or the reason of `signal`, once Pulumi has ended.
 */
export async function findDrift(
  stack: string | undefined,
  env: Streams["env"],
  signal: AbortSignal,
): Promise<Drift> {
  const folder = await mkdtemp(join(tmpdir(), "browser-infra-drift-"));
  try {
    const log = join(folder, "events");
    // The name is one argument with its option, so that it cannot pass for another option.
    const args = [`--event-log=${log}`, ...(stack === undefined ? [] : [`--stack=${stack}`])];
    const printed = await refresh(args, env, signal);
    // Of a log that cannot be read, nothing counts. A killed Pulumi ends in the middle of a line.
    const events: EngineEvent[] = await readFile(log, "utf8")
      .then((written) => JSON.parse(`[${written.split("\n").slice(0, -1).join()}]`))
      .catch(() => []);
    const error = events.find(({ diagnosticEvent }) => diagnosticEvent?.severity === "error");
    if (printed !== undefined || !events.some(({ summaryEvent }) => summaryEvent)) {
      const words = error?.diagnosticEvent?.message ?? printed ?? "It wrote no summary.";
      const message = `The drift check failed, so it is unknown whether anything has drifted. ${pulumiSays(words, env)} Run this in the folder of the program, with the settings of "pulumi up".`;
      throw new LocalError("drift_unknown", message);
    }
    const steps = events.flatMap(({ resOutputsEvent }) => resOutputsEvent?.metadata ?? []);
    const [, name = stack ?? ""] = /^urn:pulumi:([^:]+)/.exec(steps[0]?.urn ?? "") ?? [];
    const isPending = ({ diagnosticEvent }: EngineEvent) =>
      diagnosticEvent?.message.includes("pending operations") === true;
    return { stack: name, ...driftIn(steps), pending: events.some(isPending) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Resolves at the end of Pulumi: with what it printed about a failure, or undefined. */
async function refresh(args: readonly string[], env: Streams["env"], signal: AbortSignal) {
  const options = ["--preview-only", "--run-program", "--non-interactive", "--color=never", ...args];
  // A pipeline may say yes to everything, and Pulumi then refuses to only preview.
  const others = Object.entries(env).filter(([name]) => !changesRefresh.test(name));
  const child = spawn("pulumi", ["refresh", ...options], {
    // Without the second, there is no --event-log.
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

function driftIn(steps: readonly Step[]): Omit<Drift, "stack" | "pending"> {
  const drifted = steps
    // What a program only looks up is not its own.
    .filter((step) => step.old?.external !== true && (step.op === "delete" || isChanged(step)))
    .map(driftOf)
    .toSorted((one, other) => `${one.name} ${one.urn}`.localeCompare(`${other.name} ${other.urn}`, "en"));
  const resources = drifted.filter(({ type }) => ownTypes.some((prefix) => type.startsWith(prefix)));
  return {
    clean: drifted.length === 0,
    resources,
    others: drifted.length - resources.length,
  };
}

/** The engine calls components and providers updated too, which it does not even read. */
function isChanged({ op, old, new: now, detailedDiff }: Step): boolean {
  const differs = !isDeepStrictEqual([old?.inputs, old?.outputs], [now?.inputs, now?.outputs]);
  return op === "update" && (differs || Object.keys(detailedDiff ?? {}).length > 0);
}

function driftOf(step: Step): ResourceDrift {
  const { op, urn, type, detailedDiff } = step;
  const names = new Set(Object.keys(detailedDiff ?? {}).map((path) => /^[\w$]+/.exec(path)?.[0] ?? path));
  // What a bridge adds begins with "__", and is not the service's.
  const visible = [...names].filter((name) => !name.startsWith("__")).sort();
  const properties = visible.map((name) => propertyDrift(name, step));
  const subject = { urn, name: urn.split("::").slice(3).join("::"), type };
  return { ...subject, drift: op === "delete" ? "gone" : "changed", properties };
}

/** The inputs of a property differ, or else its outputs: the bytes of an extension are no input. */
function propertyDrift(name: string, { old, new: now }: Step): PropertyDrift {
  const inputs = [old?.inputs?.[name], now?.inputs?.[name]];
  const [state = null, service = null] = isDeepStrictEqual(inputs[0], inputs[1])
    ? [old?.outputs?.[name], now?.outputs?.[name]]
    : inputs;
  return JSON.stringify([state, service]).includes(secretSignature)
    ? { name, state: "[secret]", service: "[secret]" }
    : { name, state, service };
}
