import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { putInPlace, withPartialFolder } from "../process/partial-folder.mjs";
import { showProgress } from "../process/progress.mjs";
import { CommandFailed, runCommand } from "../process/run-command.mjs";
import { requireOnPath } from "../process/search-path.mjs";
import { projectFolder, toolsFolder } from "../project.mjs";
import { messageOf, SetUpError } from "../set-up-error.mjs";
import { pinnedPulumi as version } from "./programs.mjs";

/** Address of the vendor's release archives. */
const vendor = "https://get.pulumi.com/releases/sdk";
const secondsMax = 600;

/**
 * Downloads the vendor's release archive, with the CLI and all companions. Unpacks and runs nothing
 * unless the SHA-256 is the pinned value. Downloads nothing for a platform without a pin, or if the
 * pins are for a different version. Rejects with `CommandFailed`.
 *
 * @param {string} folder that gets the programs.
 * @param {NodeJS.ProcessEnv} env with BROWSER_INFRA_PULUMI_ARCHIVES, perhaps: the address of a
 *   mirror. A mirror may serve the archives, because the pin decides.
 */
export async function downloadPulumi(folder, env) {
  const from = env.BROWSER_INFRA_PULUMI_ARCHIVES?.replace(/\/+$/, "") || vendor;
  if (!/^https?:\/\//.test(from) || !URL.canParse(from)) {
    throw new SetUpError("BROWSER_INFRA_PULUMI_ARCHIVES must be an http or https address, or unset.");
  }
  const platform = `${process.platform}-${process.arch}`;
  const pins = JSON.parse(
    readFileSync(join(projectFolder, "scripts/setup/pulumi-cli/archives.json"), "utf8"),
  );
  /** @type {string | undefined} */
  const pinned = pins.version === version ? pins.sha256[platform] : undefined;
  if (pinned === undefined) {
    throw new CommandFailed(`this project pins no archive of ${version} for ${platform}`);
  }
  const tar = requireOnPath("tar", env);
  const name = `pulumi-v${version}-${platform}.tar.gz`;
  const step = {
    what: `Downloading the Pulumi CLI ${version} from ${new URL(from).host}`,
    why: "PATH has no suitable one and no earlier set-up left one",
    usually: "30 s, or 1 s when that host cannot be reached",
  };
  await withPartialFolder(toolsFolder, async (partial) => {
    await showProgress(step, async (onLine) => {
      const archive = await download(`${from}/${name}`);
      const received = createHash("sha256").update(archive).digest("hex");
      if (received !== pinned) {
        throw new CommandFailed(
          `${name} is not the archive that this project pins: its SHA-256 is ${received}, expected ${pinned}. ` +
            "Nothing of it was unpacked",
        );
      }
      writeFileSync(join(partial, name), archive);
      await runCommand(tar, ["-xzf", name], { cwd: partial, env, onLine, secondsMax });
    });
    putInPlace(join(partial, "pulumi"), folder);
  });
}

/** @param {string} address */
async function download(address) {
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(secondsMax * 1000) });
    if (!response.ok) {
      throw new Error(`${new URL(address).host} answered ${response.status}`);
    }
    return Buffer.from(await response.arrayBuffer());
  } catch (error) {
    // `fetch` only reports "fetch failed". The cause contains the reason.
    const cause = (error instanceof Error && error.cause) || error;
    throw new CommandFailed(messageOf(cause) || "the connection failed");
  }
}
