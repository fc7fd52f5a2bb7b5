import {
  ApiError,
  type AuthContext,
  type BrowserInfraClient,
  BrowserInfraError,
  CanceledError,
} from "../../client/index.js";

/** What the service makes of the settings. */
export interface Verdict {
  /** Null when it cannot be told, because no answer came or one that says nothing about them. */
  readonly accepted: boolean | null;
  /** Why not; null when they are accepted. */
  readonly problem: BrowserInfraError | null;
  /** Null when they are not accepted, and when the service is of a generation that does not tell. */
  readonly identity: Identity | null;
}

/** Whose the key is. Names are null where this key may not read them. */
export interface Identity extends AuthContext {
  readonly apiKeyName: string | null;
  readonly credentialProjectName: string | null;
  readonly effectiveProjectName: string | null;
}

/** Asks the service whether it accepts the client's settings, and whose they are. Throws `CanceledError`; every other end is a verdict. */
export async function askForVerdict(client: BrowserInfraClient, signal: AbortSignal): Promise<Verdict> {
  try {
    const context = await contextOf(client, signal);
    const identity = context === null ? null : await identityOf(client.inProject(undefined), context, signal);
    return { accepted: true, problem: null, identity };
  } catch (error) {
    if (!(error instanceof BrowserInfraError) || error instanceof CanceledError) {
      throw error;
    }
    return { accepted: isRefusal(error) ? false : null, problem: error, identity: null };
  }
}

/** The context of the key and the project; null when the service accepts both and does not know the operation yet. */
async function contextOf(client: BrowserInfraClient, signal: AbortSignal): Promise<AuthContext | null> {
  try {
    return await client.authContext({ signal });
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404 || error.code === "project_not_found") {
      throw error;
    }
    // Every generation lists extensions, and looks at the key and at the project for it.
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

async function identityOf(
  { apiKeys, projects }: BrowserInfraClient,
  context: AuthContext,
  signal: AbortSignal,
): Promise<Identity> {
  const { method, credentialId, credentialProjectId, effectiveProjectId } = context;
  const projectName = (id: string | null) => (id === null ? null : nameFrom(projects.get(id, { signal })));
  const [apiKeyName, credentialProjectName, effectiveProjectName] = await Promise.all([
    // That the credential's id is the key's own is likely and not published.
    credentialId === null || method !== "api_key" ? null : nameFrom(apiKeys.get(credentialId, { signal })),
    projectName(credentialProjectId),
    projectName(effectiveProjectId),
  ]);
  return { ...context, apiKeyName, credentialProjectName, effectiveProjectName };
}

/** A name is shown where it can be had: failing to read it says nothing about the settings. */
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
