/**
 * Script of test/slow/examples/programs.test.ts: writes a program in six ways, in sequence, and
 * deploys each with an edit on the same stack. Every kind therefore also accepts the state of a
 * previous kind. The last kind detects a drift and destroys the stack. Uses the install of the
 * engine tests.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { startEmulator } from "../../demo/emulator-process.mjs";
import { cloneStateFolder } from "../../setup/project.mjs";
import { runMain, SetUpError } from "../../setup/set-up-error.mjs";
import { setUp } from "../../setup.mjs";
import { isolateTests } from "../../test/isolation.mjs";
import { kindOf } from "./kinds.mjs";
import { pulumiYaml, writeFiles } from "./layouts.mjs";
import { openProgram } from "./life.mjs";

/**
 * Kinds of the sample: only kinds that need no package besides the installed packages of the tests.
 */
const sampleKinds = /** @type {const} */ ([
  "typescript",
  "typescript-esm",
  "type-stripping",
  "prebuilt",
  "javascript-esm",
  "javascript",
]);

await runMain(async () => {
  const installed = join(cloneStateFolder, "engine", "programs");
  if (!existsSync(join(installed, "installed"))) {
    throw new SetUpError(
      "The sample is a part of the tests. Run: npm test -- test/slow/examples/programs.test.ts",
    );
  }
  const tools = await setUp();
  const { env } = isolateTests(tools.env, tools);
  const folder = mkdtempSync(join(installed, "stack-"));
  const service = await startEmulator(tools.node, join(folder, "emulator"));
  try {
    const program = join(folder, "program");
    mkdirSync(program);
    const compiler = join(installed, "node_modules", "typescript", "bin", "tsc");
    const stack = openProgram({ node: tools.node, env, service, program, folder, compiler });
    for (const [index, name] of sampleKinds.entries()) {
      const kind = kindOf(name);
      for (const file of ["index.ts", "index.js", "tsconfig.json", "bin"]) {
        rmSync(join(program, file), { recursive: true, force: true });
      }
      writeFiles(program, {
        ...kind.files,
        "Pulumi.yaml": pulumiYaml(kind),
        "package.json": JSON.stringify({ private: true, ...kind.packageJson }),
      });
      // The tests have TypeScript 6, which reports the template's "moduleResolution" as deprecated.
      const template = kind.files["tsconfig.json"]?.includes('"moduleResolution": "node"');
      if (template) {
        const options = JSON.parse(kind.files["tsconfig.json"] ?? "");
        options.compilerOptions.ignoreDeprecations = "6.0";
        writeFiles(program, { "tsconfig.json": JSON.stringify(options) });
      }
      if (index === 0) {
        await stack.begin(kind);
      }
      await stack.deploy(kind, `1.0.${index}`);
      console.log(`${name}: deployed`);
    }
    const last = kindOf("javascript");
    await stack.drift(last);
    await stack.end(last);
    console.log("drift seen, stack destroyed");
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
