import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { interleaved, onCores, paired, spreadOf, timed } from "../measure.mjs";
import { makePackagesFolder, makeSampleFolder } from "./sample-folders.mjs";
import { ublockOrigin } from "./ublock-origin.cjs";

/** @typedef {import("../measure.mjs").Bench} Bench */
/** @typedef {import("../measure.mjs").Figures} Figures */
/** @typedef {import("../report.mjs").Row} Row */

/**
 * A folder to pack. `most`: the target, as a share of the time of `zip`.
 *
 * @typedef {{ name: string, path: string, rounds: number, most?: number }} Sample
 */

const here = dirname(fileURLToPath(import.meta.url));
const packChild = join(here, "pack-child.cjs");
const mb = 1_000_000;

/** Memory that a process may use beside the archive and 1.6 times the largest file. MB. */
const peakBaseMb = 80;

/**
 * Packing beside other packers, an unchanged folder beside the hash floor, and the peak of memory.
 *
 * @param {Bench} bench
 * @returns {Promise<Row[]>}
 */
export async function benchPacking(bench) {
  /** @type {Row[]} */
  const rows = [];
  for (const sample of samplesIn(bench.folder, bench.isQuick)) {
    bench.say(`Packing: ${sample.name}`);
    rows.push(...(await benchSample(sample, bench)));
  }
  // Tables of the same kind come together.
  /** @param {Row} row */
  const isPacking = ({ section }) => section.startsWith("Packing");
  return [...rows.filter(isPacking), ...rows.filter((row) => !isPacking(row))];
}

/**
 * @param {string} folder
 * @param {boolean} isQuick
 * @returns {Sample[]}
 */
function samplesIn(folder, isQuick) {
  /** @type {{ name: string, files: number, bytes: number, rounds: number, most?: number }[]} */
  const sizes = [
    { name: "200 KB, 20 files", files: 20, bytes: mb / 5, rounds: isQuick ? 3 : 15 },
    { name: "10 MB, 200 files", files: 200, bytes: 10 * mb, rounds: isQuick ? 3 : 25, most: 0.95 },
    ...(isQuick
      ? []
      : [{ name: "100 MB, 2,000 files", files: 2_000, bytes: 100 * mb, rounds: 5, most: 0.7 }]),
    // Two, because the manifest must be there too.
    { name: "one file of 100 MB", files: 2, bytes: 100 * mb, rounds: isQuick ? 1 : 3, most: 0.7 },
  ];
  /** @type {Sample[]} */
  const samples = sizes.map((sample) => {
    const path = join(folder, sample.name.replaceAll(/[ ,]+/g, "-"));
    makeSampleFolder(path, sample);
    return { ...sample, path };
  });
  for (const { name, bytes, rounds, most } of [
    { name: "packages, 10 MB", bytes: 10 * mb, rounds: isQuick ? 3 : 25, most: 1 },
    ...(isQuick ? [] : [{ name: "packages, 100 MB", bytes: 100 * mb, rounds: 5, most: 0.7 }]),
  ]) {
    const path = join(folder, name.replaceAll(/[ ,]+/g, "-"));
    makePackagesFolder(path, bytes);
    samples.push({ name, path, rounds, most });
  }
  const path = ublockOrigin();
  return path === undefined
    ? samples
    : [...samples, { name: "uBlock Origin", path, rounds: isQuick ? 3 : 15, most: 0.95 }];
}

/**
 * @param {Sample} sample
 * @param {Bench} bench
 * @returns {Promise<Row[]>}
 */
