import { ApiKey, BrowserPool, Profile, Project, ProjectLimits } from "pulumi-browser-infra";

// Everything below goes into this project, and goes before it.
const project = new Project("agents", { name: "agents" });

const limits = new ProjectLimits("agents", { projectId: project.id, maxConcurrentSessions: 2 });

// The agents' key reaches this project only.
const key = new ApiKey("agents", { projectId: project.id, daysToExpire: 90, rotateBeforeDays: 10 });

// What the browsers keep between sessions.
const profile = new Profile("agents", { projectId: project.id, name: "agents" });

const pool = new BrowserPool(
  "agents",
  { projectId: project.id, size: 2, profileId: profile.id, waitForAvailable: 1 },
  { dependsOn: limits },
);

export const poolId = pool.id;
/** A secret: encrypted in the state, and shown by "pulumi stack output --show-secrets" only. */
export const agentKey = key.key;
