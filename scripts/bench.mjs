/**
 * `npm run bench`: costs of packing, checking a folder, following a login, previewing, updating and requests,
 * beside the lowest possible costs. Prints tables and rewrites docs/maintainers/performance.md. `npm run
 * bench -- --quick` takes two minutes, with fewer runs and without 50 MB, and writes nothing.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, cpus, loadavg, release, totalmem } from "node:os";
import { join } from "node:path";
import { benchBrowsers } from "./bench/browsers.mjs";
import { benchPacking } from "./bench/packing/packing.mjs";
import { benchPreviews } from "./bench/preview.mjs";
import { asMarkdown, asTables } from "./bench/report.mjs";
import { benchRequests } from "./bench/requests.mjs";
import { benchStreams } from "./bench/streams/streams.mjs";
import { benchUpdates } from "./bench/update.mjs";
import { writePage } from "./publish/write-page.mjs";
import { cloneStateFolder, projectFolder } from "./setup/project.mjs";
import { runMain, SetUpError } from "./setup/set-up-error.mjs";
import { setUp } from "./setup.mjs";

/** Load per core. Above, other work on the machine decides the figures. */
const quietLoad = 0.3;

await runMain(async () => {
  const args = process.argv.slice(2);
  if (args.some((argument) => argument !== "--quick")) {
    console.error("Usage: npm run bench [-- --quick]");
    return 2;
  }
  const isQuick = args.includes("--quick");
  const { node, nodeVersion, pulumi, pulumiVersion, env } = await setUp();
  requireZip();
  const folder = join(cloneStateFolder, "bench");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  /** @type {import("./bench/report.mjs").Fact[]} */
  const facts = factsOf(nodeVersion, pulumiVersion);
  try {
    /** @type {import("./bench/measure.mjs").Bench} */
    const bench = { node, pulumi, env, folder, isQuick, say: (text) => console.log(`… ${text}`) };
    const rows = [];
    for (const part of [
      benchPacking,
      benchStreams,
      benchPreviews,
      benchUpdates,
      benchRequests,
      benchBrowsers,
    ]) {
      const measured = await part(bench);
      // Printed at once: a failing part must not lose minutes of earlier measurements.
      console.log(`\n${asTables(measured)}`);
      rows.push(...measured);
    }
    facts.push(["Load of the machine at the end", loadText()]);
    console.log(`\n${facts.map(([name, value]) => `${name}: ${value}`).join("\n")}`);
    if (!isQuick) {
      writePage(join(projectFolder, "docs/maintainers/performance.md"), asMarkdown(rows, facts));
      console.log("\nWritten to docs/maintainers/performance.md.");
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return 0;
});

function requireZip() {
  try {
    execFileSync("sh", ["-c", "command -v zip && command -v sha256sum"], { stdio: "ignore" });
  } catch {
    throw new SetUpError(
      'The bench compares with "zip" and "sha256sum", and one of them is not on PATH. Install zip, for instance with "apt-get install zip".',
    );
  }
}

/**
 * @param {string} nodeVersion
 * @param {string} pulumiVersion
 * @returns {import("./bench/report.mjs").Fact[]}
 */
function factsOf(nodeVersion, pulumiVersion) {
  const [cpu] = cpus();
  const packages = ["archiver", "undici", "@pulumi/pulumi", "@onkernel/sdk"].map(
    (name) => `${name} ${installedVersion(name)}`,
  );
  const zip = /Zip (\d+\.\d+)/.exec(execFileSync("zip", ["-v"], { encoding: "utf8" }))?.[1];
  return [
    ["Date", new Date().toISOString().slice(0, 10)],
    [
      "Machine",
      `${cpu?.model.trim()}, ${availableParallelism()} cores, ${(totalmem() / 2 ** 30).toFixed(0)} GiB, ${process.platform} ${release()}`,
    ],
    ["Load of the machine at the start", loadText()],
    ["Versions", `Node ${nodeVersion}, Pulumi CLI ${pulumiVersion}, zip ${zip}, ${packages.join(", ")}`],
  ];
}

function loadText() {
  const [load = 0] = loadavg();
  const isShared = load > quietLoad * availableParallelism();
  return `${load.toFixed(1)}${isShared ? ": others were at work on these cores, so the ratios say more than the times" : ""}`;
}

/** @param {string} name */
function installedVersion(name) {
  return JSON.parse(readFileSync(join(projectFolder, "node_modules", name, "package.json"), "utf8")).version;
}
