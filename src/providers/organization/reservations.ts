/** Browsers that the pools of a program reserve, and the limits that the same program sets. */
import { quote } from "../../text/escape.js";
import { listed } from "../../text/words.js";
import { type Accounts, Call, perAccount } from "../call.js";
import type { LifecycleContext, PreviewRequest } from "../lifecycle.js";
import { logicalNameOf } from "../names.js";
import { type PropertyValue, unknownValue } from "../properties.js";
import { readInPreview } from "../reads/preview.js";

/** Pool or limit of the program: project, number of browsers, and whether the program changes it. */
interface Declared {
  readonly project: PropertyValue;
  readonly browsers: number;
  readonly isChanged: boolean;
}

type Previewed = Pick<PreviewRequest, "inputs" | "olds">;

/** Resources of a preview for one account, by URN. */
class Reservations {
  readonly pools = new Map<string, Declared>();
  readonly limits = new Map<string, Declared>();
  /** Projects that the deployment creates: their ids are unknown. */
  readonly newProjects = new Set<string>();
  readonly reported = new Set<string>();
}

const reservationsOf = perAccount(() => new Reservations());

/** Notes a project of the program. `olds`: inputs in the state; undefined for a new project. */
export async function noteProject({ olds }: Previewed, context: LifecycleContext, accounts: Accounts) {
  const call = new Call(context, accounts);
  if (olds === undefined) {
    reservationsOf(call).newProjects.add(context.urn ?? "");
  }
}

/** For a preview: warns if a pool, with the other pools, is larger than a limit of the program. */
export async function notePool({ inputs, olds }: Previewed, context: LifecycleContext, accounts: Accounts) {
  const call = new Call(context, accounts);
  const { size, projectId } = inputs;
  if (typeof size === "number") {
    const isChanged = size > Number(olds?.size ?? 0) || projectId !== olds?.projectId;
    const declared: Declared = { project: projectId ?? null, browsers: size, isChanged };
    reservationsOf(call).pools.set(context.urn ?? "", declared);
    warnOfLimits(call);
  }
}

/**
 * For a preview: warns of a limit that is smaller than the pools of the program together, or than the
 * pools that the project has now.
 */
export async function noteLimit({ inputs, olds }: Previewed, context: LifecycleContext, accounts: Accounts) {
  const call = new Call(context, accounts);
  const { maxConcurrentSessions: cap, projectId } = inputs;
  if (typeof cap !== "number") {
    return;
  }
  const { limits, reported } = reservationsOf(call);
  const { urn = "", report } = context;
  const isChanged = cap !== olds?.maxConcurrentSessions || projectId !== olds?.projectId;
  limits.set(urn, { project: projectId ?? null, browsers: cap, isChanged });
  warnOfLimits(call);
  if (!isChanged || typeof projectId !== "string" || reported.has(urn)) {
    return;
  }
  const pools = await readInPreview(call, ({ options }) =>
    call.clientFor(projectId).browserPools.list(options),
  );
  const reserved = (pools ?? []).reduce((sum, { size }) => sum + size, 0);
  if (reserved > cap) {
    reported.add(urn);
    const names = listed((pools ?? []).map(({ id, name, size }) => `${quote(name ?? id)} (${size})`));
    report.warning(
      `The limit maxConcurrentSessions of ${quote(logicalNameOf(urn))} is ${cap}, and the browser pools of project ${projectId} reserve ${reserved} browsers now: ${names}.`,
    );
  }
}

/** Warns once of every limit that the pools of the program exceed. */
function warnOfLimits(call: Call): void {
  const { pools, limits, newProjects, reported } = reservationsOf(call);
  for (const [urn, limit] of limits) {
    // An unknown id is the id of the only new project. With several, nothing proves which.
    const isKnown =
      typeof limit.project === "string" || (limit.project === unknownValue && newProjects.size === 1);
    const inside = [...pools].filter(([, { project }]) => isKnown && project === limit.project);
    const reserved = inside.reduce((sum, [, { browsers }]) => sum + browsers, 0);
    const isChanged = limit.isChanged || inside.some(([, pool]) => pool.isChanged);
    if (reserved <= limit.browsers || !isChanged || reported.has(urn)) {
      continue;
    }
    reported.add(urn);
    const names = listed(inside.map(([pool, { browsers }]) => `${quote(logicalNameOf(pool))} (${browsers})`));
    const [noun, verb] = inside.length === 1 ? ["pool", "reserves"] : ["pools", "reserve"];
    call.context.report.warning(
      `The browser ${noun} ${names} ${verb} ${reserved} browsers, and the limit maxConcurrentSessions of ${quote(logicalNameOf(urn))} is ${limit.browsers}. The service may refuse this deployment.`,
    );
  }
}
