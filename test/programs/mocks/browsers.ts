import * as pulumi from "@pulumi/pulumi";
import {
  ApiKey,
  ApiKeyName,
  BrowserPool,
  CredentialProvider,
  Extension,
  getApiKeyOutput,
  getApiKeysOutput,
  getAuthConnectionOutput,
  getBrowserPoolOutput,
  getBrowserPoolsOutput,
  getCredentialProviderOutput,
  getExtensionOutput,
  getOrganizationLimitsOutput,
  getProfileOutput,
  getProject,
  getProjectLimitsOutput,
  getProjectsOutput,
  getProxyOutput,
  LoginFlow,
  Profile,
  Project,
  ProjectLimits,
  Proxy,
} from "pulumi-browser-infra";

export interface Browsers {
  projectName: string;
  extensionPath: string;
  keyId: string;
  connectionId: string;
}

/**
 * Resources of a program. Does not read the configuration, so that a test can pass any settings.
 */
export async function declareBrowsers({ projectName, extensionPath, keyId, connectionId }: Browsers) {
  const project = await getProject({ name: projectName });
  if (project.status !== "active") {
    throw new pulumi.RunError(
      `Project "${project.name}" is ${project.status}. Activate it, or name another.`,
    );
  }
  const reader = new Extension("page-reader", {
    path: extensionPath,
    name: `reader-${pulumi.getStack()}`,
    projectId: project.id,
  });
  const key = new ApiKeyName("ci", { keyId, name: `${project.name}-ci` });
  const login = new LoginFlow("shop-login", { connectionId }, { dependsOn: reader });
  return {
    reader,
    key,
    loggedIn: login.flowStatus.apply((status) => status === "SUCCESS"),
    // Read after the login has ended.
    connection: getAuthConnectionOutput({ id: connectionId }, { dependsOn: login }).status,
    limits: getProjectLimitsOutput({ projectId: project.id }),
    uploaded: getExtensionOutput({ id: reader.id }),
    keyExpires: getApiKeyOutput({ id: key.id }).expiresAt,
    browsersReady: getBrowserPoolOutput({ name: "agents" }).availableCount,
    poolNames: getBrowserPoolsOutput({}).browserPools.apply((pools) => pools.map(({ name }) => name)),
    profileUsed: getProfileOutput({ name: "shopper" }).lastUsedAt,
    vaultEnabled: getCredentialProviderOutput({ name: "vault" }).enabled,
    proxyStatus: getProxyOutput({ name: "exit" }).status,
    // A rotation leaves two keys with the same name.
    keysOfThatName: getApiKeysOutput({ name: key.name }).apiKeys.length,
    otherProjects: getProjectsOutput({ status: "active" }).projects.apply((projects) =>
      projects.filter(({ id }) => id !== project.id).map(({ name }) => name),
    ),
  };
}

/**
 * Separate environment: a project with a cap, a key for the agents, and browsers for the agents.
 */
export function declareEnvironment(name: string) {
  const project = new Project(name, { onDelete: "archive" });
  const { id: projectId } = project;
  const limits = new ProjectLimits(`${name}-limits`, { projectId, maxConcurrentSessions: 5 });
  const key = new ApiKey(`${name}-key`, { projectId, daysToExpire: 90, rotateBeforeDays: 10 });
  const profile = new Profile(`${name}-profile`, { projectId });
  const proxy = new Proxy(`${name}-exit`, { projectId, type: "isp", config: { country: "DE" } });
  const vault = new CredentialProvider(`${name}-vault`, { name, tokenFromEnv: "VAULT_TOKEN" });
  const settings = { projectId, size: 2, profileId: profile.id, proxyId: proxy.id };
  const pool = new BrowserPool(`${name}-pool`, settings, { dependsOn: limits });
  return {
    apiKey: key.key,
    poolId: pool.id,
    vaultName: vault.name,
    browsersOfAll: getOrganizationLimitsOutput().maxConcurrentSessions,
  };
}
