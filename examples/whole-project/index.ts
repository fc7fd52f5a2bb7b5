import * as pulumi from "@pulumi/pulumi";
import { ApiKey, BrowserPool, Extension, Project, ProjectLimits } from "pulumi-browser-infra";

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

const pool = new BrowserPool(
  "agents",
  {
    projectId: project.id,
    size: 2,
    extensionIds: [reader.id],
    chromePolicy: { HomepageLocation: "https://example.com" },
  },
  { dependsOn: limits },
);

export const projectId = project.id;
export const extensionId = reader.id;
export const poolId = pool.id;
/** A secret: encrypted in the state, and shown by "pulumi stack output --show-secrets" only. */
export const agentKey = key.key;
