import { newId } from "../storage/ids-and-names.js";
import type { EmulatedApp } from "./record.js";

/** Files in which apps are looked for. */
export function isCode(path: string): boolean {
  return /\.(?:[cm]?[jt]sx?|py)$/.test(path) || path === "package.json" || path === "pyproject.toml";
}

/** Declaration of an app (`kernel.app("name")`, `App("name")`) or of an action of the app before. */
const declarations =
  /(?:\.app|\bApp)\(\s*(["'`])(?<app>[^"'`\n]{1,255})\1|\.action(?:<[^(]*>)?\(\s*(["'`])(?<action>[^"'`\n]{1,255})\3/g;

/**
 * Finds the apps in the code, by a search in the text. Without a declaration, the name in the manifest is the
 * app. A guess: the service runs the code.
 */
export function appsIn(files: ReadonlyMap<string, Buffer>, entrypoint: string): readonly EmulatedApp[] {
  const apps = new Map<string, string[]>();
  const paths = [...files.keys()].sort(
    (a, b) => Number(b === entrypoint) - Number(a === entrypoint) || (a < b ? -1 : 1),
  );
  for (const path of paths) {
    for (const { groups = {} } of files.get(path)?.toString().matchAll(declarations) ?? []) {
      const { app, action } = groups;
      if (app !== undefined) {
        apps.set(app, apps.get(app) ?? []);
      } else if (action !== undefined) {
        [...apps.values()].at(-1)?.push(action);
      }
    }
  }
  if (apps.size === 0) {
    const manifest = `${files.get("package.json") ?? files.get("pyproject.toml") ?? ""}`;
    apps.set(/"?name"?\s*[:=]\s*"([^"\n]{1,255})"/.exec(manifest)?.[1] ?? "app", []);
  }
  return [...apps].map(([name, actions]) => ({ id: newId(), name, actions }));
}

/** Reason why a build of the code fails; undefined for code that builds. A guess: the text. */
export function buildProblem(files: ReadonlyMap<string, Buffer>): string | undefined {
  const manifest = files.get("package.json");
  if (manifest === undefined) {
    return files.has("pyproject.toml") ? undefined : "no package.json or pyproject.toml at the root";
  }
  return /"type"\s*:\s*"module"/.test(manifest.toString())
    ? undefined
    : 'package.json has no "type": "module"';
}
