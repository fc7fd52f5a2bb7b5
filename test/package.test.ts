import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import * as errorFamily from "../src/errors.js";
import { temporaryFolder } from "./support/temporary-folder.js";

const root = resolve(__dirname, "..");
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** Runs a script in a separate process, where "pulumi-browser-infra" is the built package. */
function run(script: string): string {
  return execFileSync(process.execPath, ["-e", script], { cwd: root, encoding: "utf8" });
}

describe("the built package", () => {
  test("exports its names from every entry of package.json", () => {
    const entries = Object.keys(manifest.exports).filter((entry) => !entry.endsWith(".json"));
    const names = run(`
      const entries = ${JSON.stringify(entries)};
      console.log(JSON.stringify(entries.map((entry) => Object.keys(require("pulumi-browser-infra" + entry.slice(1))).sort())));`);
    const [program, client, emulator, dynamic] = JSON.parse(names);
    const functions = [
      "ApiKey",
      "ApiKeys",
      "AuthConnection",
      "Extension",
      "Project",
      "ProjectLimits",
      "Projects",
    ];
    expect(program).toEqual(
      [
        "ApiKeyName",
        ...Object.keys(errorFamily),
        "Extension",
        "LoginFlow",
        "Provider",
        ...functions.flatMap((name) => [`get${name}`, `get${name}Output`]),
      ].sort(),
    );
    expect(client).toEqual(
      expect.arrayContaining(["BrowserInfraClient", "isNotFound", "OutcomeUnknownError"]),
    );
    expect(emulator).toContain("startEmulator");
    expect(dynamic).toEqual(["open"]);
  });

  test("loads nothing into a Pulumi program but itself and Pulumi", () => {
    const loaded: string[] = JSON.parse(
      run(`
        require("@pulumi/pulumi");
        const before = new Set(Object.keys(require.cache));
        require("pulumi-browser-infra");
        console.log(JSON.stringify(Object.keys(require.cache).filter((file) => !before.has(file))));`),
    );
    expect(loaded.length).toBeGreaterThan(3);
    expect(loaded.filter((file) => !file.startsWith(join(root, "dist")))).toEqual([]);
    expect(loaded.filter((file) => /dist\/(client|archive|providers|emulator)/.test(file))).toEqual([]);
  });

  test("brings no types of other packages but Pulumi's into a user's type check", () => {
    const packages = new Set<string>();
    const files = [join(root, "dist/index.d.ts")];
    for (const file of files) {
      for (const [, from = ""] of readFileSync(file, "utf8").matchAll(/\b(?:from |import\()"([^"]+)"/g)) {
        const next = join(dirname(file), from.replace(/\.js$/, ".d.ts"));
        if (!from.startsWith(".")) {
          packages.add(from);
        } else if (!files.includes(next)) {
          files.push(next);
        }
      }
    }
    expect(files.map((file) => relative(root, file))).toContain("dist/client/types.d.ts");
    expect([...packages]).toEqual(["@pulumi/pulumi"]);
  });

  test("X16: publishes dist, its documents and nothing else", () => {
    const [pack] = JSON.parse(
      execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts", "--loglevel=error"], {
        cwd: root,
        encoding: "utf8",
      }),
    );
    const topLevel = new Set(pack.files.map(({ path }: { path: string }) => path.split("/")[0]));
    expect([...topLevel].sort()).toEqual([
      "CHANGELOG.md",
      "LICENSE",
      "README.md",
      "dist",
      "docs",
      "package.json",
    ]);
    expect(pack.unpackedSize).toBeLessThan(1_500_000);
  });

  test("X16: pins the versions that the build and the checks depend on", () => {
    expect(manifest.devDependencies.typescript).toMatch(/^6\.0\.\d+$/);
    expect(manifest.devDependencies["@biomejs/biome"]).toMatch(/^\d/);
  });
});

describe("README", () => {
  test("has programs that compile like a user's own", () => {
    const programs = [...readFileSync(join(root, "README.md"), "utf8").matchAll(/```ts\n([\s\S]*?)```/g)];
    expect(programs.length).toBeGreaterThan(0);
    const folder = temporaryFolder(join(root, ".tools"));
    const files = programs.map(([, program = ""], index) => {
      const file = join(folder, `program-${index}.ts`);
      writeFileSync(file, program);
      return file;
    });
    const options = [
      "--noEmit",
      "--strict",
      "--skipLibCheck",
      "--module",
      "nodenext",
      "--types",
      "node",
      "--ignoreConfig",
    ];
    execFileSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), ...options, ...files], {
      cwd: root,
      stdio: "pipe",
    });
  });
});
