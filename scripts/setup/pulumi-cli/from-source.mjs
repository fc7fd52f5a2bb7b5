import { chmodSync, copyFileSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { withPartialFolder } from "../process/partial-folder.mjs";
import { showProgress } from "../process/progress.mjs";
import { projectFolder } from "../project.mjs";
import { buildGoProgram, requireGo } from "./go-build.mjs";
import { goModules } from "./go-modules.mjs";

const cliPackage = "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi";
const versionVariable = "github.com/pulumi/pulumi/sdk/v3/go/common/version.Version";
const languageHostPackage = "github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs";
/** The script is the same as in the vendor's archive. It is part of the npm package. */
const dynamicProviderStarter = join("node_modules", "@pulumi", "pulumi", "pulumi-resource-pulumi-nodejs");

/**
 * Builds the CLI and the language host for Node.js from their published Go modules, pinned by
 * go.mod and go.sum. Rejects with `CommandFailed`: no Go, a Go that is too old, no module proxy.
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
    const why = "the download failed and Go is installed";
    await showProgress(
      {
        what: `Building the Pulumi CLI ${version} from its published Go module`,
        why,
        usually: "3 to 8 minutes on two cores the first time, under a minute from Go's build cache",
      },
      (onLine) =>
        buildGoProgram(go, {
          module: goModules.cli,
          package: cliPackage,
          args: ["-tags", "osusergo,grpcnotrace", "-ldflags", `-s -w -X ${versionVariable}=v${version}`],
          output: join(made, "pulumi"),
          env,
          onLine,
        }),
    );
    await showProgress(
      {
        what: "Building Pulumi's language host for Node.js from its published Go module",
        why,
        usually: "1 to 2 minutes the first time, seconds from Go's build cache",
      },
      (onLine) =>
        buildGoProgram(go, {
          module: goModules.nodejsPythonGo,
          package: languageHostPackage,
          args: ["-ldflags", "-s -w"],
          output: join(made, "pulumi-language-nodejs"),
          env,
          onLine,
        }),
    );
    const starter = join(made, "pulumi-resource-pulumi-nodejs");
    copyFileSync(join(projectFolder, dynamicProviderStarter), starter);
    chmodSync(starter, 0o755);
    await verify(made, version, env);
    rmSync(folder, { recursive: true, force: true });
    renameSync(made, folder);
  });
}
