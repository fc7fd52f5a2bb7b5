import { isProjectRefusal } from "../../../client/organization/project-refusal.js";
import { importCommands } from "../../../providers/messages/import-commands.js";
import { isAutoNameOf, isNameFor } from "../../../providers/names.js";
import { projectOption, shellQuoted } from "../../../text/shell.js";
import { listed } from "../../../text/words.js";
import { type ClosedProject, findClosedProject } from "../../find.js";
import type { NounRecord } from "../../noun.js";
import type { ServiceCommand, Session } from "../../session.js";
import { type PendingOperation, pendingOperations } from "../../stack/pending-operations.js";
import { displayText, moment } from "../../terminal/text.js";
import { type FoundRecord, type Records, recordsOf } from "../nouns.js";

/** Kinds whose secrets the service never shows, so that no refresh finds a value that differs. */
const withHiddenValues: readonly string[] = [
  "AppDeployment",
  "Credential",
  "CredentialProvider",
  "TelemetryDestination",
];

/** Difference of two clocks that misleads a person who compares times, in minutes. */
const clocksDifferMinutes = 2;

/** Kinds with a one-time name at first, longer than the declared name. */
const renamedAfterCreation: readonly string[] = ["ApiKey", "Proxy"];

interface Finding {
  readonly urn: string;
  readonly name: string;
  readonly type: string;
  readonly operation: string;
  /** Whether the object exists. Null for settings, whose object always exists, and in an archived project. */
  readonly exists: boolean | null;
  /** Objects that a creation may have made, or the object of a change or deletion. */
  readonly objects: readonly FoundObject[];
  /** Names of the inputs that an interrupted creation or update may have sent. */
  readonly sent: readonly string[];
  readonly repair: readonly Repair[];
}

/** Object of the service. `createdAt`: null if the service does not show the time. */
interface FoundObject {
  readonly id: string;
  readonly name: string | null;
  readonly createdAt: string | null;
}

interface Repair {
  /** Purpose, as in "To keep it". */
  readonly purpose: string;
  readonly commands: readonly string[];
}

/** `browser-infra pending`: finds the objects of interrupted operations, and the repair. */
export const pending: ServiceCommand<[{ readonly stack?: string }]> = {
  name: "pending",
  help: "Look up the results of interrupted operations, which Pulumi calls pending, and show the repair.",
  scope: "project",
  readsStack: true,
  async work(session, { stack }) {
    const { signal } = session;
    const { env } = session.streams;
    const named = stack ?? (env.PULUMI_STACK || undefined);
    const { operations, managed } = await pendingOperations({ name: named, env, signal });
    const ofStack = named === undefined ? "" : ` --stack ${shellQuoted(named)}`;
    const lists = new Map<string, Promise<readonly FoundRecord[] | ClosedProject>>();
    const list = (known: Records, projectId: string | undefined) => {
      const key = `${known.group} ${projectId}`;
      const rows = lists.get(key) ?? rowsOf(known, projectId, session);
      lists.set(key, rows);
      return rows;
    };
    const findings: Finding[] = [];
    const sentences: string[] = [];
    for (const operation of operations) {
      const [finding, outcome] = await examine(operation, managed, list, ofStack);
      findings.push(finding);
      sentences.push(textOf(operation, finding, outcome));
    }
    // Outside a terminal, Pulumi refuses a refresh without the option.
    const clear = `pulumi refresh --clear-pending-creates --yes${ofStack}`;
    const text =
      findings.length === 0
        ? "No operation is pending.\n"
        : [
            ...sentences,
            ...clockSentences(findings, session),
            `After all repairs, remove the operations from the state: ${clear}\n`,
          ].join("\n");
    session.output.print({ pending: findings, clear }, text);
  },
};

/** Warns of clocks that differ where the output has times of the service. */
function clockSentences(findings: readonly Finding[], { organization }: Session): string[] {
  const aheadMs = Date.now() - (organization.serviceTime() ?? Date.now());
  const minutes = Math.round(Math.abs(aheadMs) / 60_000);
  const hasTimes = findings.some(({ objects }) => objects.some(({ createdAt }) => createdAt !== null));
  if (!hasTimes || minutes < clocksDifferMinutes) {
    return [];
  }
  const direction = aheadMs > 0 ? "ahead of" : "behind";
  return [
    `The clock of this machine is about ${minutes} min ${direction} the service's clock, which made the times above.\n`,
  ];
}

