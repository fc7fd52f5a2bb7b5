import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loaderText } from "../../src/dynamic/contract.js";
import { temporaryFolder } from "../support/temporary-folder.js";

describe("loader text", () => {
  let folder: string;

  beforeEach(() => {
    folder = temporaryFolder();
  });

  /**
   * Opens the text as Pulumi's provider process does: a module without a path, in the
   * program's folder.
   */
  function openIn(program: string): string {
    mkdirSync(program, { recursive: true });
    const script = `
      const Module = require("node:module");
      const loaded = new Module("");
      loaded._compile(${JSON.stringify(loaderText("Extension"))}, "");
      try { console.log(loaded.exports.handler()); } catch (error) { console.log(error.message); }`;
    return execFileSync(process.execPath, ["-e", script], { cwd: program, encoding: "utf8" }).trim();
  }

  /** A package of our name that says which one it is. */
  function installIn(nodeModules: string, answer: string): void {
    const home = join(nodeModules, "pulumi-browser-infra");
    mkdirSync(home, { recursive: true });
    const exports = { "./dynamic/v1": "./v1.js" };
    writeFileSync(join(home, "package.json"), JSON.stringify({ name: "pulumi-browser-infra", exports }));
    writeFileSync(
      join(home, "v1.js"),
      `exports.open = (kind) => ${JSON.stringify(answer)} + " opens " + kind;`,
    );
  }

  test.each([
    ["Extension", "4623c1032ceadad123c6b6b0f775903f208410ec46c877f040896481f188bd6a"],
    ["ApiKeyName", "1c06565618a357c2ed912da47a99f9279fef1020b4bc32ba8494c9bd377aed16"],
    ["LoginFlow", "7155241bd0a9afdd75fc79aff96213c2fe3ed3590768582cecbc4a5acc8714b9"],
  ] as const)("of %s is the same in every version, for state files hold it", (kind, expected) => {
    const digest = createHash("sha256").update(loaderText(kind)).digest("hex");
    expect(digest).toBe(expected);
  });

  test("loads the package that the program has installed", () => {
    installIn(join(folder, "program", "node_modules"), "the program's own");
    expect(openIn(join(folder, "program"))).toBe("the program's own opens Extension");
  });

  test("loads a package that is installed in a folder above the program", () => {
    installIn(join(folder, "node_modules"), "the workspace's");
    expect(openIn(join(folder, "packages", "program"))).toBe("the workspace's opens Extension");
  });

  test("finds the package where pnpm keeps the packages of a workspace library", () => {
    installIn(join(folder, "node_modules", ".pnpm", "node_modules"), "pnpm's");
    expect(openIn(join(folder, "packages", "program"))).toBe("pnpm's opens Extension");
  });

  test("says what to install, and where, when the package is missing", () => {
    const message = openIn(join(folder, "program"));
    expect(message).toContain('Run "npm install pulumi-browser-infra" there.');
    expect(message).toContain(join(folder, "program"));
  });

  test("passes on an error of the package itself instead of calling it missing", () => {
    installIn(join(folder, "node_modules"), "");
    writeFileSync(
      join(folder, "node_modules", "pulumi-browser-infra", "v1.js"),
      'require("a-dependency-that-is-missing")',
    );
    expect(openIn(join(folder, "program"))).toContain("Cannot find module 'a-dependency-that-is-missing'");
  });
});