async function benchSample({ name, path, rounds, most }, { node, env: general, folder, isQuick }) {
  // Like the plugin's process, in which V8 has the compiled scripts from the second start on.
  // Applies to every process of Node here, also archiver's.
  const env = { ...general, NODE_COMPILE_CACHE: join(folder, "compile-cache") };
  const zip = join(folder, "out.zip");
  mkdirSync(folder, { recursive: true });
  /** @param {string[]} command */
  const child = async (command) => {
    const { ms, stdout } = await timed(command, { env });
    return { ms, ...JSON.parse(stdout) };
  };
  const zipCommand = `cd "$0" && zip -r -X -q -6 "$1" . && sha256sum "$1" && times`;
  const runs = await interleaved(rounds, {
    "zip -6": async () => {
      rmSync(zip, { force: true });
      const { ms, stdout } = await timed(onCores(1, ["sh", "-c", zipCommand, path, zip]), { env });
      return { ms, sizeBytes: statSync(zip).size, cpuMs: cpuMsOf(stdout) };
    },
    "archiver, level 6": () => child(onCores(1, [node, packChild, "archiver", path])),
    "empty Node process": () => child(onCores(1, [node, packChild, "nothing"])),
    "hash floor": () => child(onCores(1, [node, packChild, "hash", path])),
    ours: () => child(onCores(1, [node, packChild, "pack", path])),
  });
  /** @type {{ runs: Figures[] }} */
  const known = await child([node, packChild, "unchanged", path, String(isQuick ? 5 : 15)]);
  const sizes = sizesOf(path);
  const title = `${name} (${(sizes.total / mb).toFixed(1)} MB in ${sizes.count} files)`;

  /** @type {Row[]} */
  const rows = Object.entries(runs).map(([candidate, figures]) => {
    const ratio = paired(figures, runs["zip -6"], "ms", (a, b) => a / b);
    const hasTarget = candidate === "ours" && most !== undefined;
    return {
      section: `Packing: ${title}`,
      name: candidate,
      unit: "ms",
      ...spreadOf(figures, "ms"),
      beside: { value: ratio.median, unit: "× zip -6" },
      note: noteOf(figures, runs["zip -6"]),
      ...(hasTarget ? { target: { most, unit: "× zip -6", actual: ratio.median, why: "packing" } } : {}),
    };
  });
  const check = spreadOf(known.runs, "checkMs");
  const ratio = spreadOf(
    known.runs.map(({ checkMs = Number.NaN, hashMs = Number.NaN }) => ({ value: checkMs / hashMs })),
    "value",
  );
  rows.push(
    {
      section: "An unchanged folder",
      name: `hash floor: ${name}`,
      unit: "ms",
      ...spreadOf(known.runs, "hashMs"),
    },
    {
      section: "An unchanged folder",
      name: `check: ${name}`,
      unit: "ms",
      ...check,
      beside: { value: ratio.median, unit: "× hash floor" },
      // For a small folder, the fixed costs take most of the time.
      ...(most !== undefined
        ? { target: { most: 1.5, unit: "× hash floor", actual: ratio.median, why: "unchanged" } }
        : {}),
    },
  );
  const archiveBytes = runs.ours[0]?.sizeBytes ?? 0;
  const peakMost = peakBaseMb + (archiveBytes + 1.6 * sizes.largest) / mb;
  /** @type {(keyof typeof runs)[]} */
  const processes = ["archiver, level 6", "empty Node process", "hash floor", "ours"];
  for (const candidate of processes) {
    const peak = spreadOf(runs[candidate], "peakMb");
    rows.push({
      section: "Peak memory of the process",
      name: `${candidate}: ${name}`,
      unit: "MB",
      ...peak,
      note: `largest file ${(sizes.largest / mb).toFixed(2)} MB, archive ${(archiveBytes / mb).toFixed(2)} MB`,
      ...(candidate === "ours"
        ? { target: { most: peakMost, unit: "MB", actual: peak.median, why: "memory" } }
        : {}),
    });
  }
  return rows;
}

/**
 * Sum of the output of the shell's `times`: "0m0.25s 0m0.02s" for the shell, and then for the
 * children.
 *
 * @param {string} printed
 */
function cpuMsOf(printed) {
  const times = [...printed.matchAll(/(\d+)m([\d.]+)s/g)];
  return times.reduce(
    (sum, [, minutes, seconds]) => sum + (Number(minutes) * 60 + Number(seconds)) * 1000,
    0,
  );
}

/**
 * CPU time, the figure least affected by a busy machine.
 *
 * @param {readonly Figures[]} figures
 * @param {readonly Figures[]} zipFigures
 */
function noteOf(figures, zipFigures) {
  const cpu = spreadOf(figures, "cpuMs").median;
  const ratio = paired(figures, zipFigures, "cpuMs", (a, b) => a / b).median;
  // The system counts processor time in steps of 10 ms, so a short run of zip may count as none.
  const beside = Number.isFinite(ratio) ? `, ${ratio.toFixed(2)} × zip -6` : "";
  const sizeBytes = figures[0]?.sizeBytes;
  const size = sizeBytes === undefined ? "" : `, ${(sizeBytes / mb).toFixed(2)} MB packed`;
  return `processor time ${cpu.toFixed(0)} ms${beside}${size}`;
}

/** @param {string} folder */
function sizesOf(folder) {
  const sizes = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => statSync(join(file.parentPath, file.name)).size);
  return {
    count: sizes.length,
    total: sizes.reduce((sum, size) => sum + size, 0),
    largest: Math.max(...sizes),
  };
}
