import { BrowserEnvironment } from "pulumi-browser-infra";

// A project, its limits, a key that is rotated, a profile, an extension, and a pool that loads both.
const shop = new BrowserEnvironment("shop", {
  size: 2,
  maxConcurrentSessions: 10,
  extensions: { reader: "./extension" },
  // Any argument of any child.
  transform: { pool: { network: { allowedHosts: ["shop.example", "*.shop.example"] } } },
});

export const projectId = shop.projectId;
export const poolId = shop.poolId;
/** A secret: encrypted in the state, and shown by "pulumi stack output --show-secrets" only. */
export const agentKey = shop.apiKey;
