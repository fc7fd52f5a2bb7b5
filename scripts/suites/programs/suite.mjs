import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmulator } from "../../demo/emulator-process.mjs";
import { packPackage } from "../../setup/npm.mjs";
import { withFirstOnPath } from "../../setup/process/search-path.mjs";
import { attempt, chosen, inTwoLanes } from "../cases.mjs";
import { kindOf } from "./kinds.mjs";
import { installProgram } from "./layouts.mjs";
import { openProgram } from "./life.mjs";
import { rows, versions } from "./rows.mjs";
import { nodeFolder } from "./tools.mjs";
import { checkTypes, compilers, installCompilers } from "./types.mjs";

/** @typedef {import("./rows.mjs").Row} Row */
/** @typedef {import("../cases.mjs").Result} Result */

/**
 * The packed package in every kind of program and install, with the real engine: `pulumi up`, an
 * edit, a drift, `pulumi destroy`; then the types with every compiler. docs/programs/compatibility.md lists the
 * cases. Rejects with `CommandFailed` or `SetUpError` if no case can be tried.
 *
 * @param {import("../cases.mjs").Place} place
 * @returns {Promise<readonly Result[]>}
 */
export async function testPrograms({ tools: { node }, env, only }) {
  const types = new Map(compilers.map((version) => [`types-${version}`, version]));
  const names = chosen([...rows.map(({ name }) => name), ...types.keys()], only);
  // Outside of the clone, whose node_modules a program would find.
  const folder = mkdtempSync(join(realpathSync(tmpdir()), "browser-infra-programs-"));
  try {
    const tarball = await packPackage(folder, env);
    const lives = await inTwoLanes(
      rows.filter(({ name }) => names.includes(name)),
      (row) => attempt(row.name, () => live(row, { folder, tarball, env, emulatorNode: node })),
    );
    const wanted = [...types].filter(([name]) => names.includes(name));
    if (wanted.length === 0) {
      return lives;
    }
    const compiled = mkdtempSync(join(folder, "types-"));
    const its = wanted.map(([, version]) => version);
    await installCompilers(its, { folder: compiled, tarball, env });
    const compilations = await inTwoLanes(wanted, ([name, version]) =>
      attempt(name, () => checkTypes(version, { folder: compiled, node, env })),
    );
    return [...lives, ...compilations];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Runs a row in a separate folder with a separate emulator.
 *
 * @param {Row} row
 * @param {object} place
 * @param {string} place.folder
 * @param {string} place.tarball
 * @param {NodeJS.ProcessEnv} place.env
 * @param {string} place.emulatorNode
 */
async function live(row, { folder, tarball, env: general, emulatorNode }) {
  const own = mkdtempSync(join(folder, "row-"));
  const bin = await nodeFolder(row.node ?? versions.node, general);
  const env = withFirstOnPath(general, bin);
  const program = await installProgram(row, { folder: own, tarball, env });
  const compiler = join(program, "node_modules", "typescript", "bin", "tsc");
  const service = await startEmulator(emulatorNode, join(own, "emulator"));
  try {
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
  } finally {
    await service.stop();
  }
  rmSync(own, { recursive: true, force: true });
}
