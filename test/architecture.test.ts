import { readdirSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { dirname, join, posix, resolve } from "node:path";

const source = resolve(__dirname, "../src");

/**
 * What a part of src may import. A part is a folder, with the folders in it unless they are parts
 * too, or one file.
 */
interface Rule {
  /** Parts it may import. */
  readonly parts: readonly string[];
  /** Packages it may import; `node:` stands for every module of Node. */
  readonly packages: readonly string[];
  /**
   * Parts from which it may import types only, and those it may load with `require` when they are
   * first needed.
   */
  readonly types?: readonly string[];
  readonly lazily?: readonly string[];
}

const everywhere = ["config.ts", "errors.ts", "text"];

/** The folders of the life cycles, one for each kind of resource. */
const lifeCycles = readdirSync(join(source, "providers"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !["core", "journal"].includes(entry.name))
  .map(({ name }) => `providers/${name}`);

/** Files at the top of the client that import nothing else of it. */
const leavesOfClient = [
  "client/records",
  "client/names.ts",
  "client/options.ts",
  "client/api-key-rotation.ts",
  "client/browser-pool-settings.ts",
  "client/refusals.ts",
];

/** What can be asked of the service, without Pulumi. */
const reads = ["functions/reads.ts", "functions/signatures.ts", "functions/forms.ts"];

/** Files at the top of the archive that its rooms may import. They import none of the rooms. */
const leavesOfArchive = ["archive/contents.ts", "archive/steps.ts"];

/**
 * Directions of imports, as in docs/architecture.md. The program world (index, resources,
 * functions and what they take of the bridge) loads in every Pulumi program. So it has
 * neither undici nor zod nor the archive at module level.
 *
 * From outside, `client`, `archive` and `emulator` are what lies at the top of their folders. The
 * folders in them are theirs alone.
 */
const rules: Readonly<Record<string, Rule>> = {
  // The first import of every entry, which must load in Nodes that load nothing else of this
  // package.
  "node-version.ts": { parts: [], packages: ["node:"] },
  "index.ts": {
    parts: ["node-version.ts", "resources", "functions", "errors.ts"],
    packages: [],
    types: ["functions/signatures.ts"],
  },
  "errors.ts": { parts: [], packages: [] },
  "config.ts": { parts: ["base-url.ts", "errors.ts"], packages: [] },
  "base-url.ts": { parts: [], packages: ["node:"] },
  text: { parts: [], packages: [] },

  resources: {
    parts: ["functions", "dynamic, in the program", ...everywhere],
    packages: ["@pulumi/pulumi"],
    types: ["bridges", "providers", ...lifeCycles],
  },
  // The second entry of a Pulumi program: the same classes and functions, managed by the plugin.
  "bridges/plugin/sdk": {
    parts: ["resources", "dynamic, in the program", "node-version.ts", "errors.ts"],
    packages: ["@pulumi/pulumi"],
    types: ["bridges", "functions", ...reads],
  },
  functions: {
    parts: [...reads, "dynamic, in the program", ...everywhere],
    packages: ["@pulumi/pulumi", "node:"],
    types: ["client", "client/accounts.ts"],
    lazily: ["client/accounts.ts"],
  },
  // Programs and the provider plugin ask with them, each with its own client.
  "functions/reads.ts": {
    parts: [...reads, ...everywhere],
    packages: [],
    types: ["client"],
  },
  "functions/signatures.ts": {
    parts: reads,
    packages: [],
    types: ["client/records"],
  },
  "functions/forms.ts": { parts: ["errors.ts"], packages: [] },
  "dynamic, in the program": { parts: ["errors.ts"], packages: ["@pulumi/pulumi"], types: ["bridges"] },
  "dynamic, in the provider process": {
    parts: [
      "dynamic, in the program",
      "bridges/dynamic/hidden-input.ts",
      "bridges",
      "providers",
      "node-version.ts",
      "errors.ts",
      "text",
    ],
    packages: ["@pulumi/pulumi", "@grpc/grpc-js", "node:"],
  },
  // What its resources keep in the state; the command line writes it into an import file.
  "bridges/dynamic/hidden-input.ts": {
    parts: ["dynamic, in the program", "bridges", "providers"],
    packages: [],
  },
  // What both bridges to the engine share.
  bridges: {
    parts: ["providers", ...lifeCycles, "errors.ts", "text"],
    packages: ["@pulumi/pulumi", "@grpc/grpc-js", "node:"],
  },
  "bridges/plugin": {
    parts: ["bridges", ...reads, "providers", ...lifeCycles, "node-version.ts", ...everywhere],
    packages: ["@pulumi/pulumi/proto", "@grpc/grpc-js", "google-protobuf", "node:"],
  },

  // The client takes half of the time that a provider needs to load, so `Accounts` loads it.
  providers: {
    parts: [
      "client/records",
      "client/names.ts",
      "client/refusals.ts",
      "client/accounts.ts",
      "archive",
      ...everywhere,
    ],
    packages: ["node:", "zod"],
    types: ["client"],
  },
  "providers/extension": {
    parts: ["providers", "client/records", "client/refusals.ts", "client/names.ts", "archive", ...everywhere],
    packages: ["node:", "zod"],
    types: ["client"],
  },
  // A key is renamed the same way, whether its resource has made it or not.
  "providers/api-key": {
    parts: [
      "providers",
      "providers/api-key-name",
      "client/records",
      "client/refusals.ts",
      "client/api-key-rotation.ts",
      ...everywhere,
    ],
    packages: ["node:", "zod"],
    types: ["client"],
  },
  "providers/api-key-name": {
    parts: ["providers", "client/records", "client/refusals.ts", "client/names.ts", ...everywhere],
    packages: ["node:", "zod"],
    types: ["client"],
  },
  "providers/browser-pool": {
    parts: [
      "providers",
      "client/records",
      "client/refusals.ts",
      "client/browser-pool-settings.ts",
      ...everywhere,
    ],
    packages: ["node:", "zod"],
    types: ["client"],
  },
  "providers/project": {
    parts: ["providers", "client/records", "client/refusals.ts", "client/names.ts", ...everywhere],
    packages: ["node:"],
    types: ["client"],
  },
  "providers/project-limits": {
    parts: ["providers", "client/records", "client/refusals.ts", ...everywhere],
    packages: ["node:"],
    types: ["client"],
  },
  "providers/login-flow": {
    parts: ["providers", "client/records", "client/refusals.ts", "client/login/reporter.ts", ...everywhere],
    packages: ["node:", "zod"],
    types: ["client"],
  },

  archive: {
    parts: [...leavesOfArchive, "archive/zip", "archive/source", "errors.ts", "text"],
    packages: ["node:"],
  },
  "archive/contents.ts": { parts: [], packages: ["node:"] },
  "archive/steps.ts": { parts: ["errors.ts"], packages: ["node:"] },
  "archive/zip": {
    parts: [...leavesOfArchive, "archive/source", "archive/rules", "errors.ts", "text"],
    packages: ["node:"],
  },
  "archive/source": {
    parts: [...leavesOfArchive, "archive/manifest", "archive/rules", "errors.ts", "text"],
    packages: ["node:", "yauzl"],
  },
  "archive/manifest": {
    parts: [...leavesOfArchive, "archive/rules", "errors.ts", "text"],
    packages: ["node:", "strip-json-comments"],
  },
  "archive/rules": {
    parts: [...leavesOfArchive, "errors.ts", "text"],
    packages: ["node:", "picomatch"],
  },

  client: {
    parts: [
      ...leavesOfClient,
      "client/operations",
      "client/login",
      "client/login/standing.ts",
      "client/http",
      "client/wire",
      "node-version.ts",
      ...everywhere,
    ],
    packages: ["node:"],
  },
  // Functions and the command line share these types, so nothing else may come with them.
  "client/records": { parts: [], packages: [] },
  "client/names.ts": { parts: ["text"], packages: [] },
  "client/api-key-rotation.ts": { parts: ["client/options.ts", "errors.ts"], packages: [] },
  "client/browser-pool-settings.ts": { parts: ["client/names.ts", "client/records"], packages: [] },
  "client/options.ts": { parts: ["errors.ts"], packages: [] },
  "client/refusals.ts": { parts: ["errors.ts"], packages: [] },
  // Both bridges load it at once. The client comes with the first call of the service.
  "client/accounts.ts": { parts: [], packages: [], types: ["client", "config.ts"], lazily: ["client"] },
  "client/operations": {
    parts: [
      ...leavesOfClient,
      "client/login",
      "client/login/standing.ts",
      "client/http",
      "client/wire",
      ...everywhere,
    ],
    packages: ["node:", "zod"],
  },
  "client/login": {
    parts: [...leavesOfClient, "client/login/standing.ts", "client/http", "client/wire", "errors.ts", "text"],
    packages: ["node:", "zod"],
  },
  // Words for people who wait for a login; the provider and the command line use them.
  "client/login/reporter.ts": {
    parts: ["client/login/standing.ts", "client/records", "text"],
    packages: [],
  },
  "client/login/standing.ts": { parts: ["client/records"], packages: [] },
  "client/http": {
    parts: [
      "client/wire",
      "client/names.ts",
      "client/records",
      "client/refusals.ts",
      "base-url.ts",
      ...everywhere,
    ],
    packages: ["node:", "undici", "zod", "eventsource-parser"],
  },
  "client/wire": {
    parts: ["client/names.ts", "client/records", "errors.ts", "text"],
    packages: ["zod"],
  },

  // The emulator shares no judgement with the client or the provider.
  emulator: {
    parts: [
      "emulator/seed",
      "emulator/logins",
      "emulator/extensions",
      "emulator/browser-pools",
      "emulator/api-keys",
      "emulator/projects",
      "emulator/api-keys/access.ts",
      "emulator/http",
      "emulator/storage",
      "node-version.ts",
      "errors.ts",
      "text",
    ],
    packages: ["node:", "hono", "@hono/node-server", "zod"],
  },
  "emulator/seed": {
    parts: [
      "emulator/logins",
      "emulator/extensions",
      "emulator/browser-pools",
      "emulator/api-keys",
      "emulator/projects",
      "emulator/http",
      "emulator/storage",
      "errors.ts",
      "text",
    ],
    packages: ["node:", "zod"],
  },
  "emulator/logins": {
    parts: [
      "emulator/api-keys/access.ts",
      "emulator/projects",
      "emulator/http",
      "emulator/storage",
      "errors.ts",
      "text",
    ],
    packages: ["node:", "hono", "zod"],
  },
  "emulator/extensions": {
    parts: [
      "emulator/api-keys/access.ts",
      "emulator/projects",
      "emulator/http",
      "emulator/storage",
      "errors.ts",
      "text",
    ],
    packages: ["node:", "hono", "zod", "yauzl", "strip-json-comments"],
  },
  "emulator/browser-pools": {
    parts: [
      "emulator/api-keys/access.ts",
      "emulator/extensions",
      "emulator/projects",
      "emulator/http",
      "emulator/storage",
      "errors.ts",
    ],
    packages: ["node:", "hono", "zod"],
  },
  "emulator/api-keys": {
    parts: [
      "emulator/api-keys/access.ts",
      "emulator/projects",
      "emulator/http",
      "emulator/storage",
      "errors.ts",
      "text",
    ],
    packages: ["node:", "hono", "zod"],
  },
  "emulator/projects": {
    parts: ["emulator/api-keys/access.ts", "emulator/http", "emulator/storage", "errors.ts", "text"],
    packages: ["node:", "hono", "zod"],
  },
  // Who a request comes from and which project it is about.
  "emulator/api-keys/access.ts": {
    parts: ["emulator/api-keys", "emulator/projects", "emulator/http", "emulator/storage", "errors.ts"],
    packages: ["node:", "hono"],
  },
  "emulator/http": {
    parts: ["emulator/storage", "errors.ts", "text"],
    packages: ["node:", "hono", "@hono/node-server", "zod"],
  },
  "emulator/storage": { parts: ["errors.ts", "text"], packages: ["node:"] },

  cli: {
    parts: ["cli/commands", "cli/terminal", "client", "client/records", "node-version.ts", ...everywhere],
    packages: ["node:", "commander"],
  },
  "cli/commands": {
    parts: [
      "cli",
      "cli/terminal",
      "client",
      "client/records",
      "client/names.ts",
      "client/api-key-rotation.ts",
      "archive",
      "emulator",
      // An import is read by the life cycles, and written as a dynamic resource is kept.
      "bridges/dynamic/hidden-input.ts",
      ...everywhere,
    ],
    packages: ["node:", "commander"],
    types: ["bridges", "providers"],
    lazily: ["bridges"],
  },
  "cli/terminal": {
    parts: ["client", "client/records", "client/login/reporter.ts", "errors.ts", "text"],
    packages: ["node:", "get-east-asian-width"],
  },
};

/**
 * Files of the bridge that a Pulumi program loads; every other file of it loads in the provider
 * process only.
 */
const dynamicInTheProgram = ["bridges/dynamic/declare.ts", "bridges/dynamic/contract.ts"];

/** Most entries of a folder: the eye takes in no more at once. */
const entriesMax = 14;

/** Fewest lines of a file that is neither a door (`index.ts`), nor types alone, nor a program. */
const linesMin = 25;

/** The part with the longest path that holds a file. */
function partOf(file: string): string {
  if (rules[file] === undefined && file.startsWith("bridges/dynamic/")) {
    return dynamicInTheProgram.includes(file)
      ? "dynamic, in the program"
      : "dynamic, in the provider process";
  }
  let part = file;
  while (rules[part] === undefined && part.includes("/")) {
    part = posix.dirname(part);
  }
  return part;
}

interface Import {
  readonly file: string;
  readonly target: string;
  /** `type`: gone once it is compiled. `lazy`: a `require` that runs when it is needed. */
  readonly kind?: "type" | "lazy";
}

/**
 * Every import and re-export of a file, types included: a type that is not there cannot be depended
 * upon.
 */
function importsOf(file: string): Import[] {
  // Template literals and comments speak of imports without making any.
  const text = readFileSync(join(source, file), "utf8").replace(/`[^`]*`|\/\*[\s\S]*?\*\//g, "");
  const statements = text.matchAll(
    /^(?:import|export)\b( type\b)?[^;]*?\bfrom\s+"([^"]+)"|^import\s+"([^"]+)"|\b(?:require|import)\("([^"]+)"\)/gm,
  );
  return [...statements].map(([, type, from, bare, called]) => ({
    file,
    target: from ?? bare ?? called ?? "",
    ...(type !== undefined && { kind: "type" as const }),
    ...(called !== undefined && { kind: "lazy" as const }),
  }));
}

/** The file of src that an import names; undefined for a package. */
function targetFile({ file, target }: Import): string | undefined {
  return target.startsWith(".")
    ? posix.normalize(posix.join(posix.dirname(file), target)).replace(/\.js$/, ".ts")
    : undefined;
}

function allowed(each: Import): boolean {
  const part = partOf(each.file);
  const rule = rules[part];
  if (rule === undefined) {
    return false;
  }
  const file = targetFile(each);
  if (file !== undefined) {
    const target = partOf(file);
    return (
      file.endsWith("/package.json") ||
      target === part ||
      rule.parts.includes(target) ||
      (each.kind === "type" && rule.types?.includes(target) === true) ||
      (each.kind === "lazy" && rule.lazily?.includes(target) === true)
    );
  }
  if (each.target.startsWith("node:")) {
    return rule.packages.includes("node:");
  }
  return rule.packages.some((name) => each.target === name || each.target.startsWith(`${name}/`));
}

/**
 * Groups of files each of which can be reached from every other (Tarjan's algorithm), as lines of
 * sorted names.
 */
function circlesIn(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const circles: string[] = [];
  const index = new Map<string, number>();
  const lowest = new Map<string, number>();
  const path: string[] = [];
  const visit = (file: string): void => {
    index.set(file, index.size);
    let low = index.size - 1;
    path.push(file);
    for (const next of graph.get(file) ?? []) {
      if (!index.has(next)) {
        visit(next);
      }
      if (path.includes(next)) {
        low = Math.min(low, lowest.get(next) ?? index.get(next) ?? low);
      }
    }
    lowest.set(file, low);
    if (low === index.get(file)) {
      const circle = path.splice(path.indexOf(file));
      if (circle.length > 1 || graph.get(file)?.includes(file)) {
        circles.push(circle.sort().join(", "));
      }
    }
  };
  for (const file of graph.keys()) {
    if (!index.has(file)) {
      visit(file);
    }
  }
  return circles.sort();
}

const files = readdirSync(source, { recursive: true, encoding: "utf8" })
  .map((file) => file.replaceAll("\\", "/"))
  .filter((file) => file.endsWith(".ts"));

describe("imports", () => {
  test("run one way", () => {
    const imports = files.flatMap(importsOf);
    expect(imports.length).toBeGreaterThan(50);
    expect(imports.filter((each) => !allowed(each))).toEqual([]);
  });

  test("that go the wrong way are noticed", () => {
    const wrong: Import[] = [
      { file: "resources/extension.ts", target: "../client/index.js" },
      { file: "resources/extension.ts", target: "../providers/extension/properties.js" },
      { file: "resources/extension.ts", target: "../client/index.js", kind: "type" },
      { file: "resources/extension.ts", target: "zod" },
      { file: "bridges/plugin/sdk/functions.ts", target: "../../../functions/functions.js" },
      { file: "bridges/plugin/sdk/resources.ts", target: "../../../providers/lifecycle.js", kind: "type" },
      { file: "functions/invoke.ts", target: "../client/index.js" },
      { file: "functions/invoke.ts", target: "../client/http/transport.js", kind: "lazy" },
      { file: "functions/reads.ts", target: "@pulumi/pulumi" },
      { file: "functions/reads.ts", target: "../client/index.js" },
      { file: "functions/reads.ts", target: "./output-arguments.js", kind: "type" },
      { file: "bridges/dynamic/declare.ts", target: "../../providers/lifecycle.js" },
      { file: "bridges/plugin/server.ts", target: "@pulumi/pulumi" },
      { file: "bridges/plugin/server.ts", target: "../dynamic/adapter.js" },
      { file: "bridges/engine-log.ts", target: "../plugin/server.js" },
      { file: "providers/extension/check.ts", target: "@pulumi/pulumi" },
      { file: "providers/extension/check.ts", target: "../../bridges/dynamic/contract.js" },
      { file: "providers/extension/check.ts", target: "../../client/http/transport.js" },
      { file: "providers/login-flow/lifecycle.ts", target: "../../archive/index.js" },
      { file: "providers/login-flow/lifecycle.ts", target: "../extension/check.js" },
      { file: "emulator/index.ts", target: "../archive/index.js" },
      { file: "emulator/index.ts", target: "../client/index.js" },
      { file: "emulator/index.ts", target: "../client/records/extension.js", kind: "type" },
      { file: "emulator/http/exchange.ts", target: "../projects/store.js" },
      { file: "client/index.ts", target: "../providers/lifecycle.js" },
      { file: "client/records/extension.ts", target: "../wire/records.js", kind: "type" },
      { file: "client/http/transport.ts", target: "../operations/projects.js" },
      { file: "client/wire/project.ts", target: "../http/json.js" },
      { file: "archive/index.ts", target: "../client/index.js" },
      { file: "archive/rules/exclude.ts", target: "../source/folder.js" },
      { file: "archive/source/folder.ts", target: "../zip/writer.js" },
      { file: "archive/contents.ts", target: "./manifest/manifest.js", kind: "type" },
      { file: "cli/terminal/table.ts", target: "../commands/projects.js" },
      { file: "text/escape.ts", target: "../errors.js" },
      { file: "index.ts", target: "./emulator/index.js" },
      { file: "index.ts", target: "undici" },
    ];
    expect(wrong.filter(allowed)).toEqual([]);
  });

  test("name built-in modules with their prefix", () => {
    const builtIn = files.flatMap(importsOf).filter(
      // Some are known by their prefixed name alone.
      ({ target }) => !target.startsWith("node:") && builtinModules.includes(target),
    );
    expect(builtIn).toEqual([]);
  });

  test("form no circle, those of types included", () => {
    const graph = new Map(
      files.map((file) => [file, importsOf(file).flatMap((each) => targetFile(each) ?? [])]),
    );
    expect(circlesIn(graph)).toEqual([]);
  });

  test("that form circles are noticed", () => {
    const graph = new Map([
      ["a", ["b", "e"]],
      ["b", ["c"]],
      ["c", ["d", "a"]],
      ["d", ["f"]],
      ["e", ["e"]],
      ["f", ["g"]],
      ["g", ["f"]],
      ["h", ["a", "g"]],
    ]);
    expect(circlesIn(graph)).toEqual(["a, b, c", "e", "f, g"]);
  });
});

describe("folders and files", () => {
  test("each belong to a part with a rule, and none is named utils, helpers or common", () => {
    const forbidden = /(^|\/)(utils?|helpers?|common|misc|shared|types|constants)(\/|\.ts$)/;
    expect(files.filter((file) => forbidden.test(file))).toEqual([]);
    expect(files.filter((file) => rules[partOf(file)] === undefined)).toEqual([]);
  });

  test(`of a folder are at most ${entriesMax}`, () => {
    const folders = new Set(files.map((file) => dirname(file)));
    const full = [...folders].filter((folder) => readdirSync(join(source, folder)).length > entriesMax);
    expect(full).toEqual([]);
  });

  test(`have at least ${linesMin} lines, unless they are doors, types or programs`, () => {
    const short = files.filter((file) => {
      const text = readFileSync(join(source, file), "utf8");
      // A program, such as that of a worker, exports nothing.
      const hasNoValues = !/^export (?!type\b|interface\b)/m.test(text);
      return (
        text.trimEnd().split("\n").length < linesMin && !hasNoValues && posix.basename(file) !== "index.ts"
      );
    });
    expect(short).toEqual([]);
  });
});
