import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { credentials } from "@grpc/grpc-js";
import providerGrpc from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import messages from "@pulumi/pulumi/proto/provider_pb.js";
import structProto from "google-protobuf/google/protobuf/struct_pb.js";
import { startEmulator } from "../../demo/emulator-process.mjs";
import { makeExecutable } from "../../plugin/executable.mjs";
import { ownPlatform } from "../../plugin/nodes.mjs";
import { projectFolder } from "../../setup/project.mjs";
import { SetUpError } from "../../setup/set-up-error.mjs";
import { interleaved, paired, spreadOf } from "../measure.mjs";
import { memoryMb } from "../memory.cjs";

/** @typedef {import("../measure.mjs").Figures} Figures */
/** @typedef {import("../report.mjs").Row} Row */
/** @typedef {Parameters<typeof structProto.Struct.fromJavaScript>[0]} Inputs */

const require = createRequire(import.meta.url);

/** Most time to the first answer, as a share of the time of Pulumi's dynamic provider process. */
const mostShare = 0.35;
/** Most memory of the plugin after the first answers. MB (2^20 bytes). */
const mostMb = 110;
/** Further resources that the engine checks in sequence after the first. */
const moreChecks = 50;

const urn = "urn:pulumi:dev::shop::browser-infra:index:Extension::reader";
const section = "The provider's process, until its first answer to Check";

/**
 * Time from the start of a provider's process, as by the engine, to the first answer about a small
 * extension: Pulumi's dynamic provider process, the plugin's script, and the executable.
 *
 * @param {import("../measure.mjs").Bench} bench
 * @returns {Promise<Row[]>}
 */
export async function benchStart({ node, env, folder, isQuick, say }) {
  say("The provider's process: start and first answer");
  const program = join(folder, "start");
  for (const part of ["extension", "cache", "executable"]) {
    mkdirSync(join(program, part), { recursive: true });
  }
  const manifest = { manifest_version: 3, name: "Bench", version: "1.0.0" };
  writeFileSync(join(program, "extension", "manifest.json"), JSON.stringify(manifest));
  const plugin = join(projectFolder, "plugin");
  const executable = await executableOf(join(plugin, "bundle.cjs"), join(program, "executable"), {
    env,
    say,
  });
  const emulator = await startEmulator(node, join(program, "emulator"));
  const options = {
    cwd: program,
    env: {
      PATH: env.PATH,
      XDG_CACHE_HOME: join(program, "cache"),
      BROWSER_INFRA_BASE_URL: emulator.url,
      BROWSER_INFRA_API_KEY: emulator.apiKey,
    },
  };
  try {
    /** @type {Record<string, () => Promise<Figures>>} */
    const candidates = {
      dynamic: () =>
        firstAnswer([node, require.resolve("@pulumi/pulumi/cmd/dynamic-provider")], options, dynamicInputs()),
      script: () => firstAnswer([join(plugin, "pulumi-resource-browser-infra")], options, {}),
      ...(executable !== undefined && { executable: () => firstAnswer([executable], options, {}) }),
    };
    return rowsOf(await interleaved(isQuick ? 3 : 11, candidates));
  } finally {
    await emulator.stop();
  }
}

/**
 * Path of the plugin as an executable; undefined if this machine cannot make an executable.
 *
 * @param {string} bundle
 * @param {string} folder
 * @param {{ env: NodeJS.ProcessEnv, say: (text: string) => void }} bench
 */
async function executableOf(bundle, folder, { env, say }) {
  try {
    const { path } = await makeExecutable(ownPlatform, { bundle, folder, env });
    forgetPages(path, env);
    return path;
  } catch (error) {
    if (!(error instanceof SetUpError)) {
      throw error;
    }
    say(`The executable is not measured: ${error.message}`);
    return undefined;
  }
}

/**
 * Makes the system read a file from disk again, as after a restart. For a freshly written file, the
 * system counts much larger pieces to every process that touches a piece: some 30 MB more for an
 * executable. If `dd` does not support this, the file is unchanged.
 *
 * @param {string} path
 * @param {NodeJS.ProcessEnv} env
 */
function forgetPages(path, env) {
  spawnSync("dd", [`of=${path}`, "oflag=nocache", "conv=notrunc,fdatasync", "count=0"], { env });
}

/** Inputs of dynamic resources only: the text that loads this package, and the hidden input. */
function dynamicInputs() {
  const {
    hiddenInput,
    hiddenMembers,
    loaderInput,
    loaderText,
  } = require("../../../dist/bridges/dynamic/contract.js");
  return { [loaderInput]: loaderText("Extension"), [hiddenInput]: { [hiddenMembers.urn]: urn } };
}

