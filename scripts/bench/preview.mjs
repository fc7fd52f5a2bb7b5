import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startEmulator } from "../demo/emulator-process.mjs";
import { projectFolder } from "../setup/project.mjs";
import { offlinePulumi } from "../setup/pulumi-cli/pulumi-cli.mjs";
import { interleaved, paired, spreadOf, timed } from "./measure.mjs";

/** @typedef {import("./measure.mjs").Figures} Figures */
/** @typedef {import("./report.mjs").Row} Row */

const sizes = [0, 1, 10, 100];
/**
 * Most that a preview of the largest program may take beside that of the empty one. Milliseconds.
 */
const mostMs = 1_000;

/**
 * Complete previews with the real CLI, of programs in which nothing has changed.
 *
 * @param {import("./measure.mjs").Bench} bench
 * @returns {Promise<Row[]>}
 */
export async function benchPreviews({ node, env, pulumi, folder, isQuick, say }) {
  const emulator = await startEmulator(
    node,
    join(projectFolder, "dist", "cli", "main.js"),
    join(folder, "emulator"),
  );
  try {
    /** @type {Record<number, () => Promise<Figures>>} */
    const candidates = {};
    for (const count of sizes) {
      say(`Preview: deploying ${count} extensions`);
      candidates[count] = await deployed(count, { env, pulumi, folder, emulator });
    }
    say("Preview: unchanged programs");
    return rowsOf(await interleaved(isQuick ? 2 : 7, candidates));
  } finally {
    await emulator.stop();
  }
}

/**
 * Deploys a program with `count` extensions, and returns a function that previews it.
 *
 * @param {number} count
 * @param {{ env: NodeJS.ProcessEnv, pulumi: string, folder: string, emulator: { url: string,
 *   apiKey: string } }} bench
 * @returns {Promise<() => Promise<Figures>>}
 */
async function deployed(count, { env, pulumi, folder, emulator }) {
  const program = join(folder, `program-${count}`);
  /**
   * @param {string} path
   * @param {string} text
   */
  const write = (path, text) => {
    mkdirSync(join(program, path, ".."), { recursive: true });
    writeFileSync(join(program, path), text);
  };
  write(
    "Pulumi.yaml",
    `name: bench-${count}\nmain: index.js\nruntime:\n  name: nodejs\n  options:\n    typescript: false\n`,
  );
  // Inside this clone, so "pulumi-browser-infra" is the package that was built; without "main"
  // Pulumi would run that as the program. The empty program loads only what any program loads.
  write(
    "index.js",
    count === 0
      ? 'require("@pulumi/pulumi");\n'
      : `const { Extension } = require("pulumi-browser-infra");
for (let index = 0; index < ${count}; index += 1) new Extension("extension-" + index, { path: "./extensions/" + index });\n`,
  );
  for (let index = 0; index < count; index += 1) {
    const at = `extensions/${index}`;
    write(
      `${at}/manifest.json`,
      JSON.stringify({
        manifest_version: 3,
        name: `Bench ${index}`,
        version: "1.0.0",
        background: { service_worker: "background.js" },
        content_scripts: [{ matches: ["https://example.com/*"], js: ["content.js"] }],
      }),
    );
    write(
      `${at}/background.js`,
      `// ${index}\n${"self.addEventListener('message', console.log);\n".repeat(200)}`,
    );
    write(`${at}/content.js`, `// ${index}\n${"document.title = document.title.trim();\n".repeat(500)}`);
  }
  for (const name of ["state", "home", "tmp"]) {
    mkdirSync(join(program, name), { recursive: true });
  }
  const environment = {
    PATH: env.PATH,
    HOME: join(program, "home"),
    TMPDIR: join(program, "tmp"),
    PULUMI_HOME: join(program, "home", ".pulumi"),
    PULUMI_BACKEND_URL: `file://${join(program, "state")}`,
    PULUMI_STACK: "bench",
    PULUMI_CONFIG_PASSPHRASE: "bench",
    ...offlinePulumi,
    BROWSER_INFRA_BASE_URL: emulator.url,
    BROWSER_INFRA_API_KEY: emulator.apiKey,
  };
  /** @param {string[]} args */
  const run = (...args) =>
    timed([pulumi, "--non-interactive", "--color=never", ...args], { cwd: program, env: environment });
  await run("stack", "init", "bench");
  const { stdout } = await run("up", "--yes", "--skip-preview");
  if (!stdout.includes(`+ ${count + 1} created`)) {
    throw new Error(`The program with ${count} extensions deployed something else: ${stdout}`);
  }
  return async () => {
    const { ms } = await run("preview", "--expect-no-changes");
    return { ms };
  };
}

/**
 * @param {Readonly<Record<number, Figures[]>>} runs
 * @returns {Row[]}
 */
function rowsOf(runs) {
  return sizes.flatMap((count) => {
    const previews = runs[count] ?? [];
    const section = "A whole pulumi preview, nothing changed";
    const row = {
      section,
      name: count === 0 ? "empty program" : `${count} small extension${count === 1 ? "" : "s"}`,
      unit: "ms",
      ...spreadOf(previews, "ms"),
    };
    if (count === 0) {
      return [row];
    }
    const more = paired(previews, runs[0] ?? [], "ms", (a, b) => a - b);
    return [
      {
        ...row,
        beside: { value: more.median, unit: "ms more than empty" },
        ...(count === sizes.at(-1)
          ? { target: { most: mostMs, unit: "ms more", actual: more.median, why: "preview" } }
          : {}),
      },
    ];
  });
}
