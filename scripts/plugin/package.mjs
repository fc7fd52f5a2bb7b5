/**
 * `npm run package`: makes the plugin as single executables that need no Node, one archive per
 * platform, as Pulumi downloads them, and SHA256SUMS; then the npm package of the emulator alone.
 * `-- --platform linux-x64,darwin-arm64` for some platforms, `none` for no executable,
 * `-- --out <folder>` for a folder other than `release`.
 */
import { mkdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { withPartialFolder } from "../setup/process/partial-folder.mjs";
import { showProgress } from "../setup/process/progress.mjs";
import { cloneStateFolder, projectFolder } from "../setup/project.mjs";
import { messageOf, runMain, SetUpError } from "../setup/set-up-error.mjs";
import { setUp } from "../setup.mjs";
import { writeChecksums, writeTar } from "./archive.mjs";
import { packageEmulator } from "./emulator-package.mjs";
import { makeExecutable } from "./executable.mjs";
import { ownPlatform, platforms } from "./nodes.mjs";
import { notice } from "./notices.mjs";

const plugin = join(projectFolder, "plugin");

await runMain(async () => {
  const { out, chosen } = readArguments();
  const { env } = await setUp({ needs: { engine: false } });
  mkdirSync(out, { recursive: true });
  for (const platform of chosen) {
    await withPartialFolder(cloneStateFolder, (folder) => packagePlatform(platform, { folder, out, env }));
  }
  if (chosen.length > 0) {
    writeChecksums(out);
  }
  console.log(await packageEmulator(out, env));
});

/**
 * @param {string} platform
 * @param {{ folder: string, out: string, env: NodeJS.ProcessEnv }} options `folder`: for unfinished
 *   files; `out`: for the archive.
 */
async function packagePlatform(platform, { folder, out, env }) {
  const { version } = JSON.parse(readFileSync(join(projectFolder, "package.json"), "utf8"));
  const { os, arch } = platforms[platform] ?? {};
  const archive = join(out, `pulumi-resource-browser-infra-v${version}-${os}-${arch}.tar.gz`);
  const lacks = await showProgress(
    { what: `Making the executable for ${platform}`, why: "it was asked for", usually: "20 to 60 s" },
    async () => {
      const made = await makeExecutable(platform, { bundle: join(plugin, "bundle.cjs"), folder, env });
      const notices = [
        readFileSync(join(plugin, "NOTICES.txt"), "utf8"),
        notice("Node.js, and what is in it", readFileSync(made.nodeLicence, "utf8")),
      ].join("\n");
      await writeTar(archive, [
        { name: made.file, contents: readFileSync(made.path), mode: 0o755 },
        { name: "LICENSE", contents: readFileSync(join(projectFolder, "LICENSE")), mode: 0o644 },
        { name: "NOTICES.txt", contents: Buffer.from(notices), mode: 0o644 },
      ]);
      return made.lacks;
    },
  );
  const size = `${(statSync(archive).size / 1e6).toFixed(1)} MB`;
  console.log([`${archive} (${size})`, ...lacks].join("\n  "));
}

function readArguments() {
  const known = Object.keys(platforms);
  const own = "Known: --platform, --out.";
  try {
    const { values } = parseArgs({ options: { platform: { type: "string" }, out: { type: "string" } } });
    const chosen = values.platform === "none" ? [] : (values.platform?.split(",") ?? known);
    const unknown = chosen.filter((platform) => !known.includes(platform));
    if (unknown.length > 0) {
      throw new Error(`There is no platform ${unknown.join(", ")}. There are: ${known.join(", ")}, none.`);
    }
    if (chosen.length > 0 && !known.includes(ownPlatform)) {
      throw new Error(`Executables are made on ${known.join(", ")}, and this machine is ${ownPlatform}.`);
    }
    return { chosen, out: resolve(projectFolder, values.out ?? "release") };
  } catch (error) {
    throw new SetUpError(`${messageOf(error)} ${own}`);
  }
}
