/** What `browser-infra init` writes: a copy of one of the package's examples, under another name. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { ownPackage } from "../own-package.js";

/** The languages of programs, by the value of `--language`, with their names. */
export const languages = {
  typescript: "TypeScript",
  javascript: "JavaScript",
  yaml: "YAML",
  python: "Python",
  go: "Go",
} as const;

/** What a program can declare, by the value of `--declare`, in words. */
export const subjects = {
  extension: "a browser extension",
  environment: "a whole environment: project, key, extension, pool of browsers, login",
  login: "a login that the deployment waits for",
} as const;

/** The program to write. */
export interface NewProgram {
  readonly language: keyof typeof languages;
  readonly subject: keyof typeof subjects;
  /** Name of the project, as `projectName` makes it. */
  readonly name: string;
  /** Whether the login that a person would do ends by itself: nobody is there to do it. */
  readonly withoutPerson: boolean;
}

/** The example for each subject in TypeScript. Those in other languages end in the language. */
const examples: Readonly<Record<NewProgram["subject"], string>> = {
  extension: "quickstart",
  environment: "whole-environment",
  login: "login-gate",
};

/** Folder of the example that the program is a copy of. JavaScript shares TypeScript's. */
function exampleFolder({ language, subject }: NewProgram): string {
  const isForNode = language === "typescript" || language === "javascript";
  return join(ownPackage().folder, "examples", `${examples[subject]}${isForNode ? "" : `-${language}`}`);
}

/** Longest name of a project, in characters. Source: the Pulumi CLI, which refuses longer ones. */
const nameCharactersMax = 100;

/** A folder's name as that of a project of Pulumi, of a package of npm and of a module of Go. */
export function projectName(folder: string): string {
  const valid = basename(resolve(folder))
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, "-")
    .slice(0, nameCharactersMax)
    .replace(/^[._-]+|[._-]+$/g, "");
  return valid === "" ? "browsers" : valid;
}

/** The files of a program, by their paths, with what is in them. */
export function programFiles(program: NewProgram): ReadonlyMap<string, string | Uint8Array> {
  const folder = exampleFolder(program);
  const files = new Map<string, string | Uint8Array>([[".gitignore", ignored]]);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) {
      const file = join(entry.parentPath, entry.name);
      const path = relative(folder, file);
      const adapt = adaptations[path];
      const isRenamed = path === "index.ts" && program.language === "javascript";
      const contents = readFileSync(file);
      files.set(isRenamed ? "index.js" : path, adapt ? adapt(contents.toString(), program) : contents);
    }
  }
  return files;
}

/** What Git must not keep. npm packs no file of this name, so it is in no example. */
const ignored = `node_modules/
venv/
.browser-infra/
.emulator/
.pulumi/
emulator.log
local.env.sh
`;

const realService = `
For the service itself, in a new shell and a stack of its own: \`pulumi stack init prod\`, the settings above,
\`pulumi config set browser-infra:baseUrl https://api.onkernel.com\`, \`pulumi config set --secret browser-infra:apiKey\`,
\`pulumi up\`.
`;

const javaScriptRuntime = "runtime:\n  name: nodejs\n  options:\n    typescript: false\n";

/** What differs from the example, by file. */
const adaptations: Readonly<Record<string, (text: string, program: NewProgram) => string>> = {
  "Pulumi.yaml": (text, { name, language }) =>
    text
      // In quotes, because YAML takes some names for numbers or for true.
      .replace(/^name: .*$/m, `name: ${JSON.stringify(name)}`)
      .replace("runtime: nodejs\n", language === "javascript" ? javaScriptRuntime : "$&"),
  "package.json": (text, { name, language }) => {
    const { dependencies, ...others } = JSON.parse(text) as { dependencies: Record<string, string> };
    const { typescript, ...running } = dependencies;
    const isJavaScript = language === "javascript";
    const written = {
      ...others,
      name,
      ...(isJavaScript && { type: "module" }),
      dependencies: { ...(isJavaScript ? running : dependencies), "pulumi-browser-infra": ownDependency() },
    };
    return `${JSON.stringify(written, undefined, 2)}\n`;
  },
  "go.mod": (text, { name }) => text.replace(/^module .*$/m, `module ${name}`),
  "README.md": (text, { name }) => `${text.replace(/^# .*$/m, `# ${name}`)}${realService}`,
  "seed.json": (text, { withoutPerson }) =>
    withoutPerson ? text.replace('"scenario": "password"', '"scenario": "reauthentication"') : text,
};

/** What npm notes about the packages that it has installed into a folder. */
interface InstalledPackages {
  readonly packages?: Readonly<Record<string, { readonly resolved?: string } | undefined>>;
}

/**
 * How the program's package.json names this package: by its version, or by the file or folder that
 * it was installed from, so that an unpublished package works too.
 */
function ownDependency(): string {
  const { folder, version } = ownPackage();
  const modules = dirname(folder);
  if (basename(modules) !== "node_modules") {
    return `file:${folder}`;
  }
  const lock = join(modules, ".package-lock.json");
  const { packages = {} }: InstalledPackages = existsSync(lock) ? JSON.parse(readFileSync(lock, "utf8")) : {};
  const resolved = packages["node_modules/pulumi-browser-infra"]?.resolved ?? "";
  return resolved.startsWith("file:")
    ? `file:${resolve(dirname(modules), resolved.slice("file:".length))}`
    : `^${version}`;
}
