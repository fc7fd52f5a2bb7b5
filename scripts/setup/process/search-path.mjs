import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { CommandFailed } from "./run-command.mjs";

/**
 * First executable with the name on PATH, or undefined. Skips empty and relative entries: they mean
 * the working directory, and a program there could come with a clone.
 *
 * @param {string} name
 * @param {NodeJS.ProcessEnv} [env]
 */
export function findOnPath(name, env = process.env) {
  return (env.PATH ?? "")
    .split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .map((folder) => join(folder, name))
    .find(isExecutable);
}

/**
 * Absolute path of a program on PATH. Fails with `CommandFailed`.
 *
 * @param {string} name
 * @param {NodeJS.ProcessEnv} env
 */
export function requireOnPath(name, env) {
  const path = findOnPath(name, env);
  if (path === undefined) {
    throw new CommandFailed(`there is no ${name} on PATH`);
  }
  return path;
}

/**
 * Whether `path` is an executable file.
 *
 * @param {string} path
 */
export function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/**
 * Environment with the folders at the start of PATH, in order.
 *
 * @param {NodeJS.ProcessEnv} env
 * @param {string[]} folders
 */
export function withFirstOnPath(env, ...folders) {
  return { ...env, PATH: [...folders, env.PATH].filter(Boolean).join(delimiter) };
}
