/**
 * `npm run generate:examples`: translates the programs in YAML beside this file into every
 * language, and writes the results into the folder `generated`, the pages of the resources in docs
 * and schema.json. Needs Go. `--check` only reports, without Go, whether the results belong to the
 * programs. Reasons: docs/decisions/bridges/examples.md.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { runCommand, runInForeground } from "../../setup/process/run-command.mjs";
import { cloneStateFolder, projectFolder } from "../../setup/project.mjs";
import { buildGoProgram } from "../../setup/pulumi-cli/go-build.mjs";
import { cliTags } from "../../setup/pulumi-cli/programs.mjs";
import { runMain } from "../../setup/set-up-error.mjs";
import { setUp } from "../../setup.mjs";
import { examplesIn, readSources, sectionOf } from "../schema/examples.mjs";
import { formatted, writePage } from "../write-page.mjs";
import { correctedGo, correctedJava, correctedTypescript } from "./corrections.mjs";
import { outdatedPages } from "./pages.mjs";

const schema = join(projectFolder, "schema.json");

/** @type {import("../../setup/pulumi-cli/programs.mjs").Program} */
const generator = {
  what: "the generator of examples",
  file: "example-generator",
  module: "scripts/publish/examples/generator",
  package: ".",
  args: [...cliTags, "-ldflags=-s -w"],
  usually: "1 to 3 minutes the first time, seconds from Go's build cache",
};

await runMain(async () => {
  if (process.argv.includes("--check")) {
    const outdated = [...outdatedSections(), ...outdatedPages().map(({ file }) => file)];
    console.log(
      outdated.length === 0
        ? "The examples are up to date."
        : `Run "npm run generate:examples", and commit the results. Not up to date:\n${outdated.join("\n")}`,
    );
    return outdated.length === 0 ? 0 : 1;
  }
  const { node, env } = await setUp({ needs: { engine: false } });
  await writeSections(env);
  for (const { file, text } of outdatedPages()) {
    writePage(file, text);
  }
  const script = join(projectFolder, "scripts/publish/generate-schema.mjs");
  return runInForeground(node, [script, "--out", schema], { cwd: projectFolder, env });
});

/** Files of sections that were generated from other programs, or are missing. */
function outdatedSections() {
  return readSources()
    .filter(({ section, examples }) => {
      const generated = existsSync(section) ? examplesIn(readFileSync(section, "utf8")) : [];
      const sourceOf = (/** @type {typeof examples} */ of) =>
        JSON.stringify(of.map(({ title, programs }) => [title, programs.yaml]));
      return sourceOf(examples) !== sourceOf(generated);
    })
    .map(({ section }) => section);
}

/** @param {NodeJS.ProcessEnv} env */
async function writeSections(env) {
  const why = "it translates the examples into every language";
  await buildGoProgram(generator, { folder: cloneStateFolder, why, env });
  const sources = readSources();
  const programs = sources.flatMap(({ name, examples }) =>
    examples.map((example, index) => [`${name} ${index}`, example.programs.yaml]),
  );
  const input = join(cloneStateFolder, "examples.json");
  writeFileSync(input, JSON.stringify(Object.fromEntries(programs)));
  const run = { cwd: projectFolder, env, secondsMax: 300 };
  const output = await runCommand(join(cloneStateFolder, generator.file), [schema, input], run);
  /** @type {Record<string, Record<string, string>>} */
  const translations = JSON.parse(output);
  const described = JSON.parse(readFileSync(schema, "utf8"));
  for (const { name, section, examples } of sources) {
    const translated = examples.map(({ title, programs: { yaml = "" } }, index) => {
      const { typescript = "", go = "", java = "", ...others } = translations[`${name} ${index}`] ?? {};
      const programs = {
        ...others,
        typescript: formatted(correctedTypescript(typescript, described), "index.ts"),
        go: correctedGo(go),
        java: correctedJava(java, described),
        yaml,
      };
      return { title, programs };
    });
    mkdirSync(dirname(section), { recursive: true });
    writePage(section, sectionOf(translated));
  }
}
