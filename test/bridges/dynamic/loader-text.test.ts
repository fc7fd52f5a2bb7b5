import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type ResourceKind, resourceKinds } from "../../../src/bridges/kinds.js";
import { loaderText } from "../../../src/resources/dynamic-contract.js";
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
    Extension: "3ac8f25faf42c29d690b85911ea061fb5bb560b43009a168887bc256b860ac76",
    AppDeployment: "ead6c394b39ce56092f654085f350fc82385a54cf6f9fe76531bcd3585d6a8fd",
    ApiKeyName: "3d8332fe0ed5b8551b69d6264197305a1e328cf449cd527b1c3fa9069477868c",
    ApiKey: "88c6f2cd758946709e2ffaa63bb49c5fbd30b4df3cf9621468ebbd86b3df2652",
    LoginFlow: "055d07465f01a40f12140568394046e2b37a7d67f9803d58e29cbc15802ca051",
    Project: "50831bc4247ef5f755276e5ed48bd252ca89b6a29b4146b96edeca96d291098d",
    ProjectLimits: "73070f076f87e30473754460c2c15d9d85d4f919dc57fe50da26231b077ca4e4",
    OrganizationLimits: "9f5e5f6da655b04d112cfe2d49d81b9eef0e3fd61e4976e8f121a26e64993270",
    BrowserPool: "9cdbac85fe403efbc58f6ab2a3ddccfb5f2b1e7ee2f99560781dc216be0839ea",
    AuthConnection: "fd55dd470c696b7ba8a7cc4fb447e0afe6d91f255a17ab0c1694fb52805efa1e",
    Credential: "728d44f3828099e57399af155ac48bdc1bfaa47f6fd4c9cf20da599514b9d2f6",
    Proxy: "a77aa978247100d764385e130cec068fdfd55b8f27bd162bc15ac27d7896d7bc",
    CredentialProvider: "548e5379e8f26258c802411696e961b7c2f9c858c178d3b60258cad70342b37b",
    TelemetryDestination: "63aa719b3d396c9c870074fec2765a7bd562b379578d61a3915244f2c2e59f48",
    Profile: "91427dab2860b75d1c12ee7e3fee5effebfd155cb245d69ca0a53b04f8e5061d",
  };

  test.each(resourceKinds)("the loader text of %s is the same in every version", (kind) => {
    const digest = createHash("sha256").update(loaderText(kind)).digest("hex");
    expect(digest).toBe(digests[kind]);
  });

  test("the loader text loads the package that the program has installed", () => {
    installIn(join(folder, "program", "node_modules"), "the program's own");
    expect(openIn(join(folder, "program"))).toBe("the program's own opens Extension");
  });

  test("the loader text loads a package in a folder above the program", () => {
    installIn(join(folder, "node_modules"), "the workspace's");
    expect(openIn(join(folder, "packages", "program"))).toBe("the workspace's opens Extension");
  });

  test("the loader text finds the package where pnpm keeps the packages of a workspace library", () => {
    installIn(join(folder, "node_modules", ".pnpm", "node_modules"), "pnpm's");
    expect(openIn(join(folder, "packages", "program"))).toBe("pnpm's opens Extension");
  });

  test("the loader text finds the package that npm has nested in a library of the workspace", () => {
    const library = join(folder, "packages", "browsers");
    declareIn(join(folder, "packages", "program"), ["@shop/browsers"]);
    declareIn(library, ["pulumi-browser-infra"]);
    link(join(folder, "node_modules", "@shop", "browsers"), library);
    installIn(join(library, "node_modules"), "the library's");
    expect(openIn(join(folder, "packages", "program"))).toBe("the library's opens Extension");
  });

  test("the loader text finds the package of a library's library in the store of any package manager", () => {
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

  test("the search for the package starts at the package.json above a program without a package.json", () => {
    const library = join(folder, "libraries", "browsers");
    declareIn(folder, ["browsers"]);
    link(join(folder, "node_modules", "browsers"), library);
    installIn(join(library, "node_modules"), "the library's");
    expect(openIn(join(folder, "infra"))).toBe("the library's opens Extension");
  });

  test("the search for the package skips a dependency with an unreadable package.json", () => {
    declareIn(join(folder, "program"), ["broken", "browsers"]);
    const modules = join(folder, "program", "node_modules");
    mkdirSync(join(modules, "broken"), { recursive: true });
    writeFileSync(join(modules, "broken", "package.json"), "{ no JSON");
    declareIn(join(modules, "browsers"), ["pulumi-browser-infra"]);
    installIn(join(modules, "browsers", "node_modules"), "the library's");
    expect(openIn(join(folder, "program"))).toBe("the library's opens Extension");
  });

  test("the error about a missing package contains the install command and the folder", () => {
    const message = openIn(join(folder, "program"));
    expect(message).toContain('Run "npm install pulumi-browser-infra" there.');
    expect(message).toContain(join(folder, "program"));
  });

  test("an installed package without the entry of the text is not reported as missing", () => {
    installIn(join(folder, "node_modules"), "");
    const home = join(folder, "node_modules", "pulumi-browser-infra");
    writeFileSync(join(home, "package.json"), JSON.stringify({ exports: { ".": "./v1.js" } }));
    expect(openIn(folder)).toContain("'./dynamic/v1' is not defined by \"exports\"");
  });

  test("an error of the installed package reaches the user unchanged, and is not reported as a missing package", () => {
    installIn(join(folder, "node_modules"), "");
    writeFileSync(
      join(folder, "node_modules", "pulumi-browser-infra", "v1.js"),
      'require("a-dependency-that-is-missing")',
    );
    expect(openIn(join(folder, "program"))).toContain("Cannot find module 'a-dependency-that-is-missing'");
  });
});
