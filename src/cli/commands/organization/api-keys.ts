import { Option } from "commander";
import type { ApiKey, CreatedApiKey } from "../../../client/index.js";
import { apiKeyNameProblem } from "../../../client/names.js";
import { graceDaysOf } from "../../../client/organization/api-key-rotation.js";
import { listings } from "../../../providers/reads/listings.js";
import { dateTimeMs } from "../../../text/date-time.js";
import { counted } from "../../../text/words.js";
import { byId, changeCommand, type Noun, nameFact, onlyInGet, subjectOf, timeFact } from "../../noun.js";
import type { ServiceCommand, Session } from "../../session.js";
import { wholeNumber } from "../../terminal/option-values.js";
import { type CellContent, dim } from "../../terminal/table.js";
import { day, displayText, moment } from "../../terminal/text.js";

const nameRule = "1 to 255 characters; names are not unique";

/** `browser-infra api-keys`: the API keys. A complete key is shown once, when created. */
export const apiKeys: Noun<ApiKey> = {
  group: "api-keys",
  noun: "API key",
  listing: listings.ApiKey,
  help: "Work with API keys. A complete key is shown only once, when it is new.",
  facts: [
    nameFact,
    { header: "KEY", cell: ({ maskedKey }) => maskedKey },
    { header: "PROJECT", cell: projectCell, cutWhenNarrow: true },
    timeFact("CREATED", ({ createdAt }) => createdAt),
    { ...timeFact("LAST USED", ({ lastUsedAt }) => lastUsedAt), onlyInGet: true },
    onlyInGet("CREATED BY", ({ createdBy }) => createdBy && (createdBy.name ?? createdBy.email)),
    { header: "POLICY", cell: policyText, full: (key) => policyText(key) ?? undefined, onlyInGet: true },
    { header: "EXPIRES", cell: expiryCell, full: expiryMomentCell },
    {
      header: "DELETED",
      cell: ({ deletedAt }) => moment(deletedAt),
      full: ({ deletedAt }) => (deletedAt === null ? undefined : moment(deletedAt)),
      onlyInGet: true,
    },
  ],
  list: {
    help: "List the API keys that your key can see, including expired ones.",
    options: [
      new Option("--status <status>", "only keys with this status (default: active)").choices([
        "active",
        "deleted",
        "all",
      ]),
    ],
  },
  get: {
    help: "Show one API key: its name, owner, project and expiry.",
    options: [new Option("--deleted", "show the key even if it was deleted")],
  },
  lookupArgument: byId,
  find: (client, id, signal, { deleted }: { readonly deleted?: true }) =>
    client.apiKeys.get(id, { includeDeleted: deleted, signal }),
  rename: {
    rule: nameRule,
    problem: apiKeyNameProblem,
    send: (client, id, name, options) => client.apiKeys.rename(id, name, options),
  },
  delete: { help: "Delete one API key, after a confirmation: requests with it are refused from then on." },
  others: () => [create, rotate],
  details: ({ maskedKey }) => (maskedKey === null ? [] : [displayText(maskedKey)]),
};

function policyText({ policy }: ApiKey): string | null {
  if (policy === null) {
    return null;
  }
  const { statements, ...others } = policy;
  const texts = statements.map(
    ({ action, resource, ...more }) => `${action} on ${resource}${furtherMembersText(more)}`,
  );
  return `${texts.join(", ")}${furtherMembersText(others)}`;
}

/** Text for further members of a policy or a statement, such as conditions; or empty. */
function furtherMembersText(members: object): string {
  return Object.keys(members).length === 0 ? "" : ` with ${JSON.stringify(members)}`;
}

function projectCell({ projectId, projectName, policy }: ApiKey): CellContent {
  return projectId === null ? dim(policy === null ? "all" : "by policy") : (projectName ?? projectId);
}

function expiryCell({ deletedAt, expiresAt }: ApiKey): CellContent {
  if (deletedAt !== null) {
    return { text: "deleted", style: "red" };
  }
  return isPast(expiresAt) ? { text: "expired", style: "yellow" } : neverIfNull(day(expiresAt));
}

function expiryMomentCell({ expiresAt }: Pick<ApiKey, "expiresAt">): CellContent {
  const text = moment(expiresAt);
  return isPast(expiresAt) ? { text: `${text} (expired)`, style: "yellow" } : neverIfNull(text);
}

function neverIfNull(text: string | null): CellContent {
  return text ?? dim("never");
}

function isPast(dateTime: string | null): boolean {
  return dateTime !== null && (dateTimeMs(dateTime) ?? 0) <= Date.now();
}

function lifetimeOption(help: string): Option {
  return new Option("--expires-in-days <days>", help).argParser(wholeNumber(1));
}

interface NewKeyFlags {
  readonly expiresInDays?: number;
  readonly project?: string;
}

const create: ServiceCommand<[string, NewKeyFlags]> = {
  name: "create",
  help: "Create an API key and print it. It cannot be shown again.",
  exitCodes: ["unknown"],
  scope: "organization",
  arguments: { "<name>": `name, ${nameRule}` },
  options: [
    lifetimeOption("days until the key expires, 1 to 3650 (default: never)"),
    new Option("--project <id-or-name>", "project of the key (default: the whole organization)"),
  ],
  async work(session, name, { expiresInDays, project }) {
    const { organization, signal, streams } = session;
    streams.stdout.requireNotDiscarded();
    const projectId = project === undefined ? undefined : await session.projectId();
    const key = { name, daysToExpire: expiresInDays, projectId };
    printNewKey(await organization.apiKeys.create(key, { signal }), session);
  },
};

interface RotationFlags {
  readonly expiresInDays?: number;
  readonly keepOldDays?: number;
}

const rotate = changeCommand<ApiKey, RotationFlags>(apiKeys, {
  name: "rotate",
  help: "Replace one API key with a new key of the same name, after a confirmation, and print the new key.",
  options: [
    lifetimeOption("days until the new key expires, 1 to 3650 (default: the lifetime of the old key)"),
    new Option(
      "--keep-old-days <days>",
      "days that the old key still works, 0 to 3650, at most the days of the new key (default: 7, or these)",
    ).argParser(wholeNumber(0)),
  ],
  done: "rotated",
  question(apiKey, flags) {
    const days = rotationOf(flags).keepOldKeyDays;
    const end = days === 0 ? "at once" : `in ${counted(days, "day")}, if not before`;
    return `Rotate ${subjectOf(apiKeys, apiKey)}? The old key stops working ${end}.`;
  },
  async make(session, { id, policy }, flags) {
    const { organization, signal, streams } = session;
    streams.stdout.requireNotDiscarded();
    printNewKey(await organization.apiKeys.rotate(id, { ...rotationOf(flags), policy }, { signal }), session);
  },
});

function rotationOf({ expiresInDays: daysToExpire, keepOldDays: keepOldKeyDays }: RotationFlags) {
  return { daysToExpire, keepOldKeyDays: graceDaysOf({ daysToExpire, keepOldKeyDays }) };
}

/** Shows a new key. No later command can show the key: only the service has a further copy. */
function printNewKey(created: CreatedApiKey, { output }: Session): void {
  output.printOutcome(created, [
    ["ID", created.id],
    ["NAME", created.name],
    ["KEY", created.key],
    ["PROJECT", projectCell(created)],
    ["EXPIRES", expiryMomentCell(created)],
  ]);
  output.remark("The key is not shown again. Save it now.");
}
