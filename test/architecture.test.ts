import { readdirSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { join, posix, resolve } from "node:path";

const source = resolve(__dirname, "../src");

/** What a part of src may import: other parts, and packages by name. `node:` modules are listed where they are allowed. */
interface Rule {
  readonly parts: readonly string[];
  readonly packages: readonly string[];
}

/**
 * Directions of imports, design section 3. The program world (index, resources, functions and what they take of the bridge)
 * loads in every Pulumi program, so it has neither undici nor zod nor the archive at module level.
 */
const rules: Readonly<Record<string, Rule>> = {
  "index.ts": { parts: ["resources", "functions", "errors.ts"], packages: [] },
  "errors.ts": { parts: [], packages: [] },
  "duration.ts": { parts: [], packages: [] },
  "without-addresses.ts": { parts: [], packages: [] },
  "config.ts": { parts: ["errors.ts"], packages: ["node:"] },
  resources: { parts: ["bridge to the program"], packages: ["@pulumi/pulumi"] },
  functions: {
    parts: ["client", "config.ts", "errors.ts", "without-addresses.ts"],
    packages: ["@pulumi/pulumi"],
  },
  "bridge to the program": { parts: [], packages: ["@pulumi/pulumi"] },
  "bridge to the engine": {
    parts: ["bridge to the program", "providers", "duration.ts"],
    packages: ["@pulumi/pulumi", "node:"],
  },
  providers: {
    parts: ["client", "archive", "config.ts", "duration.ts", "errors.ts", "without-addresses.ts"],
    packages: ["node:"],
  },
  archive: { parts: ["errors.ts"], packages: ["node:", "fflate", "yauzl", "picomatch", "zod"] },
  client: {
    parts: ["config.ts", "duration.ts", "errors.ts", "without-addresses.ts"],
    packages: ["node:", "undici", "zod", "eventsource-parser"],
  },
  emulator: {
    parts: ["client wire schemas", "errors.ts"],
    packages: ["node:", "hono", "@hono/node-server", "zod", "yauzl"],
  },
  cli: {
    // An import file names the provider as a resource does, so the command line has the same constant text.
    parts: [
      "client",
      "archive",
      "emulator",
      "config.ts",
      "duration.ts",
      "errors.ts",
      "without-addresses.ts",
      "bridge to the program",
    ],
    packages: ["node:", "commander"],
  },
};

/** Files of the bridge that a Pulumi program loads; every other file of it loads in the provider process only. */
const bridgeToTheProgram = ["dynamic/declare.ts", "dynamic/hidden-input.ts", "dynamic/loader-text.ts"];

function partOf(file: string): string {
  if (file.startsWith("dynamic/")) {
    return bridgeToTheProgram.includes(file) ? "bridge to the program" : "bridge to the engine";
  }
  if (/^client\/([a-z-]+-)?wire\.ts$/.test(file)) {
    return "client wire schemas";
  }
  return file.split("/")[0] ?? file;
}

interface Import {
  readonly file: string;
  readonly target: string;
}

/** Every static import and re-export of src, types included: a type that is not there cannot be depended upon. */
function importsOf(file: string): Import[] {
  // Template literals and comments speak of imports without making any.
  const text = readFileSync(join(source, file), "utf8").replace(/`[^`]*`|\/\*[\s\S]*?\*\//g, "");
  const statements = text.matchAll(
    /^(?:import|export)\b[^;]*?\bfrom\s+"([^"]+)"|^import\s+"([^"]+)"|\brequire\("([^"]+)"\)/gm,
  );
  return [...statements].map(([, from, bare, required]) => ({
    file,
    target: from ?? bare ?? required ?? "",
  }));
}

function allowed({ file, target }: Import): boolean {
  const part = partOf(file);
  const rule = rules[part === "client wire schemas" ? "client" : part];
  if (rule === undefined) {
    return false;
  }
  if (target.startsWith(".")) {
    if (target.endsWith("/package.json")) {
      return true;
    }
    const targetFile = posix.normalize(posix.join(posix.dirname(file), target)).replace(/\.js$/, ".ts");
    const targetPart = partOf(targetFile);
    const sameFolder = targetPart === part || (part === "client" && targetPart === "client wire schemas");
    const fromClient = targetPart === "client wire schemas" && rule.parts.includes("client");
    return (
      sameFolder ||
      fromClient ||
      (part === "client wire schemas" && targetPart === "client") ||
      rule.parts.includes(targetPart)
    );
  }
  if (target.startsWith("node:")) {
    return rule.packages.includes("node:");
  }
  return rule.packages.some((name) => target === name || target.startsWith(`${name}/`));
}

const files = readdirSync(source, { recursive: true, encoding: "utf8" })
  .map((file) => file.replaceAll("\\", "/"))
  .filter((file) => file.endsWith(".ts"));

describe("architecture", () => {
  test("has imports that run one way", () => {
    const imports = files.flatMap(importsOf);
    expect(imports.length).toBeGreaterThan(50);
    expect(imports.filter((each) => !allowed(each))).toEqual([]);
  });

  test("notices an import that goes the wrong way", () => {
    const wrong = [
      { file: "resources/extension.ts", target: "../client/index.js" },
      { file: "resources/extension.ts", target: "zod" },
      { file: "dynamic/declare.ts", target: "../providers/lifecycle.js" },
      { file: "providers/extension.ts", target: "@pulumi/pulumi" },
      { file: "providers/extension.ts", target: "../dynamic/hidden-input.js" },
      { file: "emulator/index.ts", target: "../archive/index.js" },
      { file: "emulator/index.ts", target: "../client/index.js" },
      { file: "client/index.ts", target: "../providers/extension.js" },
      { file: "archive/index.ts", target: "../client/index.js" },
      { file: "index.ts", target: "./emulator/index.js" },
      { file: "index.ts", target: "undici" },
    ];
    expect(wrong.filter(allowed)).toEqual([]);
  });

  test("names built-in modules with their prefix", () => {
    const builtIn = files.flatMap(importsOf).filter(
      // Some are known by their prefixed name alone.
      ({ target }) => !target.startsWith("node:") && builtinModules.includes(target),
    );
    expect(builtIn).toEqual([]);
  });

  test("has a rule for every part and no folder that is named for nothing", () => {
    const forbidden = /(^|\/)(utils?|helpers?|common|misc|shared|types|constants)(\/|\.ts$)/;
    expect(files.filter((file) => forbidden.test(file) && file !== "client/types.ts")).toEqual([]);
    const parts = new Set(files.map(partOf));
    parts.delete("client wire schemas");
    expect([...parts].filter((part) => !(part in rules))).toEqual([]);
  });
});
