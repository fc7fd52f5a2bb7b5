import { rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { interleaved, onOneCore, paired, spreadOf, timed } from "../measure.mjs";
import { figure } from "../report.mjs";
import { makeSampleFolder } from "./sample-folders.mjs";
import { ublockOrigin } from "./ublock-origin.cjs";

/** @typedef {import("../measure.mjs").Bench} Bench */
/** @typedef {import("../measure.mjs").Figures} Figures */
/** @typedef {import("../report.mjs").Row} Row */

/**
 * A folder to pack. `most`: the target, as a share of the time of `zip`. No target for a small
 * folder: fixed costs take most of the time.
 *
 * @typedef {{ name: string, path: string, rounds: number, most?: number }} Sample
 */

const packChild = join(dirname(fileURLToPath(import.meta.url)), "pack-child.cjs");
const mb = 1_000_000;
/** Most time of an unchanged folder, as a multiple of the time of the hash floor. */
const checkMost = 1.5;

/**
 * Packing beside other packers, and an unchanged folder beside the hash floor.
 *
 * @param {Bench} bench
 * @returns {Promise<Row[]>}
 */
export async function benchPacking(bench) {
  const packing = [];
  const unchanged = [];
  for (const sample of samplesIn(bench.folder, bench.isQuick)) {
    bench.say(`Packing: ${sample.name}`);
    packing.push(...(await benchSample(sample, bench)));
    unchanged.push(...(await benchUnchanged(sample, bench)));
  }
  return [...packing, ...unchanged];
}

/**
 * @param {string} folder
 * @param {boolean} isQuick
 * @returns {Sample[]}
 */
function samplesIn(folder, isQuick) {
  const sizes = [
    { name: "200 KB", bytes: mb / 5, rounds: isQuick ? 3 : 15 },
    { name: "10 MB", bytes: 10 * mb, rounds: isQuick ? 3 : 25, most: 1 },
    { name: "50 MB", bytes: 50 * mb, rounds: 5, most: 0.7 },
    { name: "one file of 50 MB", bytes: 50 * mb, inOneFile: true, rounds: 3, most: 0.7 },
  ];
  const samples = (isQuick ? sizes.slice(0, 2) : sizes).map((sample) => {
    const path = join(folder, sample.name.replaceAll(" ", "-"));
    makeSampleFolder(path, sample);
    return { ...sample, path };
  });
  const path = ublockOrigin();
  const ublock = { name: "uBlock Origin", rounds: isQuick ? 3 : 15, most: 0.95 };
  return path === undefined ? samples : [...samples, { ...ublock, path }];
}

/**
 * @param {Sample} sample
 * @param {Bench} bench
 * @returns {Promise<Row[]>}
 */
async function benchSample({ name: sample, path, rounds, most }, bench) {
  const zip = join(bench.folder, "out.zip");
  const child = (/** @type {string} */ task) => packing(bench, onOneCore, task, path);
  const runs = await interleaved(rounds, {
    "zip -6": async () => {
      rmSync(zip, { force: true });
      const script = 'cd "$0" && zip -r -X -q -6 "$1" . && sha256sum "$1"';
      const { ms } = await timed(onOneCore(["sh", "-c", script, path, zip]), { env: bench.env });
      return { ms, sizeBytes: statSync(zip).size };
    },
    "archiver, level 6": () => child("archiver"),
    "hash floor": () => child("hash"),
    ours: () => child("pack"),
  });
  const unit = "× zip -6";
  const why = "Node's start and the compiling of the compressor are a fixed cost";
  return Object.entries(runs).map(([name, figures]) => {
    const actual = paired(figures, runs["zip -6"], "ms", (a, b) => a / b);
    const { sizeBytes } = figures[0] ?? {};
    const peak = spreadOf(figures, "peakMb").median;
    const notes = [
      sizeBytes !== undefined && `${(sizeBytes / mb).toFixed(2)} MB packed`,
      Number.isFinite(peak) && `peak memory ${peak.toFixed(0)} MB`,
    ];
    return {
      section: `Packing: ${sample}`,
      name,
      unit: "ms",
      ...spreadOf(figures, "ms"),
      beside: figure(actual, unit),
      note: notes.filter(Boolean).join(", "),
      ...(name === "ours" && most !== undefined && { target: { most, unit, actual, why } }),
    };
  });
}

/**
 * @param {Sample} sample
 * @param {Bench} bench
 * @returns {Promise<Row[]>}
 */
async function benchUnchanged({ name, path, most }, bench) {
  const rounds = String(bench.isQuick ? 5 : 15);
  /** @type {{ runs: Figures[] }} */
  const { runs } = await packing(bench, (command) => command, "unchanged", path, rounds);
  const common = { section: "An unchanged folder", unit: "ms" };
  const unit = "× hash floor";
  const actual = paired(
    runs.map(({ checkMs = Number.NaN }) => ({ ms: checkMs })),
    runs.map(({ hashMs = Number.NaN }) => ({ ms: hashMs })),
    "ms",
    (a, b) => a / b,
  );
  const why =
    "a check also lists and compares names, times and the manifest, which a folder of many small files shows most";
  return [
    { ...common, name: `hash floor: ${name}`, ...spreadOf(runs, "hashMs") },
    {
      ...common,
      name: `check: ${name}`,
      ...spreadOf(runs, "checkMs"),
      beside: figure(actual, unit),
      ...(most !== undefined && { target: { most: checkMost, unit, actual, why } }),
    },
  ];
}

/**
 * Figures of a task of the packing process.
 *
 * @param {Bench} bench
 * @param {(command: string[]) => string[]} bound
 * @param {string[]} task the task and the arguments.
 */
async function packing({ node, env, folder }, bound, ...task) {
  // Like the plugin's process, in which V8 has the compiled scripts from the second start on.
  // Applies to every process of Node here, also archiver's.
  const cached = { ...env, NODE_COMPILE_CACHE: join(folder, "compile-cache") };
  const { ms, stdout } = await timed(bound([node, packChild, ...task]), { env: cached });
  return { ms, ...JSON.parse(stdout) };
}
