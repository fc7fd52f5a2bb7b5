import { renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { withPartialFolder } from "../process/partial-folder.mjs";
import { showProgress } from "../process/progress.mjs";
import { runCommand } from "../process/run-command.mjs";
import { projectFolder } from "../project.mjs";

const installer = join(dirname(fileURLToPath(import.meta.url)), "install.mjs");
const secondsMax = 300;

/**
 * Downloads the CLI with all its companions, by the installer of Pulumi's own Automation API. Fails
 * at once when the vendor's host name does not resolve. Rejects with `CommandFailed`.
 *
 * @param {import("./pulumi-cli.mjs").Order} order
 */
export async function downloadPulumi({ version, folder, node, env, verify }) {
  await withPartialFolder(dirname(folder), async (partial) => {
    await showProgress(
      {
        what: `Downloading the Pulumi CLI ${version} from the vendor`,
        why: "PATH has no suitable one and no earlier set-up left one",
        usually: "30 s, or 1 s when the vendor cannot be reached",
      },
      async (onLine) => {
        await runCommand(node, [installer, partial, version], {
          cwd: projectFolder,
          env,
          onLine,
          secondsMax,
        });
        await verify(join(partial, "bin"), version, env);
      },
    );
    rmSync(folder, { recursive: true, force: true });
    renameSync(join(partial, "bin"), folder);
  });
}
