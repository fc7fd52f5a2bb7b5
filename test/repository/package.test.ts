import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { resourceKinds } from "../../src/bridges/kinds.js";
import * as errorFamily from "../../src/errors.js";
import { reads } from "../../src/functions/reads.js";
import { packed, packedFiles } from "./documents/packed.js";

const root = resolve(__dirname, "../..");
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** Runs a script in a separate process, where "pulumi-browser-infra" is the built package. */
function run(script: string): string {
  return execFileSync(process.execPath, ["-e", script], { cwd: root, encoding: "utf8" });
}

describe("the built package", () => {
  test("the built package exports the public names from every entry of package.json", () => {
    const entries = Object.keys(manifest.exports).filter((entry) => !entry.endsWith(".json"));
    const names = run(`
      const entries = ${JSON.stringify(entries)};
      console.log(JSON.stringify(entries.map((entry) => Object.keys(require("pulumi-browser-infra" + entry.slice(1))).sort())));`);
    const [program, plugin, client, emulator, dynamic] = JSON.parse(names);
    const declared = [
      ...resourceKinds,
      "BrowserEnvironment",
      "Provider",
      ...Object.keys(reads).flatMap((name) => [name, `${name}Output`]),
    ];
    expect(program).toEqual([...Object.keys(errorFamily), ...declared].sort());
    const ofArguments = ["BrowserInfraError", "InputError", "isBrowserInfraError"];
    expect(plugin).toEqual([...ofArguments, ...declared].sort());
    expect(client).toEqual(
      expect.arrayContaining(["BrowserInfraClient", "isNotFound", "OutcomeUnknownError"]),
    );
    expect(emulator).toContain("startEmulator");
    expect(dynamic).toEqual(["open"]);
  });

  test.each(["", "/plugin"])(
    "the built package loads only its own files into a Pulumi program, besides Pulumi: entry %j",
    (entry) => {
      const loaded: string[] = JSON.parse(
        run(`
        require("@pulumi/pulumi");
        const before = new Set(Object.keys(require.cache));
        require("pulumi-browser-infra${entry}");
        console.log(JSON.stringify(Object.keys(require.cache).filter((file) => !before.has(file))));`),
      );
      expect(loaded.length).toBeGreaterThan(3);
      const ours = [join(root, "dist"), join(root, "package.json")];
      expect(loaded.filter((file) => !ours.some((place) => file.startsWith(place)))).toEqual([]);
      const inTheProgram =
        /dist\/(errors|config|index|node-version|text\/|resources\/|functions\/|bridges\/plugin\/sdk\/)/;
      expect(loaded.filter((file) => file.includes("/dist/") && !inTheProgram.test(file))).toEqual([]);
    },
  );

  test.each([
    ["index", ["@pulumi/pulumi"]],
    ["bridges/plugin/sdk/index", ["@pulumi/pulumi"]],
    ["client/index", []],
    ["emulator/index", ["node:http"]],
  ])(
    "the type declarations of the built package import only the expected packages: %s",
    (entry, expected) => {
      const packages = new Set<string>();
      const files = [join(root, `dist/${entry}.d.ts`)];
      for (const file of files) {
        // A docstring may show an import.
        const code = readFileSync(file, "utf8").replace(/\/\*[\s\S]*?\*\//g, "");
        for (const [, from = ""] of code.matchAll(/\b(?:from |import\()"([^"]+)"/g)) {
          const next = join(dirname(file), from.replace(/\.js$/, ".d.ts"));
          if (!from.startsWith(".")) {
            packages.add(from);
          } else if (!files.includes(next)) {
            files.push(next);
          }
        }
      }
      expect(files.length).toBeGreaterThan(5);
      expect([...packages]).toEqual(expected);
    },
  );

  test("X16: the package publishes only dist, plugin, schema, SDKs, pages for users and examples", () => {
    const paths = packedFiles();
    // "npm run generate:sdks" writes sdk.
    const ofFolders = /^(dist|docs|examples|sdk\/(python|go))\//;
    expect(paths.filter((path) => !ofFolders.test(path)).sort()).toEqual([
      "CHANGELOG.md",
      "LICENSE",
      "README.md",
      "SECURITY.md",
      "package.json",
      "plugin/NOTICES.txt",
      "plugin/bundle.cjs",
      "plugin/plugin.cjs",
      "plugin/pulumi-resource-",
      "plugin/pulumi-resource-browser-infra",
      "plugin/pulumi-resource-browser-infra.cmd",
      "schema.json",
    ]);
    // The plugin is published as a bundle. The single parts need packages that no user installs.
    expect(paths.filter((path) => /^dist\/plugin\/[^/]+$/.test(path))).toEqual([]);
    const compiled = /^dist\/[\w/-]+(\.d\.ts|\.m?js|\.json|\.html|\.css|\.wasm)$/;
    const page = /^docs\/(?!decisions|maintainers)([\w-]+\/)?[\w.-]+\.(md|json|txt)$/;
    expect(
      paths.filter((path) => /^(dist|docs)\//.test(path) && !compiled.test(path) && !page.test(path)),
    ).toEqual([]);
    // Files that a run of an example leaves in a clone.
    const left = /\/(node_modules|dist|bin|sdk|venv|\.pulumi)\/|\/Pulumi\.[^/]+\.yaml$|\.log$/;
    expect(paths.filter((path) => path.startsWith("examples/") && left.test(path))).toEqual([]);
  });

  test("the package is within its size limits, such as 2.3 MB packed and 4 MB for the plugin", () => {
    const { size, unpackedSize, files } = packed();
    const bytesBelow = (folder: string) =>
      files.filter(({ path }) => path.startsWith(folder)).reduce((bytes, file) => bytes + file.size, 0);
    expect(size).toBeLessThan(2_300_000);
    expect(bytesBelow("plugin/")).toBeLessThan(4_000_000);
    expect(bytesBelow("sdk/")).toBeLessThan(1_800_000);
    expect(unpackedSize - bytesBelow("plugin/") - bytesBelow("sdk/")).toBeLessThan(4_300_000);
    expect(bytesBelow("docs/")).toBeLessThan(700_000);
  });
});
