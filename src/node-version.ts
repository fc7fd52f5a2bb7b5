import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * First module of every entry. An old Node fails somewhere in our dependencies, with a message that
 * does not mention the version. So this file loads no other file of ours, and uses only syntax that
 * old versions read.
 *
 * Loading the file throws an `Error` with code `node_too_old` in a Node that `engines` of
 * package.json excludes. The error is a plain `Error`: our error classes would have to be loaded
 * first.
 */

/** Members of `process.versions` that identify the runtime. */
export type RuntimeVersions = Readonly<Record<string, string | undefined>>;

/**
 * Describes the problem of the running Node, in a sentence; undefined if the version is sufficient.
 * Bun and Deno pass: their `node` is only the imitated version.
 *
 * `name`: the package that needs the version. `range`: `engines.node` of package.json, always `>=` and a version.
 */
export function nodeVersionProblem(
  versions: RuntimeVersions,
  name: string,
  range: string,
): string | undefined {
  const running = versions.node;
  if (running === undefined || versions.bun !== undefined || versions.deno !== undefined) {
    return undefined;
  }
  const minimum = range.replace(/^\D+/, "");
  return isAtLeast(running, minimum)
    ? undefined
    : `${name} needs Node ${minimum} or newer, and this is Node ${running}.`;
}

/** Compares number by number. A missing number is 0. A suffix after a hyphen does not count. */
function isAtLeast(version: string, minimum: string): boolean {
  const numbers = version.replace(/-.*/, "").split(".").map(Number);
  for (const [index, needed] of minimum.split(".").map(Number).entries()) {
    const number = numbers[index] === undefined ? 0 : numbers[index];
    if (number !== needed) {
      return number > needed;
    }
  }
  return true;
}

const manifest = JSON.parse(readFileSync(join(__dirname, "../package.json"), "utf8"));
const problem = nodeVersionProblem(process.versions, manifest.name, manifest.engines.node);
if (problem !== undefined) {
  // Node prints the stack of an uncaught error. The sentence alone is enough.
  throw Object.assign(new Error(problem), { code: "node_too_old", stack: problem });
}
