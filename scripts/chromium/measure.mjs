/**
 * `npm run measure:chromium`: loads every folder of `test/archive/manifest/chromium-*.ndjson` in the Chromium
 * or Chrome of the machine, and compares the verdicts and warnings with the data. Asks the browser about every
 * permission of `permissions.ts` too. Prints each difference below the file with the rule that rests on the
 * answer. The exit code is 1 after a difference.
 *
 *   --browser <path>  Chromium or Chrome; default: the one that `extensions check` finds
 *   --write           writes the new answers into the data
 *   --data <folder>   asks only about the rows of these data; default: test/archive/manifest
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { runInForeground } from "../setup/process/run-command.mjs";
import { projectFolder } from "../setup/project.mjs";
import { runMain, SetUpError } from "../setup/set-up-error.mjs";
import { setUp } from "../setup.mjs";

/** @typedef {import("../../dist/chromium/extensions.js").RunningChromium} RunningChromium */
/** @typedef {import("../../test/archive/manifest/chromium-data.mts").Files} Files */
/** @typedef {import("../../test/archive/manifest/chromium-data.mts").Answer} Answer */
/** @typedef {import("../../test/archive/manifest/chromium-data.mts").Question} Question */
/**
 * Runs work in a browser of its own.
 *
 * @typedef {<T>(work: (chromium: RunningChromium) => Promise<T>) => Promise<T>} Session
 */

/** Longest time for all folders, in milliseconds. 2,300 folders take about a minute. */
const measureMsMax = 15 * 60_000;

/** Longest wait for the error of a worker that cannot start, in milliseconds. */
const workerMsMax = 15_000;

/** Time between two looks at the errors of a worker, in milliseconds. */
const lookMs = 200;

const nobodysPermission = "nobodyKnowsThis";

const permissionsFile = "src/archive/manifest/permissions.ts";

const { values: options } = parseArgs({
  options: {
    browser: { type: "string" },
    write: { type: "boolean", default: false },
    data: { type: "string" },
  },
});

await runMain(async () => {
  const { node, env } = await setUp({ needs: { engine: false } });
  // The module of the data is TypeScript, which an older Node does not read.
  if (node !== process.execPath) {
    const args = [fileURLToPath(import.meta.url), ...process.argv.slice(2)];
    return runInForeground(node, args, { cwd: projectFolder, env });
  }
  const { compareAnswers, questionsOf, readData, reportOf, writeData } = await import(
    "../../test/archive/manifest/chromium-data.mts"
  );
  const require = createRequire(import.meta.url);
  const { findChromium } = require("../../dist/chromium/find.js");
  const { withChromium } = require("../../dist/chromium/extensions.js");
  const executable = options.browser ?? findChromium(process.env.PATH);
  if (executable === undefined) {
    throw new SetUpError("There is no Chromium or Chrome on PATH. Name one with --browser <path>.");
  }
  const folder = resolve(options.data ?? join(projectFolder, "test/archive/manifest"));
  const data = readData(folder);
  const questions = questionsOf(data);
  /** @type {readonly string[]} */
  const permissions =
    options.data === undefined ? [...require("../../dist/archive/manifest/permissions.js").permissions] : [];
  /** @type {Session} */
  const session = (work) => withChromium(executable, measureMsMax, new AbortController().signal, work);
  const { product, unknown } = await session(async (chromium) => ({
    product: chromium.product,
    unknown: await unknownOf(permissions, chromium),
  }));
  const answers = await answersOf(questions, session);
  const { differences, data: measured } = compareAnswers(data, answers);
  const all = [
    ...differences,
    ...unknown.map((/** @type {string} */ name) => ({
      rule: "manifest/permissions.ts",
      name,
      data: "known",
      browser: "unknown",
    })),
  ];
  for (const line of reportOf(all)) {
    console.log(line);
  }
  console.log(
    `${product}: ${questions.length} folders and ${permissions.length} permissions, ${all.length} differences.`,
  );
  if (options.write && all.length > 0) {
    writeData(folder, measured);
    if (unknown.length > 0) {
      writePermissions(unknown);
    }
    console.log("The data have the answers of this browser now. Run npm test -- test/archive/manifest.");
  }
  return all.length === 0 ? 0 : 1;
});

/**
 * Answers to the questions, in order. Extensions with warnings stay loaded until the end, because the
 * error of a worker comes about a second later. Some folders crash a browser: a new browser takes over,
 * and a folder that crashes two browsers counts as refused.
 *
 * @param {readonly Question[]} questions
 * @param {Session} session
 * @returns {Promise<readonly Answer[]>}
 */
