import { createHash } from "node:crypto";
import { createWriteStream, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { putInPlace, withPartialFolder } from "../process/partial-folder.mjs";
import { showProgress } from "../process/progress.mjs";
import { CommandFailed, runCommand } from "../process/run-command.mjs";
import { findOnPath } from "../process/search-path.mjs";
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
 * @param {NodeJS.ProcessEnv} env
 */
export async function downloadPulumi(folder, env) {
  const platform = `${process.platform}-${process.arch}`;
  const pinned = pinnedArchive(platform);
  const tar = findOnPath("tar", env);
  if (!tar) {
    throw new CommandFailed("there is no tar on PATH to unpack the archive");
  }
  const from = archivesAddress(env);
  const name = `pulumi-v${version}-${platform}.tar.gz`;
  await withPartialFolder(toolsFolder, async (partial) => {
    const archive = join(partial, name);
    const unpacked = join(partial, "unpacked");
    await showProgress(
      {
        what: `Downloading the Pulumi CLI ${version} from ${new URL(from).host}`,
        why: "PATH has no suitable one and no earlier set-up left one",
        usually: "30 s, or 1 s when that host cannot be reached",
      },
      async (onLine) => {
        await download(`${from}/${name}`, archive);
        const received = createHash("sha256").update(readFileSync(archive)).digest("hex");
        if (received !== pinned) {
          throw new CommandFailed(
            `${name} is not the archive that this project pins: its SHA-256 is ${received}, expected ${pinned}. ` +
              "Nothing of it was unpacked",
          );
        }
        mkdirSync(unpacked);
        await runCommand(tar, ["-xzf", archive, "-C", unpacked], { cwd: partial, env, onLine, secondsMax });
      },
    );
    putInPlace(join(unpacked, "pulumi"), folder);
  });
}

/**
 * @param {string} address
 * @param {string} file
 */
async function download(address, file) {
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(secondsMax * 1000) });
    if (!response.ok || response.body === null) {
      throw new Error(`${new URL(address).host} answered ${response.status}`);
    }
    await pipeline(response.body, createWriteStream(file));
  } catch (error) {
    // `fetch` only reports "fetch failed". The cause contains the reason.
    const cause = (error instanceof Error && error.cause) || error;
    throw new CommandFailed(messageOf(cause) || "the connection failed");
  }
}

/**
 * Address below which the archives are: a mirror may serve the archives, because the pin decides.
 *
 * @param {NodeJS.ProcessEnv} env
 */
function archivesAddress({ BROWSER_INFRA_PULUMI_ARCHIVES: mirror }) {
  const address = mirror?.replace(/\/+$/, "") || vendor;
  if (!/^https?:\/\//.test(address) || !URL.canParse(address)) {
    throw new SetUpError(
      "BROWSER_INFRA_PULUMI_ARCHIVES is not an http or https address. Set it to the folder with the release archives, or unset it.",
    );
  }
  return address;
}

/**
 * SHA-256 of an archive as pinned by this repository, 64 lowercase hexadecimal digits.
 *
 * @param {string} platform
 */
function pinnedArchive(platform) {
  /** @type {{ version: string, sha256: Record<string, string> }} */
  const pins = JSON.parse(
    readFileSync(join(projectFolder, "scripts/setup/pulumi-cli/archives.json"), "utf8"),
  );
  const pinned = pins.version === version ? pins.sha256[platform] : undefined;
  if (pinned === undefined) {
    throw new CommandFailed(`this project pins no archive of ${version} for ${platform}`);
  }
  return pinned;
}
