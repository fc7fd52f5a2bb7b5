import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { temporaryFolder } from "./support/temporary-folder.js";

const root = resolve(__dirname, "..");

describe("the published types", () => {
  /** Packages whose types the types of an entry import, in files of ours that it reaches. */
  function packagesOf(entry: string): string[] {
    const packages = new Set<string>();
    const files = [join(root, "dist", entry, "index.d.ts")];
    for (const file of files) {
      // Not the samples in comments.
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
    expect(files.map((file) => relative(root, file)).length).toBeGreaterThan(5);
    return [...packages].sort();
  }

  test("of the client bring no types of other packages into a user's type check", () => {
    expect(packagesOf("client")).toEqual([]);
  });

  test("of the emulator bring Node's, and neither Hono's nor zod's nor the database's", () => {
    expect(packagesOf("emulator")).toEqual(["node:http"]);
  });

  test.each([
    ["node", { module: "commonjs", moduleResolution: "node" }],
    ["nodenext", { module: "nodenext", moduleResolution: "nodenext" }],
  ])(
    'of both entries without Pulumi are found with "moduleResolution": "%s", and are right without skipLibCheck',
    (_way, way) => {
      const folder = temporaryFolder(join(root, ".tools"));
      mkdirSync(join(folder, "node_modules"));
      symlinkSync(root, join(folder, "node_modules", "pulumi-browser-infra"));
      // Without the main entry, which slow/examples/programs.test.ts compiles with Pulumi's types.
      writeFileSync(
        join(folder, "index.ts"),
        `import { BrowserInfraClient, type UploadOptions } from "pulumi-browser-infra/client";
       import { type Emulator, startEmulator } from "pulumi-browser-infra/emulator";
       export const options: UploadOptions = {};
       export async function test(): Promise<string[]> {
         const emulator: Emulator = await startEmulator();
         const client = new BrowserInfraClient({ apiKey: "sk_emulator", baseUrl: emulator.url });
         return [...(await client.extensions.list()).map(({ id }) => id)];
       }`,
      );
      const compilerOptions = {
        // Pulumi's template has not set it, and TypeScript 6 would.
        esModuleInterop: false,
        ignoreDeprecations: "6.0",
        target: "es2020",
        strict: true,
        noEmit: true,
        skipLibCheck: false,
        types: ["node"],
        ...way,
      };
      writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["index.ts"] }));
      const compiler = join(root, "node_modules/typescript/bin/tsc");
      try {
        execFileSync(process.execPath, [compiler, "-p", folder], { stdio: "pipe" });
      } catch (error) {
        throw new Error(String((error as { stdout?: Buffer }).stdout));
      }
    },
  );
});
