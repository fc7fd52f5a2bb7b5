import * as pulumi from "@pulumi/pulumi";
import {
  ApiKey,
  AuthConnection,
  BrowserPool,
  Credential,
  CredentialProvider,
  Extension,
  LoginFlow,
  Profile,
  Project,
  ProjectLimits,
  Proxy,
  TelemetryDestination,
} from "pulumi-browser-infra";

const config = new pulumi.Config();

// Everything below goes into this project, and goes before it.
const project = new Project("agents", { name: config.require("projectName") });

const limits = new ProjectLimits("agents", { projectId: project.id, maxConcurrentSessions: 4 });

// Rotated by the first deployment within ten days of its end. The old key then works for two days.
const key = new ApiKey("agents", {
  projectId: project.id,
  daysToExpire: 90,
  rotateBeforeDays: 10,
  keepOldKeyDays: 2,
  triggers: [config.requireNumber("keyGeneration")],
});

const reader = new Extension("page-reader", { path: "./extension", projectId: project.id });

// What the browsers keep between sessions, and their way to the web.
const profile = new Profile("buyer", { projectId: project.id, name: "buyer" });

const proxy = new Proxy("exit", { projectId: project.id, type: "isp", config: { country: "DE" } });

// Receives the telemetry of the browsers, for the whole organization.
const logs = new TelemetryDestination("logs", { endpoint: "https://otlp.example.com" });

const pool = new BrowserPool(
  "agents",
  {
    projectId: project.id,
    size: 2,
    profileId: profile.id,
    proxyId: proxy.id,
    telemetry: {},
    telemetryDestinationId: logs.id,
    extensionIds: [reader.id],
    chromePolicy: { HomepageLocation: "https://example.com" },
  },
  { dependsOn: limits },
);

// What a login enters. The service never shows it again.
const credential = new Credential("shop", {
  projectId: project.id,
  domain: "shop.example",
  values: { username: "ada", password: config.requireSecret("shopPassword") },
});

// A password manager. A connection can name it instead: { provider: vault.name, path: "Work/Shop" }.
const vault = new CredentialProvider("vault", { token: config.requireSecret("vaultToken") });

// The service keeps the profile logged in there.
const connection = new AuthConnection("shop", {
  projectId: project.id,
  domain: "shop.example",
  profileName: profile.name,
  credential: { name: credential.name },
});

// Waits until the profile is logged in: start it with "browser-infra login start".
const login = new LoginFlow("shop", {
  projectId: project.id,
  connectionId: connection.id,
  timeout: "10m",
});

export const projectId = project.id;
export const connectionId = connection.id;
export const loginStatus = login.flowStatus;
export const extensionId = reader.id;
export const poolId = pool.id;
export const vaultName = vault.name;
/** A secret: encrypted in the state, and shown by "pulumi stack output --show-secrets" only. */
export const agentKey = key.key;