/**
 * Starts a provider, sends the requests, and ends the process.
 *
 * @param {string[]} command
 * @param {{ cwd: string, env: NodeJS.ProcessEnv }} options
 * @param {Inputs} inputs
 * @returns {Promise<Figures>} `ms` to the first answer, `eachMs` of the further ones, and after
 *   them the memory in `mb`, of which `ownMb` is not pages of a file.
 */
async function firstAnswer([program = "", ...args], options, inputs) {
  const startedAt = performance.now();
  // Nothing listens at this engine's address. A provider needs the engine only for messages.
  const child = spawn(program, [...args, "127.0.0.1:1"], { ...options, stdio: ["pipe", "pipe", "pipe"] });
  /** @type {Promise<unknown>} */
  const ended = new Promise((resolve) => child.once("close", resolve));
  let printed = "";
  child.stderr.setEncoding("utf8").on("data", (text) => {
    printed += text;
  });
  /** @type {providerGrpc.ResourceProviderClient | undefined} */
  let client;
  try {
    /** @type {string} */
    const port = await new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code) => reject(new Error(`${program} ended with ${code}: ${printed}`)));
      createInterface({ input: child.stdout }).once("line", resolve);
    });
    const connected = new providerGrpc.ResourceProviderClient(
      `127.0.0.1:${port}`,
      credentials.createInsecure(),
    );
    client = connected;
    await new Promise((resolve, reject) => {
      const request = new messages.ConfigureRequest().setArgs(structProto.Struct.fromJavaScript({}));
      connected.configure(request, (error, response) => (error ? reject(error) : resolve(response)));
    });
    await check(connected, inputs);
    const ms = performance.now() - startedAt;
    for (let index = 0; index < moreChecks; index += 1) {
      await check(connected, inputs);
    }
    const eachMs = (performance.now() - startedAt - ms) / moreChecks;
    return { ms, eachMs, mb: memoryMb("VmRSS", child.pid), ownMb: memoryMb("RssAnon", child.pid) };
  } finally {
    client?.close();
    child.kill("SIGKILL");
    await ended;
  }
}

/**
 * @param {providerGrpc.ResourceProviderClient} client
 * @param {Inputs} inputs
 */
async function check(client, inputs) {
  const request = new messages.CheckRequest()
    .setUrn(urn)
    .setName("reader")
    .setType("browser-infra:index:Extension")
    .setOlds(structProto.Struct.fromJavaScript({}))
    .setNews(structProto.Struct.fromJavaScript({ path: "./extension", ...inputs }));
  /** @type {import("@pulumi/pulumi/proto/provider_pb.js").CheckResponse} */
  const response = await new Promise((resolve, reject) => {
    client.check(request, (error, answer) => (error ? reject(error) : resolve(answer)));
  });
  const [failure] = response.getFailuresList();
  if (failure !== undefined || response.getInputs()?.toJavaScript().checksum === undefined) {
    throw new Error(`The provider does not check the extension: ${failure?.getReason()}`);
  }
}

/**
 * @param {Readonly<Record<string, Figures[]>>} runs
 * @returns {Row[]}
 */
function rowsOf(runs) {
  const names = {
    dynamic: "Pulumi's dynamic provider process",
    script: "the plugin: script of the npm package",
    executable: "the plugin: executable",
  };
  return Object.entries(names).flatMap(([candidate, name]) => {
    const figures = runs[candidate];
    if (figures === undefined) {
      return [];
    }
    const memory = spreadOf(figures, "mb");
    const each = spreadOf(figures, "eachMs").median;
    const row = {
      section,
      name,
      unit: "ms",
      ...spreadOf(figures, "ms"),
      note: `each further answer ${each.toFixed(1)} ms`,
    };
    const own = spreadOf(figures, "ownMb").median;
    const memoryRow = {
      section,
      name: `memory of ${name}`,
      unit: "MB",
      ...memory,
      note: `${own.toFixed(0)} MB without the pages of files`,
    };
    if (candidate === "dynamic") {
      return [row, memoryRow];
    }
    const share = paired(figures, runs.dynamic ?? [], "ms", (a, b) => a / b).median;
    return [
      {
        ...row,
        beside: { value: share, unit: "× dynamic" },
        target: { most: mostShare, unit: "× dynamic", actual: share, why: "start" },
      },
      { ...memoryRow, target: { most: mostMb, unit: "MB", actual: memory.median, why: "resident" } },
    ];
  });
}
