import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The first thing every entry loads. An old Node fails somewhere in our dependencies, with words
 * that say nothing about its version. So this file loads nothing else of ours, and its syntax is
 * one that old versions read.
 *
 * Loading it throws an `Error` with code `node_too_old` in a Node that `engines` of package.json
 * excludes. Not one of our error classes: their file would be loaded first.
 */

/** The part of `process.versions` that identifies the runtime. */
export type RuntimeVersions = Readonly<Record<string, string | undefined>>;

/**
 * What is wrong with the running Node, in one sentence; undefined when it will do. Bun and Deno
 * also name a version of Node, the one they imitate, and it says nothing about them.
 *
 * `range` is `engines.node` of package.json, always `>=` and a version.
 */
export function nodeVersionProblem(versions: RuntimeVersions, range: string): string | undefined {
  const running = versions.node;
  if (running === undefined || versions.bun !== undefined || versions.deno !== undefined) {
    return undefined;
  }
  const minimum = range.replace(/^\D+/, "");
  return isAtLeast(running, minimum)
    ? undefined
    : `pulumi-browser-infra needs Node ${minimum} or newer, and this is Node ${running}.`;
}

/** Compares number by number. A missing one counts as 0. What follows a hyphen does not count. */
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
const problem = nodeVersionProblem(process.versions, manifest.engines.node);
if (problem !== undefined) {
  // Node prints the stack of an uncaught error. The sentence alone is enough.
  throw Object.assign(new Error(problem), { code: "node_too_old", stack: problem });
}