/**
 * Lists the objects of a kind in a project; undefined: in the project of the settings. Returns the project
 * where the service refuses the list because the project is archived or gone.
 */
async function rowsOf(known: Records, projectId: string | undefined, session: Session) {
  const { organization, signal } = session;
  const isInProject = known.scope === "project";
  const client =
    isInProject && projectId !== undefined ? organization.inProject(projectId) : await session.client();
  try {
    return await known.list(client, signal);
  } catch (error) {
    const id = isInProject ? (projectId ?? (await session.projectId())) : undefined;
    const isClosed = isProjectRefusal(error) && id !== undefined;
    const closed = isClosed ? await findClosedProject(id, organization, signal) : undefined;
    if (closed === undefined) {
      throw error;
    }
    return closed;
  }
}

/** Looks up the objects of an operation. Returns the finding, and the outcome as a clause. */
async function examine(
  operation: PendingOperation,
  managed: ReadonlySet<string>,
  list: (known: Records, projectId: string | undefined) => Promise<readonly FoundRecord[] | ClosedProject>,
  ofStack: string,
): Promise<readonly [Finding, string]> {
  const { urn, name, type, kind, sent, stateIds } = operation;
  const known = recordsOf.get(kind);
  const isCreation = operation.operation === "creating" || operation.operation === "importing";
  const common = { urn, name, type, operation: operation.operation, sent };
  if (known === undefined) {
    const repair = repairByPulumi(operation, isCreation, ofStack);
    const state =
      isCreation && stateIds.length > 0
        ? `managed by this stack (${displayText(stateIds.join(", "))}); the previous values in the state may be the values of the interrupted creation`
        : "the settings may have changed, and the state does not have the previous values";
    return [{ ...common, exists: null, objects: [], repair }, state];
  }
  // A rotation creates a key.
  const mayHaveCreated = isCreation || (kind === "ApiKey" && operation.operation === "updating");
  const { projectId } = operation.inputs;
  const rows = await list(known, typeof projectId === "string" ? projectId : undefined);
  if ("remedy" in rows) {
    const { status, text, remedy } = rows;
    const isGone = status === "gone";
    const commands = remedy === null ? [] : [remedy + ofStack, `browser-infra pending${ofStack}`];
    return [
      {
        ...common,
        exists: isGone ? false : null,
        objects: [],
        repair: remedy === null ? [] : [{ purpose: "look it up", commands }],
      },
      `${isGone ? "nothing exists" : "unknown"}, because ${text}`,
    ];
  }
  const found = rows.filter(({ row }) =>
    mayHaveCreated ? !managed.has(row.id) && isDeclaredBy(operation, row) : row.id === operation.id,
  );
  const exists = found.length > 0;
  const own = rows.filter(({ row }) => isCreation && managed.has(row.id) && isOf(operation, row));
  const objectsOf = (records: readonly FoundRecord[]) =>
    records.map(({ row }): FoundObject => {
      return { id: row.id, name: row.name ?? null, createdAt: createdAtOf(row) };
    });
  if (!exists && own.length > 0) {
    const ids = displayText(listed(own.map(({ row }) => row.id)));
    const state = `managed by this stack (${ids}): nothing to repair`;
    return [{ ...common, exists: true, objects: objectsOf(own), repair: [] }, state];
  }
  const repair =
    mayHaveCreated && exists
      ? repairOfCreation(operation, known, found, ofStack)
      : repairByPulumi(operation, isCreation, ofStack);
  const objects = objectsOf(found);
  const subjects = found.map((each) => textOfFound(each, mayHaveCreated)).join(" and ");
  const state = exists
    ? `${subjects} ${found.length === 1 ? "exists" : "exist"}`
    : `no such ${known.noun} exists`;
  return [{ ...common, exists, objects, repair }, state];
}

function createdAtOf(row: NounRecord): string | null {
  return "createdAt" in row && typeof row.createdAt === "string" ? row.createdAt : null;
}

