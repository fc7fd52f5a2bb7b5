/** Program written by `browser-infra init`: a renamed copy of an example in this package. */
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { InputError, LocalError } from "../../errors.js";
import { listed } from "../../text/words.js";
import { ownPackage } from "../processes/own-package.js";
import { displayText } from "../terminal/text.js";
import { settingsFile } from "./pulumi.js";

/** Languages of programs. In lower case: the values of `--language`. */
export const languages = ["TypeScript", "JavaScript", "YAML", "Python", "Go"] as const;

/** Subjects of programs. The first word, in lower case, is the value of `--declare`. */
export const subjects = [
  "Extension: an extension that browsers load",
  "Environment: project, key, extension, browser pool, login",
  "Component: a browser environment, with everything that agents need in one resource",
  "Login: a login that the deployment waits for",
] as const;

export interface NewProgram {
  readonly language: Lowercase<(typeof languages)[number]>;
  readonly subject: keyof typeof examples;
  /** Whether the login of the subject `login` succeeds by itself, because no person can log in. */
  readonly isUnattended: boolean;
  /** Browser of the emulator: a path, or true for the browser of this machine. Default: none. */
  readonly browser?: string | true | undefined;
}

/** Examples for Node.js, by subject. Examples for further languages end in the language. */
const examples = {
  extension: "quickstart",
  environment: "whole-environment",
  component: "browser-environment",
  login: "login-gate",
};

/**
 * Writes a program into a folder, and returns the written names. Throws `InputError`
 * `folder_unusable` before any write, and `LocalError` `output_failed`.
 */
export function writeProgram(folder: string, program: NewProgram): readonly string[] {
  const files = filesOf(program, projectName(folder));
  const names = [...new Set(files.map(([path]) => path.replace(/[\\/].*/, "")))].sort();
  try {
    const made = [settingsFile, ".emulator", ".pulumi"];
    const inTheWay = [...names, ...made].filter((name) =>
      lstatSync(join(folder, name), { throwIfNoEntry: false }),
    );
    if (inTheWay.length > 0) {
      const problem = `"${displayText(folder)}" already has ${listed(inTheWay)}. Nothing was written. Move the existing files away, or choose a different folder.`;
      throw new InputError("folder_unusable", "folder", problem);
    }
    for (const [path, contents] of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), contents, { flag: "wx" });
    }
    return names;
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const problem = `Writing the program into "${displayText(folder)}" failed (${code}). Check the disk and the permissions, or choose a different folder.`;
    throw cause instanceof InputError ? cause : new LocalError("output_failed", problem, { cause });
  }
}

/** Folder name as a valid project name for Pulumi (at most 100 characters), npm and Go. */
function projectName(folder: string): string {
  const valid = basename(resolve(folder))
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, "-");
  return valid.slice(0, 100).replace(/^[._-]+|[._-]+$/g, "") || "browsers";
}

/** Files of a program: path and content. */
function filesOf(program: NewProgram, name: string): (readonly [string, string | Uint8Array])[] {
  const { language, subject } = program;
  const isForNode = language === "typescript" || language === "javascript";
  const example = `${examples[subject]}${isForNode ? "" : `-${language}`}`;
  const folder = join(ownPackage().folder, "examples", example);
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const path = relative(folder, join(entry.parentPath, entry.name));
      const contents = readFileSync(join(folder, path));
      const written = adapted[path]?.(contents.toString(), name, program) ?? contents;
      return [path === "index.ts" && language === "javascript" ? "index.js" : path, written] as const;
    });
  return [...files, [".gitignore", gitignore]];
}

/** Content of `.gitignore`. npm packs no file of this name, so the examples have none. */
const gitignore = "node_modules/\nvenv/\n.emulator/\n.pulumi/\nemulator.log\nlocal.env.sh\n";

/** Changes to the example, by file. YAML gets a quoted name: `1` would be a number. */
const adapted: Readonly<Record<string, (text: string, name: string, program: NewProgram) => string>> = {
  "Pulumi.yaml": (text, name, { language }) => {
    const named = text.replace(/^name: .*$/m, `name: "${name}"`);
    const javaScript = "runtime:\n  name: nodejs\n  options:\n    typescript: false\n";
    return language === "javascript" ? named.replace("runtime: nodejs\n", javaScript) : named;
  },
  "package.json": (text, name, { language }) => {
    const { dependencies, ...others } = JSON.parse(text);
    dependencies["pulumi-browser-infra"] = ownDependency();
    if (language === "javascript") {
      delete dependencies.typescript;
      others.type = "module";
    }
    return `${JSON.stringify({ ...others, name, dependencies }, undefined, 2)}\n`;
  },
  "go.mod": (text, name) => text.replace(/^module .*$/m, `module ${name}`),
  "README.md": (text, name) => text.replace(/^# .*$/m, `# ${name}`),
  "seed.json": (text, _name, { isUnattended }) =>
    isUnattended ? text.replace('"scenario": "password"', '"scenario": "reauthentication"') : text,
};

/** Version of this package, or the installed file or folder, which may be unpublished. */
function ownDependency(): string {
  const { folder, version } = ownPackage();
  const modules = dirname(folder);
  if (basename(modules) !== "node_modules") {
    return `file:${folder}`;
  }
  const lock = join(modules, ".package-lock.json");
  const installed = existsSync(lock) ? JSON.parse(readFileSync(lock, "utf8")) : {};
  const resolved: string = installed.packages?.["node_modules/pulumi-browser-infra"]?.resolved ?? "";
  const isFile = resolved.startsWith("file:");
  return isFile ? `file:${resolve(dirname(modules), resolved.replace("file:", ""))}` : `^${version}`;
}
