import {
  ApiError,
  type AuthContext,
  BrowserInfraError,
  CanceledError,
  isMissingOperation,
  isNotFound,
} from "../../../client/index.js";
import { ignoreFailure } from "../../../client/not-found.js";
import type { Settings } from "../../../config.js";
import { maskedKey } from "../../../text/redact.js";
import { projectSettingsText, type ServiceCommand, type Session } from "../../session.js";
import { type CellContent, type Column, dim, type Field, tableText } from "../../terminal/table.js";
import { displayText } from "../../terminal/text.js";

/** `browser-infra whoami`: the settings in use, and whether the service accepts them. */
export const whoami: ServiceCommand = {
  name: "whoami",
  help: "Show the settings in use, where each comes from, and whether the service accepts them.",
  scope: "project",
  helpAfter: projectSettingsText,
  async work(session) {
    const { settings, streams, output } = session;
    const { baseUrl, origins } = settings;
    // Printed first, because the response may take a while or never come.
    if (!output.json) {
      streams.stdout.write(`${tableText(rowsOf(settings), columns, output.layout)}\n`);
    }
    const { accepted, problem, identity, projectId } = await checkSettings(session);
    const project = settings.projectId ?? settings.projectName ?? null;
    const result = { apiKey: maskedKey(settings.apiKey), baseUrl, project, projectId, origins };
    output.printFields({ ...result, accepted, problem: problem?.message ?? null, identity }, [
      ["ACCEPTED", acceptedCell(accepted)],
      ...(identity === null ? [] : identityFields(identity)),
    ]);
    if (problem !== null) {
      throw problem;
    }
  },
};

type SettingRow = readonly [name: string, value: CellContent, origin: string];

const columns: readonly Column<SettingRow>[] = [
  { header: "SETTING", cell: ([name]) => name },
  { header: "VALUE", cell: ([_name, value]) => value },
  { header: "FROM", cell: ([_name, _value, origin]) => origin },
];

function rowsOf({ apiKey, baseUrl, projectId, projectName, origins }: Settings): readonly SettingRow[] {
  return [
    ["API key", maskedKey(apiKey), origins.apiKey],
    ["base URL", baseUrl, origins.baseUrl],
    ["project", projectId ?? projectName ?? dim("none"), origins.projectId],
  ];
}

/** Whether the service accepts the settings, and who the key belongs to. */
interface SettingsCheck {
  /** Null when unknown: no response, or an inconclusive response. */
  readonly accepted: boolean | null;
  /** Why the settings were not accepted, or why that is unknown; otherwise null. */
  readonly problem: BrowserInfraError | null;
  /** Null when the settings were not accepted, or when the service cannot report the identity. */
  readonly identity: Identity | null;
  /** Id of the project in the settings; null without a project, or when the name was not found. */
  readonly projectId: string | null;
}

/** Owner of the key. A name is null when this key may not read the name. */
interface Identity extends AuthContext {
  readonly apiKeyName: string | null;
  readonly credentialProjectName: string | null;
  readonly effectiveProjectName: string | null;
}

/** Checks the settings. Throws `CanceledError`; any other `BrowserInfraError` is a result. */
async function checkSettings(session: Session): Promise<SettingsCheck> {
  let projectId = session.settings.projectId ?? null;
  try {
    projectId = (await session.projectId()) ?? null;
    const context = await readContext(session);
    const identity = context === null ? null : await readIdentity(session, context);
    return { accepted: true, problem: null, identity, projectId };
  } catch (error) {
    if (!(error instanceof BrowserInfraError) || error instanceof CanceledError) {
      throw error;
    }
    return { accepted: isRefusal(error) ? false : null, problem: error, identity: null, projectId };
  }
}

/** Identity; null when the service accepts key and project, but lacks the operation. */
async function readContext({ client: clientOf, organization, signal }: Session): Promise<AuthContext | null> {
  const client = await clientOf();
  try {
    return await client.authContext({ signal });
  } catch (error) {
    if (!isMissingOperation(error) && !isNotFound(error)) {
      throw error;
    }
  }
  try {
    // Nearly every version of the service can list extensions, and checks key and project first.
    await client.extensions.list({ limit: 1, signal });
  } catch (error) {
    if (!isMissingOperation(error)) {
      throw error;
    }
    await organization.projects.list({ limit: 1, signal });
  }
  return null;
}

function isRefusal(error: BrowserInfraError): boolean {
  return (
    error.code === "project_not_found" ||
    (error instanceof ApiError && (error.status === 401 || error.status === 403))
  );
}

async function readIdentity({ organization, signal }: Session, context: AuthContext): Promise<Identity> {
  const { apiKeys, projects } = organization;
  const { method, credentialId, credentialProjectId, effectiveProjectId } = context;
  const projectName = (id: string | null) => (id === null ? null : nameFrom(projects.get(id, { signal })));
  const [apiKeyName, credentialProjectName, effectiveProjectName] = await Promise.all([
    // Undocumented but probable: a credential's id is the key's id.
    credentialId === null || method !== "api_key" ? null : nameFrom(apiKeys.get(credentialId, { signal })),
    projectName(credentialProjectId),
    projectName(effectiveProjectId),
  ]);
  return { ...context, apiKeyName, credentialProjectName, effectiveProjectName };
}

/** Name, or null if unreadable: a failed read is no problem of the settings. */
async function nameFrom(reading: Promise<{ readonly name: string }>): Promise<string | null> {
  return (await ignoreFailure(reading))?.name ?? null;
}

function acceptedCell(accepted: boolean | null): CellContent {
  if (accepted === null) {
    return { text: "unknown", style: "yellow" };
  }
  return accepted ? { text: "yes", style: "green" } : { text: "no", style: "red" };
}

function identityFields(identity: Identity): Field[] {
  const { principal, credentialId, apiKeyName, organizationId } = identity;
  const { credentialProjectId, credentialProjectName, effectiveProjectId, effectiveProjectName } = identity;
  return [
    ["ORGANIZATION", organizationId],
    ["ACTING AS", `${principal.type} ${principal.id}`],
    ...(credentialId === null ? [] : [["CREDENTIAL", idAndName(credentialId, apiKeyName)] as const]),
    ["CAN ACT IN", projectText(credentialProjectId, credentialProjectName, "every project")],
    ["ACTS IN", projectText(effectiveProjectId, effectiveProjectName, "the organization's default project")],
  ];
}

function projectText(id: string | null, name: string | null, withoutProject: string): string {
  return id === null ? withoutProject : `project ${idAndName(id, name)}`;
}

function idAndName(id: string, name: string | null): string {
  return name === null ? id : `"${displayText(name)}" (${id})`;
}
