import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { npmInstall } from "../../setup/npm.mjs";
import { runCommand } from "../../setup/process/run-command.mjs";
import { isAtLeast } from "../../setup/version.mjs";
import { nodenext, templateOptions } from "./kinds.mjs";
import { newestSdk, writeFiles } from "./layouts.mjs";
import { versions } from "./rows.mjs";

/** Compilers that must accept the types of every entry. Exact versions. */
export const compilers = ["5.4.5", "5.5.4", "5.6.3", "5.7.3", "5.8.3", "5.9.3", "6.0.3", "7.0.2"];

/** Program with both entries that load without Pulumi. */
const withoutPulumi = `import { BrowserInfraClient } from "pulumi-browser-infra/client";
import { type Emulator, type EmulatorSeed, startEmulator } from "pulumi-browser-infra/emulator";

const seed: EmulatorSeed = {};
export async function extensions(): Promise<string[]> {
  const emulator: Emulator = await startEmulator({ seed });
  const client = new BrowserInfraClient({ apiKey: "sk_emulator", baseUrl: emulator.url });
  for await (const event of client.authConnections.follow("con_1")) {
    console.log(event.event);
  }
  return (await client.extensions.list()).map(({ id }) => id);
}
`;

/**
 * Program with both entries that have resources. The types of Pulumi's SDK come along, and
 * TypeScript 5.4 refuses some (of @grpc/grpc-js) without `skipLibCheck`.
 */
const withPulumi = `import * as dynamic from "pulumi-browser-infra";
import { ApiKey, BrowserPool, Extension, getProjectOutput, Project, Provider } from "pulumi-browser-infra/plugin";

const provider = new Provider("shop", { baseUrl: "http://127.0.0.1:4010" });
const project = new Project("shop", { onDelete: "archive" }, { provider });
const reader = new Extension("reader", { path: "./extension", projectId: project.id }, { provider });
const pool = new BrowserPool("pool", { size: 2, extensionIds: [reader.id] }, { provider });
export const key = new ApiKey("agents", { projectId: project.id, daysToExpire: 90 }, { provider }).key;
export const poolId = pool.id;
export const projectId = getProjectOutput({ name: "Default" }).id;
export const files = new dynamic.Extension("reader", { path: "./extension" }).files;
`;

/**
 * Compiler options that decide how types of a package are found, by value of `moduleResolution`.
 */
const resolutions = {
  node: templateOptions,
  nodenext,
  bundler: { ...templateOptions, module: "esnext", moduleResolution: "bundler" },
};

/**
 * Installs compilers beside the package, under names of their own.
 *
 * @param {readonly string[]} wanted versions.
 * @param {object} place
 * @param {string} place.folder an empty folder.
 * @param {string} place.tarball of the package.
 * @param {NodeJS.ProcessEnv} place.env
 */
export async function installCompilers(wanted, { folder, tarball, env }) {
  copyFileSync(tarball, join(folder, "package.tgz"));
  const aliases = wanted.map((version) => [alias(version), `npm:typescript@${version}`]);
  writeFiles(folder, {
    "package.json": JSON.stringify({
      private: true,
      dependencies: {
        "@pulumi/pulumi": newestSdk(),
        "@types/node": versions.nodeTypes,
        "pulumi-browser-infra": "file:package.tgz",
        ...Object.fromEntries(aliases),
      },
    }),
    "without-pulumi.ts": withoutPulumi,
    "with-pulumi.ts": withPulumi,
  });
  // The SDK's peer range excludes newer compilers, which are not for the SDK anyway.
  await npmInstall(["--legacy-peer-deps"], { folder, env });
}

/**
 * Compiles a program with the client and the emulator, without `skipLibCheck`, and a program with
 * the resources, under each module resolution of the compiler. Rejects with `CommandFailed`.
 *
 * @param {string} version of the compiler.
 * @param {{ folder: string, node: string, env: NodeJS.ProcessEnv }} place
 */
export async function checkTypes(version, { folder, node, env }) {
  // TypeScript 6 reports "node" as deprecated, and 7 no longer supports "node".
  const isNew = isAtLeast(version, "6.0.0");
  const ways = Object.entries(resolutions).filter(([way]) => way !== "node" || !isAtLeast(version, "7.0.0"));
  for (const [way, options] of ways) {
    for (const [file, skipLibCheck] of /** @type {const} */ ([
      ["without-pulumi.ts", false],
      ["with-pulumi.ts", true],
    ])) {
      const compilerOptions = {
        ...options,
        noEmit: true,
        skipLibCheck,
        types: ["node"],
        ...(way === "node" && isNew && { ignoreDeprecations: "6.0" }),
      };
      const project = `tsconfig-${version}.json`;
      writeFiles(folder, { [project]: JSON.stringify({ compilerOptions, files: [file] }) });
      const compiler = join(folder, "node_modules", alias(version), "bin", "tsc");
      await runCommand(node, [compiler, "-p", project], { cwd: folder, env, secondsMax: 120 });
    }
  }
}

/** @param {string} version */
function alias(version) {
  return `typescript-${version}`;
}
