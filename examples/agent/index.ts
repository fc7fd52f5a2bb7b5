import { ApiKey, BrowserPool, Extension, Profile, Project, ProjectLimits } from "pulumi-browser-infra";

// Everything below goes into this project, and goes before it.
const project = new Project("agents", { name: "agents" });

// Two browsers of the pool, and one that signs in.
const limits = new ProjectLimits("agents", { projectId: project.id, maxConcurrentSessions: 3 });

// The agents' key reaches this project only.
const key = new ApiKey("agents", { projectId: project.id, daysToExpire: 90, rotateBeforeDays: 10 });

// What the browsers keep between sessions.
const profile = new Profile("agents", { projectId: project.id, name: "agents" });

const reader = new Extension("page-reader", { projectId: project.id, path: "./extension" });

const pool = new BrowserPool(
  "agents",
  {
    projectId: project.id,
    size: 2,
    headless: true,
    profileId: profile.id,
    extensionIds: [reader.id],
    waitForAvailable: 1,
  },
  { dependsOn: limits },
);

export const poolId = pool.id;
/** A secret: encrypted in the state, and shown by "pulumi stack output --show-secrets" only. */
export const agentKey = key.key;
