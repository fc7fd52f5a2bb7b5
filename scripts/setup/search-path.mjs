import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";

/**
 * The first executable of that name on PATH, or nothing. Empty and relative entries are passed over: they mean the working
 * directory, where a clone could bring a program of its own.
 */
export function findOnPath(name, env = process.env) {
  return (env.PATH ?? "")
    .split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .map((folder) => join(folder, name))
    .find(isExecutable);
}

/** Whether `path` is a file that may be executed. */
export function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** The environment with these folders in front of PATH, the first one first. */
export function withFirstOnPath(env, ...folders) {
  return { ...env, PATH: [...folders, env.PATH].filter(Boolean).join(delimiter) };
}
