import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(__dirname, "../..");

/** Entry of a package in package-lock.json. */
interface Locked {
  readonly version: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly hasInstallScript?: boolean;
}

const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const lock: Record<string, Locked> = JSON.parse(
  readFileSync(join(root, "package-lock.json"), "utf8"),
).packages;
const locked = Object.entries(lock).filter(([path]) => path !== "");
/** Packages that a user installs with this package, by name. */
const ofUsers = new Map(
  locked
    .filter(([, { dev, devOptional }]) => !dev && !devOptional)
    .map(([path, entry]) => [path.replace(/^.*node_modules\//, ""), entry]),
);

/** Licences that require no more than attribution. */
const permissive =
  /^\(?(0BSD|Apache-2\.0|BSD-[23]-Clause|BlueOak-1\.0\.0|CC0-1\.0|ISC|MIT|PSF-2\.0|Python-2\.0)\)?$/;

describe("the dependencies", () => {
  test("X15: users install exactly the listed dependencies, all under the MIT licence", () => {
    expect([...ofUsers.keys()].sort()).toEqual([
      "@bomb.sh/tab",
      "@clack/core",
      "@clack/prompts",
      "@hono/node-server",
      "commander",
      "eventsource-parser",
      "fast-string-truncated-width",
      "fast-string-width",
      "fast-wrap-ansi",
      "get-east-asian-width",
      "hono",
      "ignore",
      "pend",
      "picomatch",
      "sisteransi",
      "strip-json-comments",
      "undici",
      "ws",
      "yauzl",
      "zod",
    ]);
    expect([...ofUsers.values()].filter(({ license }) => license !== "MIT")).toEqual([]);
  });

  test("X15: neither the dependencies that users install nor this package have an install script", () => {
    expect([...ofUsers].filter(([, { hasInstallScript }]) => hasInstallScript).map(([name]) => name)).toEqual(
      [],
    );
    const names = ["preinstall", "install", "postinstall", "prepare", "prepublish"];
    expect(names.filter((name) => name in manifest.scripts)).toEqual([]);
  });

  test("X15: all dependencies are locked by SHA-512, and come only over https", () => {
    expect(locked.length).toBeGreaterThan(100);
    const unlocked = locked.filter(([, { integrity }]) => !/^sha512-[\w+/]{86}==$/.test(integrity ?? ""));
    expect(unlocked.map(([path]) => path)).toEqual([]);
    const elsewhere = locked.filter(
      ([, { resolved }]) => resolved !== undefined && !/^https:/.test(resolved),
    );
    expect(elsewhere.map(([path]) => path)).toEqual([]);
  });

  test("X15: npm may run no install script of a development dependency", () => {
    expect(Object.values(manifest.allowScripts as object).filter((allowed) => allowed !== false)).toEqual([]);
    const setUp = readFileSync(join(root, "scripts/setup/npm.mjs"), "utf8");
    expect(setUp).toContain('"--ignore-scripts"');
  });

  test("X15: all dependencies have a permissive licence, except four listed packages that are not shipped", () => {
    const others = locked
      .filter(([, { license = "" }]) => !license.split(/ (?:OR|AND) /).every((each) => permissive.test(each)))
      .map(([path, { license }]) => `${path.replace(/^.*node_modules\//, "")}: ${license}`);
    expect(others.sort()).toEqual([
      "@logdna/tail-file: SEE LICENSE IN LICENSE",
      "axe-core: MPL-2.0",
      "caniuse-lite: CC-BY-4.0",
      "spdx-exceptions: CC-BY-3.0",
    ]);
  });

  test("X15: npm audit reports no vulnerability of high severity in the dependencies, if the registry responds", () => {
    const { stdout } = spawnSync(
      "npm",
      ["audit", "--json", "--omit=dev", "--audit-level=high", "--fetch-retries=0", "--fetch-timeout=20000"],
      { cwd: root, encoding: "utf8" },
    );
    const counts = vulnerabilitiesIn(stdout);
    expect([counts?.high ?? 0, counts?.critical ?? 0]).toEqual([0, 0]);
  });
});

/** Report of the registry; undefined if the registry is unreachable or has no advisories. */
function vulnerabilitiesIn(report: string): { high: number; critical: number } | undefined {
  try {
    return JSON.parse(report).metadata?.vulnerabilities;
  } catch {
    return undefined;
  }
}

describe("a release", () => {
  test("X16: package.json names exact versions of all dependencies", () => {
    const versions = Object.values({ ...manifest.dependencies, ...manifest.devDependencies });
    expect(versions.filter((version) => !/^\d+\.\d+\.\d+$/.test(String(version)))).toEqual([]);
  });
});