/** Object in a sentence. The time of a possible creation tells a person whether the creation made the object. */
function textOfFound({ row, subject }: FoundRecord, withTime: boolean): string {
  const time = withTime ? moment(createdAtOf(row)) : null;
  return time === null ? subject : `${subject}, made ${time},`;
}

/** Whether a managed object is the object of a creation. A namesake of a key or a proxy proves nothing. */
function isOf(operation: PendingOperation, row: NounRecord): boolean {
  const { kind, stateIds } = operation;
  return stateIds.includes(row.id) || (!renamedAfterCreation.includes(kind) && isDeclaredBy(operation, row));
}

/** Whether an object fits a creation: by name, one-time name, or domain and profile. */
function isDeclaredBy({ kind, inputs }: PendingOperation, row: NounRecord): boolean {
  if (kind === "AuthConnection") {
    const { domain, profileName } = row as NounRecord & Record<"domain" | "profileName", unknown>;
    return domain === inputs.domain && profileName === inputs.profileName;
  }
  return renamedAfterCreation.includes(kind)
    ? isNameFor(String(inputs.name), row.name ?? null)
    : row.name === inputs.name;
}

function repairByPulumi(
  { urn, kind, operation, stateIds }: PendingOperation,
  isCreation: boolean,
  ofStack: string,
): Repair[] {
  if (isCreation && recordsOf.get(kind) === undefined && stateIds.length > 0) {
    return [];
  }
  if (isCreation && stateIds.length === 0) {
    return [{ purpose: "create it", commands: [`pulumi up${ofStack}`] }];
  }
  const hidesValues = withHiddenValues.includes(kind) && operation === "updating";
  const replacement = hidesValues ? [`pulumi state taint ${shellQuoted(urn)} --yes${ofStack}`] : [];
  return [{ purpose: "repair it", commands: [...replacement, `pulumi up --refresh${ofStack}`] }];
}

/** Ways to keep or delete the objects of a creation or a rotation. */
function repairOfCreation(
  operation: PendingOperation,
  noun: Records,
  found: readonly FoundRecord[],
  ofStack: string,
): Repair[] {
  const { inputs, kind, urn, stateIds } = operation;
  const projectId =
    noun.scope === "project" && typeof inputs.projectId === "string" ? inputs.projectId : undefined;
  // The next deployment finds an object by its automatic name, or looks it up for a resource in the state.
  const isFound = stateIds.length > 0 || (typeof inputs.name === "string" && isAutoNameOf(urn, inputs.name));
  const [only, ...others] = found;
  const it = others.length > 0 ? "them" : "it";
  const isCertain =
    !renamedAfterCreation.includes(kind) || found.every(({ row }) => row.name !== inputs.name);
  const keep =
    // An import cannot read a key's secret or give a proxy the declared name.
    renamedAfterCreation.includes(kind) || only === undefined || others.length > 0
      ? []
      : isFound
        ? [`pulumi up${ofStack}`]
        : importCommands({ ...operation, group: noun.group, id: only.row.id, projectId }, ofStack);
  const deletion = found.map(
    ({ row: { id } }) =>
      `browser-infra ${noun.group} delete ${shellQuoted(id)} --yes${projectOption(projectId)}${ofStack}`,
  );
  return [
    ...(keep.length > 0 ? [{ purpose: "keep it", commands: keep }] : []),
    // Names of these kinds are not unique: a namesake may belong to somebody else.
    { purpose: isCertain ? `delete ${it}` : `delete ${it}, if nobody else uses ${it}`, commands: deletion },
  ];
}

function textOf({ kind }: PendingOperation, finding: Finding, outcome: string): string {
  const { name, operation, sent, repair } = finding;
  const settings = sent.length > 0 ? ` The request may have sent ${displayText(listed(sent))}.` : "";
  const lines = repair.flatMap(({ purpose, commands }) => [
    `  To ${purpose}:`,
    ...commands.map((command) => `    ${displayText(command)}`),
  ]);
  return [
    `${displayText(name)} (${kind}), interrupted while ${operation}: ${outcome}.${settings}`,
    ...lines,
    "",
  ].join("\n");
}
