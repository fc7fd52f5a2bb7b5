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
    Extension: "24b1100f0223cbc6bb9dc2b7e701cee006e2cda9d797cb686eadaba087505693",
    ApiKeyName: "b470dbd7dfe4009ddc6bd838a9f3876d3f284bad11a2054454ec10168eb31582",
    ApiKey: "e3ffe7e5916517b222c1c3aac7c7b5b1d26cb318af1d260b3c9ff74afeaba292",
    LoginFlow: "1faf30028767c2882b4bdf83534742f6f7f03a598e520d427f758f56b57df540",
    Project: "70191a034ed9f6627748e20c38ef7787859ebff96df3e18ffc828141efbc8663",
    ProjectLimits: "a10b795bb09acc6b020d03ec8ac3e12fa7aef282146f66d0b109ec174a6fb606",
    OrganizationLimits: "c2020bf48067f065cc39a16558b090c92de514b71f3adcfec11c86956c676a56",
    BrowserPool: "bb79792c8a8e8d16a7f2684965cb10c308756a41028b2ed75a12952c1327aa65",
    AuthConnection: "a139e08d7fcc72f6cbed57d94132a8191b2e4d87e4117ee5f8571e6617d1d9b4",
    Credential: "90345740e35aede6a991c465770c60a9cb47fa75b1ad0b38fb4d9117b58efd7c",
    Proxy: "f80a9e7f25dc72f605d629328fd8d0ab2bfd844060cae5ea384acac4a93a340d",
    CredentialProvider: "6fbbc506f833644f8f8741d856793f94c5ce5ed2f65255f890691e2bfd0e965c",
    TelemetryDestination: "34ea7cc8a8b7b99b24248f79be0f132e9dbef9ddb6add07d6c055380fa173ba3",
    Profile: "c6bf870675d8a4d46874fdf3a802cd40f3ebb61ab14ad1ff0554f3475add6d5d",
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

  test("an error of the installed package reaches the user unchanged, and is not reported as a missing package", () => {
    installIn(join(folder, "node_modules"), "");
    writeFileSync(
      join(folder, "node_modules", "pulumi-browser-infra", "v1.js"),
      'require("a-dependency-that-is-missing")',
    );
    expect(openIn(join(folder, "program"))).toContain("Cannot find module 'a-dependency-that-is-missing'");
  });
});
