import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";

/** Folder of the runtimes, not committed. */
const runtimesFolder = join(__dirname, "../../../.tools/runtimes");

/**
 * A JavaScript runtime. Of several packages, the first program that runs on this processor is used.
 */
export interface Runtime {
  /** Name and version that the packing process reports: `node 24.21.0`. */
  readonly name: string;
  /** Packages with their exact versions. */
  readonly packages: readonly string[];
}

const bunArchitecture = process.arch === "arm64" ? "aarch64" : process.arch;
const bunSystem = process.platform === "win32" ? "windows" : process.platform;

export const runtimes: readonly Runtime[] = [
  ...["22.19.0", "24.21.0", "26.10.0"].map((version) => ({
    name: `node ${version}`,
    packages: [`node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}@${version}`],
  })),
  {
    name: "bun 1.4.5",
    packages: [
      `@oven/bun-${bunSystem}-${bunArchitecture}@1.4.5`,
      // For processors without AVX2.
      ...(process.arch === "x64" ? [`@oven/bun-${bunSystem}-x64-baseline@1.4.5`] : []),
    ],
  },
];

/**
 * Path of a runtime's program. Installs a missing program; throws if none can be installed here.
 */
export function provideRuntime({ packages }: Runtime): string {
  const reasons: string[] = [];
  for (const spec of packages) {
    try {
      return installedProgram(spec);
    } catch (error) {
      reasons.push(`${spec}: ${(error as Error).message.split("\n").slice(0, 4).join(" ").trim()}`);
    }
  }
  throw new Error(reasons.join("; "));
}

function installedProgram(spec: string): string {
  const packageName = spec.slice(0, spec.lastIndexOf("@"));
  const home = join(runtimesFolder, spec.replace(/[@/]+/g, "-").replace(/^-/, ""));
  const program = join(
    home,
    "node_modules",
    packageName,
    "bin",
    `${packageName.startsWith("@oven/") ? "bun" : "node"}${process.platform === "win32" ? ".exe" : ""}`,
  );
  if (!existsSync(program)) {
    install(spec, home);
  }
  // A program for a different processor or C library exists, but does not start.
  execFileSync(program, ["--version"], { stdio: "pipe", timeout: 30_000 });
  return program;
}

/**
 * Installs next to the final place and renames, so that an interrupted installation is never
 * mistaken for a complete installation.
 */
function install(spec: string, home: string): void {
  mkdirSync(runtimesFolder, { recursive: true });
  const partial = mkdtempSync(join(runtimesFolder, "partial-"));
  try {
    npm("install", "--ignore-scripts", "--no-save", "--no-audit", "--no-fund", "--prefix", partial, spec);
    renameSync(partial, home);
  } catch (error) {
    // A parallel test run may have been faster.
    if (!existsSync(home)) {
      throw error;
    }
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}

function npm(...args: string[]): void {
  const script =
    process.env.npm_execpath ?? join(dirname(process.execPath), "../lib/node_modules/npm/bin/npm-cli.js");
  const options = { stdio: "pipe", timeout: 240_000 } as const;
  const quick = ["--loglevel=error", "--fetch-retries=1", "--fetch-timeout=60000"];
  if (existsSync(script)) {
    execFileSync(process.execPath, [script, ...args, ...quick], options);
  } else {
    execFileSync("npm", [...args, ...quick], { ...options, shell: process.platform === "win32" });
  }
}
