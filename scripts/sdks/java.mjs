import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { showProgress } from "../setup/process/progress.mjs";
import { reasonOf, runCommand } from "../setup/process/run-command.mjs";
import { requireOnPath, withFirstOnPath } from "../setup/process/search-path.mjs";
import { cloneStateFolder, projectFolder } from "../setup/project.mjs";
import { buildGoProgram } from "../setup/pulumi-cli/go-build.mjs";
import { cliTags } from "../setup/pulumi-cli/programs.mjs";
import { quietPulumi } from "../setup/pulumi-cli/pulumi-cli.mjs";
import { SetUpError } from "../setup/set-up-error.mjs";

const folder = join(cloneStateFolder, "java-host");
const secondsMax = 900;

/**
 * Language host for Java, from the module that also translates the examples into Java.
 *
 * @type {import("../setup/pulumi-cli/programs.mjs").Program}
 */
const host = {
  what: "Pulumi's language host for Java",
  file: "pulumi-language-java",
  module: "scripts/publish/examples/generator",
  package: "github.com/pulumi/pulumi-java/pkg/cmd/pulumi-language-java",
  // The flags of the module's other program, whose build fills Go's build cache.
  args: [...cliTags, "-ldflags=-s -w"],
  usually: "1 to 3 minutes the first time, seconds from Go's build cache",
};

/**
 * Generates the SDK for Java, and compiles the SDK as a part of a Maven project. The folder then
 * contains:
 *
 * - `pulumi-language-java`: the language host.
 * - `java`: the Maven project with the SDK and without a program. Maven works offline there.
 *
 * Rejects with `SetUpError`: no JDK, no Maven, no Go, no registry.
 *
 * @param {import("../setup.mjs").Tools} tools
 * @returns {Promise<string>} the folder.
 */
export async function installJava({ pulumi, env: given }) {
  try {
    const maven = requireOnPath("mvn", given);
    mkdirSync(folder, { recursive: true });
    const env = withFirstOnPath({ ...given, ...quietPulumi }, folder);
    await buildGoProgram(host, { folder, why: "the tests run a program in Java", env });
    const schema = join(projectFolder, "schema.json");
    // "--local", as in "pulumi package add": sources without a build of their own.
    const generate = ["package", "gen-sdk", schema, "--language", "java", "--local", "--out", folder];
    await runCommand(pulumi, generate, { cwd: projectFolder, env, secondsMax });
    const project = join(folder, "java");
    cpSync(join(projectFolder, "scripts/sdks/pom.xml"), join(project, "pom.xml"));
    const step = {
      what: "Compiling our SDK for Java with Pulumi's, from Maven's repository",
      why: "the tests run a program in Java",
      usually: "1 to 2 minutes the first time, 20 s from Maven's cache",
    };
    await showProgress(step, (onLine) =>
      runCommand(
        maven,
        // The engine's call that lists the packages of a program.
        [
          "--batch-mode",
          "compile",
          "exec:java",
          "-DmainClass=com.pulumi.bootstrap.internal.Main",
          "-DmainArgs=packages",
        ],
        { cwd: project, env, onLine, secondsMax },
      ),
    );
    mkdirSync(join(project, ".mvn"));
    writeFileSync(join(project, ".mvn", "maven.config"), "--offline\n");
    return folder;
  } catch (error) {
    throw new SetUpError(
      `Programs in Java need a JDK of version 11 or newer, Maven and Go with their registries. Here, ${reasonOf(error)}`,
    );
  }
}
