/**
 * `npm run test:programs`: the packed package in every kind of program and install, with the real
 * engine: `pulumi up`, an edit, a drift, `pulumi destroy`. `--only NAME` runs one line of
 * docs/programs.md, or several; `--list` names them. Writes what passed to that page. `--sample` is
 * for test/engine/programs.test.ts. The exit code is 0 only when everything passed.
 */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startEmulator } from "./demo/emulator-process.mjs";
import { kindOf } from "./programs/kinds.mjs";
import { installProgram, layoutOf, newestSdk } from "./programs/layouts.mjs";
import { openProgram } from "./programs/life.mjs";
import { rows, versions } from "./programs/rows.mjs";
import { walkSample } from "./programs/sample.mjs";
import { writeTable } from "./programs/table.mjs";
import { nodeFolder } from "./programs/tools.mjs";
import { checkTypes, compilers, installCompilers } from "./programs/types.mjs";
import { packPackage } from "./setup/npm.mjs";
import { onInterrupt } from "./setup/process/interrupt.mjs";
import { formatDuration } from "./setup/process/progress.mjs";
import { CommandFailed } from "./setup/process/run-command.mjs";
import { withFirstOnPath } from "./setup/process/search-path.mjs";
import { projectFolder } from "./setup/project.mjs";
import { runMain, SetUpError } from "./setup/set-up-error.mjs";
import { setUp } from "./setup.mjs";
import { isolateTests } from "./test/isolation.mjs";

/** @typedef {import("./programs/rows.mjs").Row} Row */

await runMain(async () => {
  const { only, list, sample } = readArguments();
  const names = [...rows.map(({ name }) => name), ...compilers.map(nameOfTypes)];
  if (list) {
    console.log(names.join("\n"));
    return 0;
  }
  const unknown = only.filter((name) => !names.includes(name));
  if (unknown.length > 0) {
    throw new SetUpError(`Unknown: ${unknown.join(", ")}. Use some of: ${names.join(", ")}.`);
  }
  const { node, env: found, pulumi, pulumiVersion, toolsDir } = await setUp({ needs: { engine: true } });
  const { env } = isolateTests(found, { pulumi, toolsDir });
  // Outside of the clone, whose node_modules a program would find.
  const folder = mkdtempSync(join(realpathSync(tmpdir()), "browser-infra-programs-"));
  const service = await startEmulator(
    node,
    join(projectFolder, "dist", "cli", "main.js"),
    join(folder, "emulator"),
  );
  const end = async () => {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  const forget = onInterrupt(end);
  try {
    if (sample) {
      await walkSample({ env, node, service });
      return 0;
    }
    const tarball = await packPackage(folder, env);
    const chosen = (/** @type {string} */ name) => only.length === 0 || only.includes(name);
    let failed = 0;
    /** @param {string} name @param {() => Promise<void>} work */
    const attempt = async (name, work) => {
      const started = Date.now();
      try {
        await work();
        console.log(`${name}: passed after ${formatDuration(Date.now() - started)}`);
      } catch (error) {
        if (!(error instanceof CommandFailed)) {
          throw error;
        }
        failed += 1;
        console.log([`${name}: FAILED. ${error.message}`, ...error.lines].join("\n  "));
      }
    };
    for (const row of rows.filter(({ name }) => chosen(name))) {
      await attempt(row.name, async () => {
        await live(row, { folder, tarball, env, service });
        writeTable("name", [lineOf(row, pulumiVersion)]);
      });
    }
    const wanted = compilers.filter((version) => chosen(nameOfTypes(version)));
    if (wanted.length > 0) {
      const compiled = mkdtempSync(join(folder, "types-"));
      await installCompilers(wanted, { folder: compiled, tarball, env });
      for (const version of wanted) {
        await attempt(nameOfTypes(version), async () => {
          const ways = await checkTypes(version, { folder: compiled, node, env });
          writeTable("TypeScript", [[version, ways.map((way) => `\`${way}\``).join(", "), today()]]);
        });
      }
    }
    console.log(failed === 0 ? "Everything passed." : `${failed} failed.`);
    return failed === 0 ? 0 : 1;
  } finally {
    await end();
    forget();
  }
});

/**
 * Runs a row in a folder of its own.
 *
 * @param {Row} row
 * @param {object} place
 * @param {string} place.folder
 * @param {string} place.tarball
 * @param {NodeJS.ProcessEnv} place.env
 * @param {import("./programs/life.mjs").Service} place.service
 */
async function live(row, { folder, tarball, env: general, service }) {
  const own = mkdtempSync(join(folder, "row-"));
  const bin = await nodeFolder(row.node ?? versions.node, general);
  const env = withFirstOnPath(general, bin);
  const program = await installProgram(row, { folder: own, tarball, env });
  const compiler = join(program, "node_modules", "typescript", "bin", "tsc");
  const stack = openProgram({ program, folder: own, env, node: join(bin, "node"), compiler, service });
  const kind = kindOf(row.kind);
  await stack.begin(kind);
  if (row.refused) {
    await stack.refuses(kind, row.refused);
  } else {
    await stack.deploy(kind, "1.0.0");
    await stack.deploy(kind, "1.0.1");
    await stack.drift(kind);
    await stack.end(kind);
  }
  rmSync(own, { recursive: true, force: true });
}

/**
 * The line of a row in docs/programs.md.
 *
 * @param {Row} row
 * @param {string} pulumiVersion
 */
function lineOf(row, pulumiVersion) {
  const kind = kindOf(row.kind);
  const compiler = kind.tools?.includes("typescript") ? (row.typescript ?? versions.typescript) : "";
  return [
    row.name,
    kind.shown,
    layoutOf(row.layout).shown,
    row.node ?? versions.node,
    row.sdk ?? newestSdk(),
    compiler,
    pulumiVersion,
    row.refused ? "does not work" : "passed",
    today(),
  ];
}

/** The date, as `2026-11-22`. */
function today() {
  return new Date().toISOString().slice(0, 10);
}

/** @param {string} version */
function nameOfTypes(version) {
  return `types-${version}`;
}

/** What to run. */
function readArguments() {
  try {
    const { values } = parseArgs({
      options: {
        only: { type: "string", multiple: true, default: [] },
        list: { type: "boolean", default: false },
        sample: { type: "boolean", default: false },
      },
    });
    return { ...values, only: values.only.flatMap((names) => names.split(",")) };
  } catch (error) {
    throw new SetUpError(
      `${error instanceof Error ? error.message : error} Known: --only NAME, --list, --sample.`,
    );
  }
}
