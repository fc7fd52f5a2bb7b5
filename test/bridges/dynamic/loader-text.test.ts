import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { loaderText } from "../../../src/bridges/dynamic/contract.js";
import { type ResourceKind, resourceKinds } from "../../../src/bridges/kinds.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

describe("loader text", () => {
  let folder: string;

  beforeEach(() => {
    folder = temporaryFolder();
  });

  /**
   * Opens the text as Pulumi's provider process does: a module without a path, in the
   * program's folder.
   */
  function openIn(program: string, text = loaderText("Extension")): string {
    mkdirSync(program, { recursive: true });
    const script = `
      const Module = require("node:module");
      const loaded = new Module("");
      loaded._compile(${JSON.stringify(text)}, "");
      try { console.log(loaded.exports.handler()); } catch (error) { console.log(error.message); }`;
    return execFileSync(process.execPath, ["-e", script], { cwd: program, encoding: "utf8" }).trim();
  }

  /** Installs a package with our name, whose `open` returns `answer`. */
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

  /** Writes a package.json with `dependencies`. */
  function declareIn(home: string, dependencies: readonly string[], member = "dependencies"): void {
    mkdirSync(home, { recursive: true });
    const versions = Object.fromEntries(dependencies.map((name) => [name, "*"]));
    writeFileSync(join(home, "package.json"), JSON.stringify({ [member]: versions }));
  }

  /** Links an installed package to the store of the package manager. */
  function link(from: string, to: string): void {
    mkdirSync(dirname(from), { recursive: true });
    symlinkSync(to, from);
  }

  /** SHA-256 digests of the loader texts. Never changed, because state files contain the text. */
  const digests: Readonly<Record<ResourceKind, string>> = {
    Extension: "996355b2b10965d45105858a647c53f82d761434d29749fe208e33967cead930",
    ApiKeyName: "d45d91ccbb420f8d36961380efd702a1f36ecbfaee525c33ba21c2ff4fb4a7a9",
    ApiKey: "b8288d15dccb71c69fa2dc0d064d992ab705fda049e0d5294b83756f6d97c45d",
    LoginFlow: "0e4ca112afd9e44990c88ff81921b00b5c56af29e3c8e2887c295f6a9c4f9381",
    Project: "3e0137a34f2ac7da3facde24c1be21e27ccd6cad6e088bb4f0a34a8cc346d7c6",
    ProjectLimits: "d800631d3c743a409d8ab5a1f3b8ae2da7d2291c7118cc58880ce5d43531af3d",
    OrganizationLimits: "fd6dea351dd78b4a6eede3679903d14a209190a99822d9dfa9db7f5d696f74f3",
    BrowserPool: "84244f49797fd2deda2e0dbd08808e4b46a51924f46bd5f207320920a177a5fe",
    AuthConnection: "00a812f1b0136f4bd9d19f5ea034b60d7883407f1e1f0006ce07409149ddc198",
    Credential: "3062e284a9e3f80ef6f2eef8a75a4d60e54fd860dc68ed850f2293411da8a6a1",
    Proxy: "b07ae73bf37d0b4eeac8e5c68886431a8f7e0b0b37e39f8714874d6432669ff7",
    CredentialProvider: "0b9090741020cdbd4d67f14ab84d9d2afc2ff552b8af3c88eff38113f42f9cbe",
    Profile: "9daf035c221c4ce8ee4ff2c4c7f46c9da5df75d701698b1c4eb0af1e033cb28a",
  };

  test.each(resourceKinds)("of %s is the same in every version", (kind) => {
    const digest = createHash("sha256").update(loaderText(kind)).digest("hex");
    expect(digest).toBe(digests[kind]);
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

  test("finds the package that npm has nested in a library of the workspace", () => {
    const library = join(folder, "packages", "browsers");
    declareIn(join(folder, "packages", "program"), ["@shop/browsers"]);
    declareIn(library, ["pulumi-browser-infra"]);
    link(join(folder, "node_modules", "@shop", "browsers"), library);
    installIn(join(library, "node_modules"), "the library's");
    expect(openIn(join(folder, "packages", "program"))).toBe("the library's opens Extension");
  });

  test("finds the package of a library's library wherever a package manager keeps them", () => {
    const store = join(folder, "elsewhere");
    const inner = join(store, "inner@1", "node_modules", "inner");
    const outer = join(store, "outer@1", "node_modules", "outer");
    declareIn(join(folder, "program"), ["outer", "not-installed"], "devDependencies");
    declareIn(outer, ["inner"], "optionalDependencies");
    declareIn(inner, ["pulumi-browser-infra", "outer"], "peerDependencies");
    link(join(folder, "program", "node_modules", "outer"), outer);
    link(join(store, "outer@1", "node_modules", "inner"), inner);
    link(join(store, "inner@1", "node_modules", "outer"), outer);
    installIn(join(store, "inner@1", "node_modules"), "the store's");
    expect(openIn(join(folder, "program"))).toBe("the store's opens Extension");
  });

  test("starts at the package.json above a program that has none", () => {
    const library = join(folder, "libraries", "browsers");
    declareIn(folder, ["browsers"]);
    link(join(folder, "node_modules", "browsers"), library);
    installIn(join(library, "node_modules"), "the library's");
    expect(openIn(join(folder, "infra"))).toBe("the library's opens Extension");
  });

  test("passes over a dependency whose package.json cannot be read", () => {
    declareIn(join(folder, "program"), ["broken", "browsers"]);
    const modules = join(folder, "program", "node_modules");
    mkdirSync(join(modules, "broken"), { recursive: true });
    writeFileSync(join(modules, "broken", "package.json"), "{ no JSON");
    declareIn(join(modules, "browsers"), ["pulumi-browser-infra"]);
    installIn(join(modules, "browsers", "node_modules"), "the library's");
    expect(openIn(join(folder, "program"))).toBe("the library's opens Extension");
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
