import { createHash } from "node:crypto";
import { createReadStream, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { withPartialFolder } from "../process/partial-folder.mjs";
import { showProgress } from "../process/progress.mjs";
import { CommandFailed, runCommand } from "../process/run-command.mjs";
import { findOnPath } from "../process/search-path.mjs";
import { SetUpError } from "../set-up-error.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const fetcher = join(here, "fetch-archive.mjs");
/** Where the vendor publishes the archives of releases. */
const vendor = "https://get.pulumi.com/releases/sdk";
const secondsMax = 600;

/**
 * Downloads the vendor's release archive, with the CLI and all its companions, and unpacks it. Only
 * if its SHA-256 is the pinned one: before that, nothing of it is unpacked or run. For a platform
 * without a pin, or of another version than the pins, nothing is downloaded. Rejects with
 * `CommandFailed`.
 *
 * @param {import("./pulumi-cli.mjs").Order} order
 */
export async function downloadPulumi({ version, folder, node, env, verify }) {
  const platform = `${process.platform}-${process.arch}`;
  const pinned = pinnedArchive(version, platform);
  const tar = findOnPath("tar", env);
  if (!tar) {
    throw new CommandFailed("there is no tar on PATH to unpack the archive", []);
  }
  const from = archivesAddress(env);
  const name = `pulumi-v${version}-${platform}.tar.gz`;
  await withPartialFolder(dirname(folder), async (partial) => {
    const archive = join(partial, name);
    const unpacked = join(partial, "unpacked");
    await showProgress(
      {
        what: `Downloading the Pulumi CLI ${version} from ${new URL(from).host}`,
        why: "PATH has no suitable one and no earlier set-up left one",
        usually: "30 s, or 1 s when that host cannot be reached",
      },
      async (onLine) => {
        await runCommand(node, [fetcher, `${from}/${name}`, archive], {
          cwd: partial,
          env: { ...env, NODE_USE_ENV_PROXY: "1" },
          onLine,
          noise: /^\d+ MB$/,
          secondsMax,
        });
        const received = await sha256Of(archive);
        if (received !== pinned) {
          throw new CommandFailed(
            `${name} is not the archive that this project pins: its SHA-256 is ${received}, expected ${pinned}. ` +
              "Nothing of it was unpacked",
            [],
          );
        }
        mkdirSync(unpacked);
        await runCommand(tar, ["-xzf", archive, "-C", unpacked], { cwd: partial, env, onLine, secondsMax });
        await verify(join(unpacked, "pulumi"), version, env);
      },
    );
    rmSync(folder, { recursive: true, force: true });
    renameSync(join(unpacked, "pulumi"), folder);
  });
}

/**
 * The address below which the archives are: a mirror may serve them, because the pin decides.
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
 * The SHA-256 of an archive, 64 lowercase hexadecimal digits, as this repository pins it.
 *
 * @param {string} version
 * @param {string} platform
 */
function pinnedArchive(version, platform) {
  /** @type {{ version: string, sha256: Record<string, string> }} */
  const pins = JSON.parse(readFileSync(join(here, "archives.json"), "utf8"));
  const pinned = pins.version === version ? pins.sha256[platform] : undefined;
  if (pinned === undefined) {
    throw new CommandFailed(`this project pins no archive of ${version} for ${platform}`, []);
  }
  return pinned;
}

/** @param {string} file */
async function sha256Of(file) {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return hash.digest("hex");
}
