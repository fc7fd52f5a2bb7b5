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
    Extension: "892a1a3b9f206d618cc84316d31f53748ce9c3213019aa09649bf05ab88137e7",
    ApiKeyName: "1259569a5dfc2e5e4c05b3b036ac3eae5e8073bfc0b16bfb788356aedba3120d",
    ApiKey: "3dcde6c56c98091add55ec7497f74a650417112aba15586b1917a3f10e87a0d5",
    LoginFlow: "0d283f1212cc15ecac22ea3eb596b636ee6f49866597d52b12396583473eff93",
    Project: "4f62d8cbf76f79e86829c28b348bf4a46c724791a6fbd964e1fe65b933a23a6b",
    ProjectLimits: "b50d713e7429c89f3381fc7f37f244905dd304c6cd582fe56609eb97d9d54579",
    OrganizationLimits: "fef241bc3ecfebe136dc725d1aada01a51bb2ff7f833d5cea93f7a570882d150",
    BrowserPool: "3d3e004b8e3cc269241c482825695586bc8af798fd739bb49c803dac56f27d51",
    AuthConnection: "4db65db9a60d92a80280941a8c09b978bde10728c84f5f404b3ffae89e81afc0",
    Credential: "b4d69373c56629851727188465317c7d647d385c17b6177adcee80504c8f3a19",
    Proxy: "d40640b60a4c2badd2e8bf22525efba7351d6712f6beff7cbea544103a19b939",
    CredentialProvider: "0a79a82dbc07d81255f219eef364b591be3d5ca55e0eca6c46fbcff9eba353d1",
    TelemetryDestination: "60484d566fc7f5668c183393189c10dd55b3d237a8b9fea7c4906f6971cd4064",
    Profile: "773feb12b8e0429e6c044056c6edac6406328581e67caa425da497ab316e7632",
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
