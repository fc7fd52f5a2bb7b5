import type { Output } from "@pulumi/pulumi";
import { ApiKey, AppDeployment, BrowserPool, Profile, Project, ProjectLimits } from "pulumi-browser-infra";

const project = new Project("agents", { name: "agents" });
const projectId = project.id;
const limits = new ProjectLimits("agents", {
  projectId,
  maxConcurrentSessions: 3,
  maxConcurrentInvocations: 2,
});

// The agent's key reaches this project only.
const key = new ApiKey("agents", { projectId, daysToExpire: 90, rotateBeforeDays: 10 });
const profile = new Profile("agents", { projectId, name: "agents" });
const pool = new BrowserPool(
  "agents",
  { projectId, size: 2, headless: true, profileId: profile.id },
  { dependsOn: limits },
);

/** An output that the stack always has: undefined only for an imported key or a pool without a name. */
const known = (output: Output<string | undefined>) => output.apply((value) => value ?? "");

// A rotated key, another pool or new code deploys the agent anew.
const agent = new AppDeployment("agent", {
  projectId,
  path: "./app",
  entrypoint: "agent.ts",
  appName: "shop-agent",
  envVars: { POOL_NAME: known(pool.name), PROJECT_ID: projectId, POOL_KEY: known(key.key) },
});

export const deploymentId = agent.id;
export const actions = agent.actions.apply((all) => all?.map(({ name }) => name) ?? []);