async function answersOf(questions, session) {
  /** @type {Answer[]} */
  const answers = [];
  /** Crashes by the index of the question. @type {Map<number, number>} */
  const crashes = new Map();
  while (answers.length < questions.length) {
    const first = answers.length;
    /** @type {(Answer | { id: string })[] | undefined} */
    let asked;
    try {
      await session((chromium) =>
        withFolders(async (folderOf) => {
          asked = [];
          for (const { files, asksForWarnings } of questions.slice(first)) {
            if (crashes.get(first + asked.length) === 2) {
              asked.push("The browser crashes.");
              continue;
            }
            const loaded = await chromium.load(folderOf(files));
            asked.push(typeof loaded === "string" || asksForWarnings ? loaded : []);
            if (typeof loaded === "object" && !asksForWarnings) {
              await unload(loaded.id, chromium);
            }
          }
          await brokenWorker(folderOf, chromium);
          for (const each of asked) {
            answers.push(isLoaded(each) ? await warningsOf(each.id, chromium) : each);
          }
        }),
      );
    } catch (error) {
      const { cause } = /** @type {Error} */ (error);
      if (asked === undefined || cause instanceof SetUpError || answers.length > first) {
        throw cause instanceof SetUpError ? cause : error;
      }
      const crashed = first + asked.length;
      crashes.set(crashed, (crashes.get(crashed) ?? 0) + 1);
      const loaded = asked.findIndex(isLoaded);
      answers.push(.../** @type {Answer[]} */ (loaded === -1 ? asked : asked.slice(0, loaded)));
    }
  }
  return answers;
}

/** @param {Answer | { id: string }} answer @returns {answer is { id: string }} */
function isLoaded(answer) {
  return typeof answer === "object" && "id" in answer;
}

/** @param {string} id @param {RunningChromium} chromium */
async function unload(id, { devtools, limit }) {
  await devtools.call("Extensions.uninstall", { id }, limit);
}

/** @param {string} id @param {RunningChromium} chromium */
async function warningsOf(id, chromium) {
  return [
    ...(await chromium.messages(id, "manifestErrors")),
    ...(await chromium.messages(id, "runtimeErrors")),
  ];
}

/**
 * Loads an extension whose worker cannot start, and waits for the error: by then, the workers of earlier
 * extensions have started or failed.
 *
 * @param {(files: Files) => string} folderOf
 * @param {RunningChromium} chromium
 */
async function brokenWorker(folderOf, chromium) {
  const manifest = {
    manifest_version: 3,
    name: "Last",
    version: "1",
    background: { service_worker: "w.js" },
  };
  const loaded = await chromium.load(
    folderOf([
      ["manifest.json", JSON.stringify(manifest)],
      ["w.js", "throw new Error('last')"],
    ]),
  );
  const end = Date.now() + workerMsMax;
  while (typeof loaded === "object" && (await chromium.messages(loaded.id, "runtimeErrors")).length === 0) {
    if (Date.now() > end) {
      throw new SetUpError("The browser does not show errors of workers, so warnings cannot be measured.");
    }
    await new Promise((done) => setTimeout(done, lookMs));
  }
}

/**
 * Permissions that the browser does not know, each asked with a manifest of its own. A permission that the
 * browser refuses to grant is known. A name that nobody knows shows that the browser tells.
 *
 * @param {readonly string[]} permissions
 * @param {RunningChromium} chromium
 */
function unknownOf(permissions, chromium) {
  return withFolders(async (folderOf) => {
    const unknown = [];
    for (const name of [...permissions, nobodysPermission]) {
      const manifest = { manifest_version: 3, name, version: "1", permissions: [name] };
      const loaded = await chromium.load(folderOf([["manifest.json", JSON.stringify(manifest)]]));
      if (typeof loaded === "object") {
        const warnings = await chromium.messages(loaded.id, "manifestErrors");
        unknown.push(...warnings.filter((each) => each.endsWith("' is unknown.")).map(() => name));
        await unload(loaded.id, chromium);
      }
    }
    if (unknown.pop() !== nobodysPermission) {
      throw new SetUpError("The browser does not show which permissions are unknown.");
    }
    return unknown;
  });
}

/** Takes permissions out of the list. @param {readonly string[]} unknown */
function writePermissions(unknown) {
  const file = join(projectFolder, permissionsFile);
  const text = readFileSync(file, "utf8");
  const isKept = (/** @type {string} */ word) => !unknown.includes(word.trim());
  writeFileSync(
    file,
    text
      .split(/(?<=\s)(?=\S)/)
      .filter(isKept)
      .join(""),
  );
}

/**
 * Runs `work` with a function that writes files into a new folder, and removes the folders.
 *
 * @template T
 * @param {(folderOf: (files: Files) => string) => Promise<T>} work
 */
async function withFolders(work) {
  const { writeFiles } = await import("../../test/archive/manifest/chromium-data.mts");
  const root = mkdtempSync(join(tmpdir(), "measure-chromium-"));
  let folders = 0;
  try {
    return await work((files) => {
      folders += 1;
      const folder = join(root, String(folders));
      mkdirSync(folder);
      writeFiles(folder, files);
      return folder;
    });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
