import { Command } from "commander";
import {
  ApiError,
  type AuthContext,
  type BrowserInfraClient,
  BrowserInfraError,
  CanceledError,
} from "../../client/index.js";
import type { Settings } from "../../config.js";
import { maskedKey } from "../../text/redact.js";
import { type ProjectFlags, projectSettingsText, withJson, withProject, withService } from "../session.js";
import { print } from "../terminal/print.js";
import type { Streams } from "../terminal/streams.js";
import { type Cell, type Column, fieldsText, tableText } from "../terminal/table.js";
import { displayText } from "../terminal/text.js";

/**
 * `browser-infra whoami`: the settings in use, where each comes from, and whether the service
 * accepts them.
 */
export function whoamiCommand(streams: Streams): Command {
  return withJson(withProject(new Command("whoami")))
    .description("Show the settings in use, where each comes from, and whether the service accepts them.")
    .addHelpText("after", projectSettingsText)
    .action(async (flags: ProjectFlags) => {
      await withService(streams, flags.project, async ({ client, settings, signal }) => {
        // Printed first, because the response may take a while or never come.
        if (!flags.json) {
          print(streams, flags, undefined, (layout) => tableText(rowsOf(settings), columns, layout));
        }
        const check = await checkSettings(client, signal);
        const { accepted, problem, identity } = check;
        const result = {
          apiKey: maskedKey(settings.apiKey),
          baseUrl: settings.baseUrl,
          projectId: settings.projectId ?? null,
          origins: settings.origins,
          accepted,
          problem: problem?.message ?? null,
          identity,
        };
        print(streams, flags, result, ({ paint }) => `\n${fieldsText(fieldsOf(check), paint)}`);
        if (problem !== null) {
          throw problem;
        }
      });
    });
}

interface SettingRow {
  readonly name: string;
  readonly value: Cell | string;
  readonly origin: string;
}

const columns: readonly Column<SettingRow>[] = [
  { header: "SETTING", cell: ({ name }) => name },
  { header: "VALUE", cell: ({ value }) => value },
  { header: "FROM", cell: ({ origin }) => origin },
];

function rowsOf({ apiKey, baseUrl, projectId, origins }: Settings): readonly SettingRow[] {
  return [
    { name: "API key", value: maskedKey(apiKey), origin: origins.apiKey },
    { name: "base URL", value: baseUrl, origin: origins.baseUrl },
    { name: "project", value: projectId ?? { text: "none", style: "dim" }, origin: origins.projectId },
  ];
}

/** Whether the service accepts the settings, and who the key belongs to. */
interface SettingsCheck {
  /**
   * Null when unknown: the service did not respond, or its response says nothing about the
   * settings.
   */
  readonly accepted: boolean | null;
  /** Why the settings were not accepted; null when they were. */
  readonly problem: BrowserInfraError | null;
  /** Null when the settings were not accepted, or when this version of the service cannot say. */
  readonly identity: Identity | null;
}

/** Who the key belongs to. A name is null when this key may not read it. */
interface Identity extends AuthContext {
  readonly apiKeyName: string | null;
  readonly credentialProjectName: string | null;
  readonly effectiveProjectName: string | null;
}

/**
 * Asks the service whether it accepts the client's settings. Throws `CanceledError`; any other
 * error becomes part of the result.
 */
async function checkSettings(client: BrowserInfraClient, signal: AbortSignal): Promise<SettingsCheck> {
  try {
    const context = await readContext(client, signal);
    const identity =
      context === null ? null : await readIdentity(client.inProject(undefined), context, signal);
    return { accepted: true, problem: null, identity };
  } catch (error) {
    if (!(error instanceof BrowserInfraError) || error instanceof CanceledError) {
      throw error;
    }
    return { accepted: isRefusal(error) ? false : null, problem: error, identity: null };
  }
}

/**
 * The context of the key and the project; null when the service accepts both but lacks the
 * operation.
 */
async function readContext(client: BrowserInfraClient, signal: AbortSignal): Promise<AuthContext | null> {
  try {
    return await client.authContext({ signal });
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404 || error.code === "project_not_found") {
      throw error;
    }
    // Every version of the service can list extensions, and checks the key and the project to do
    // so.
    await client.extensions.list({ limit: 1, signal });
    return null;
  }
}

function isRefusal(error: BrowserInfraError): boolean {
  return (
    error instanceof ApiError &&
    (error.status === 401 || error.status === 403 || error.code === "project_not_found")
  );
}

async function readIdentity(
  { apiKeys, projects }: BrowserInfraClient,
  context: AuthContext,
  signal: AbortSignal,
): Promise<Identity> {
  const { method, credentialId, credentialProjectId, effectiveProjectId } = context;
  const projectName = (id: string | null) => (id === null ? null : nameFrom(projects.get(id, { signal })));
  const [apiKeyName, credentialProjectName, effectiveProjectName] = await Promise.all([
    // The service does not document that a credential's id is the key's id, but it probably is.
    credentialId === null || method !== "api_key" ? null : nameFrom(apiKeys.get(credentialId, { signal })),
    projectName(credentialProjectId),
    projectName(effectiveProjectId),
  ]);
  return { ...context, apiKeyName, credentialProjectName, effectiveProjectName };
}

/** The name, or null when it cannot be read: that says nothing about the settings. */
async function nameFrom(reading: Promise<{ readonly name: string }>): Promise<string | null> {
  try {
    return (await reading).name;
  } catch (error) {
    if (error instanceof BrowserInfraError && !(error instanceof CanceledError)) {
      return null;
    }
    throw error;
  }
}

function fieldsOf({ accepted, identity }: SettingsCheck): [label: string, Cell][] {
  const cell: Cell =
    accepted === null
      ? { text: "unknown", style: "yellow" }
      : accepted
        ? { text: "yes", style: "green" }
        : { text: "no", style: "red" };
  const more = identity === null ? [] : identityFields(identity);
  return [["ACCEPTED", cell], ...more];
}

function identityFields(identity: Identity): [label: string, Cell][] {
  const { principal, credentialId, apiKeyName, organizationId } = identity;
  const { credentialProjectId, credentialProjectName, effectiveProjectId, effectiveProjectName } = identity;
  const key: [string, Cell][] =
    credentialId === null ? [] : [["CREDENTIAL", { text: named(credentialId, apiKeyName) }]];
  return [
    ["ORGANIZATION", { text: organizationId }],
    ["ACTING AS", { text: `${principal.type} ${principal.id}` }],
    ...key,
    ["CAN ACT IN", projectCell(credentialProjectId, credentialProjectName, "every project")],
    ["ACTS IN", projectCell(effectiveProjectId, effectiveProjectName, "the organization's default project")],
  ];
}

function projectCell(id: string | null, name: string | null, withoutProject: string): Cell {
  return { text: id === null ? withoutProject : `project ${named(id, name)}` };
}

function named(id: string, name: string | null): string {
  return name === null ? id : `"${displayText(name)}" (${id})`;
}
