import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startEmulator } from "../demo/emulator-process.mjs";
import { projectFolder } from "../setup/project.mjs";
import { interleaved, paired, spreadOf, timed } from "./measure.mjs";

const sizes = [0, 1, 10, 100];
/**
 * Most that a preview of the largest program may take beside that of the empty one. Milliseconds.
 */
const mostMs = 1_000;

/**
 * Whole previews with the real CLI, of programs in which nothing has changed. Takes and returns
 * what `benchPacking` does.
 */
export async function benchPreviews({ node, env, pulumi, folder, isQuick, say }) {
  const emulator = await startEmulator(
    node,
    join(projectFolder, "dist", "cli", "main.js"),
    join(folder, "emulator"),
  );
  try {
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

/** Deploys a program with so many extensions, and returns what previews it. */
async function deployed(count, { env, pulumi, folder, emulator }) {
  const program = join(folder, `program-${count}`);
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
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
    PULUMI_DISABLE_REGISTRY_RESOLVE: "true",
    BROWSER_INFRA_BASE_URL: emulator.url,
    BROWSER_INFRA_API_KEY: emulator.apiKeys[0],
  };
  const run = (...args) =>
    timed([pulumi, "--non-interactive", "--color=never", ...args], { cwd: program, env: environment });
  await run("stack", "init", "bench");
  const { stdout } = await run("up", "--yes", "--skip-preview");
  if (!stdout.includes(`+ ${count + 1} created`)) {
    throw new Error(`The program with ${count} extensions deployed something else: ${stdout}`);
  }
  return () => run("preview", "--expect-no-changes");
}

function rowsOf(runs) {
  return sizes.flatMap((count) => {
    const section = "A whole pulumi preview, nothing changed";
    const row = {
      section,
      name: count === 0 ? "empty program" : `${count} small extension${count === 1 ? "" : "s"}`,
      unit: "ms",
      ...spreadOf(runs[count], "ms"),
    };
    if (count === 0) {
      return [row];
    }
    const more = paired(runs[count], runs[0], "ms", (a, b) => a - b);
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
