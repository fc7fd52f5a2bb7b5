import { chmodSync, copyFileSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { withPartialFolder } from "../process/partial-folder.mjs";
import { showProgress } from "../process/progress.mjs";
import { CommandFailed, runCommand } from "../process/run-command.mjs";
import { findOnPath } from "../process/search-path.mjs";
import { projectFolder, toolsFolder } from "../project.mjs";
import { isAtLeast } from "../version.mjs";
import { goMinimum, goModules } from "./go-modules.mjs";

const cliPackage = "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi";
const versionVariable = "github.com/pulumi/pulumi/sdk/v3/go/common/version.Version";
const languageHostPackage = "github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs";
/** The script is the same as in the vendor's archive. It is part of the npm package. */
const dynamicProviderStarter = join("node_modules", "@pulumi", "pulumi", "pulumi-resource-pulumi-nodejs");
const secondsMax = 3600;
/** What a build prints when nothing is wrong: downloads, and the packages compiled so far. */
const goNoise = /^(go: downloading .*|[^\s:#]+)$/;

/**
 * Builds the CLI and the language host from their published Go modules, pinned by go.mod and
 * go.sum. Rejects with `CommandFailed`: no Go, a Go that is too old, no module proxy.
 *
 * @param {import("./pulumi-cli.mjs").Order} order
 */
export async function buildPulumi({ version, folder, env, verify }) {
  const go = await requireGo(env);
  await withPartialFolder(dirname(folder), async (partial) => {
    // mkdtemp makes the partial folder private. This one has ordinary permissions, so that other
    // users can read the result.
    const made = join(partial, "bin");
    mkdirSync(made);
    /**
     * @param {{ package: string, folder: string }} module
     * @param {string} output
     * @param {string[]} args
     * @param {import("../process/run-command.mjs").OnLine} onLine
     */
    const build = (module, output, args, onLine) =>
      runCommand(
        go,
        [
          "build",
          "-v",
          "-mod=readonly",
          "-buildvcs=false",
          ...args,
          "-o",
          join(made, output),
          module.package,
        ],
        {
          cwd: join(projectFolder, module.folder),
          // Without cgo the build needs no C compiler, and the result runs with any C library. A
          // go.work above the clone is not ours.
          env: { ...env, CGO_ENABLED: "0", GOWORK: "off" },
          onLine,
          noise: goNoise,
          secondsMax,
        },
      );
    const why = "the download failed and Go is installed";
    await showProgress(
      {
        what: `Building the Pulumi CLI ${version} from its published Go module`,
        why,
        usually: "3 to 8 minutes on two cores the first time, under a minute from Go's build cache",
      },
      (onLine) =>
        build(
          { package: cliPackage, folder: goModules.cli },
          "pulumi",
          ["-tags", "osusergo,grpcnotrace", "-ldflags", `-s -w -X ${versionVariable}=v${version}`],
          onLine,
        ),
    );
    await showProgress(
      {
        what: "Building Pulumi's language host for Node.js from its published Go module",
        why,
        usually: "1 to 2 minutes the first time, seconds from Go's build cache",
      },
      (onLine) =>
        build(
          { package: languageHostPackage, folder: goModules.languageHost },
          "pulumi-language-nodejs",
          ["-ldflags", "-s -w"],
          onLine,
        ),
    );
    const starter = join(made, "pulumi-resource-pulumi-nodejs");
    copyFileSync(join(projectFolder, dynamicProviderStarter), starter);
    chmodSync(starter, 0o755);
    await verify(made, version, env);
    rmSync(folder, { recursive: true, force: true });
    renameSync(made, folder);
  });
}

/** @param {NodeJS.ProcessEnv} env */
async function requireGo(env) {
  const go = findOnPath("go", env);
  if (!go) {
    throw new CommandFailed("there is no go on PATH", []);
  }
  const answer = await runCommand(go, ["version"], { cwd: toolsFolder, env, secondsMax: 30 });
  const version = /\bgo(\d[\d.]*)/.exec(answer)?.[1] ?? "of unknown version";
  if (!isAtLeast(version, goMinimum())) {
    throw new CommandFailed(`the go on PATH is ${version}, older than ${goMinimum()}`, []);
  }
  return go;
}
