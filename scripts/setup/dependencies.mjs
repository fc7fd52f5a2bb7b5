import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { digestOfFiles } from "./digest.mjs";
import { npmInstall } from "./npm.mjs";
import { putInPlace, withPartialFolder } from "./process/partial-folder.mjs";
import { showProgress } from "./process/progress.mjs";
import { reasonOf } from "./process/run-command.mjs";
import { cloneStateFolder, projectFolder, readPackageJson } from "./project.mjs";
import { SetUpError } from "./set-up-error.mjs";

const installed = join(projectFolder, "node_modules");
/** Inside node_modules, so that removing the folder also removes the stamp. */
const stampName = ".browser-infra-lock";

/**
 * Installs the packages of package-lock.json, unless exactly these are installed already.
 *
 * @param {NodeJS.ProcessEnv} env with a Node first on PATH that fits the packages'
 *   `engines`.
 */
export async function setUpDependencies(env) {
  const stamp = join(installed, stampName);
  // Some packages come as a binary per platform, and a clone may be shared with a container.
  const wanted = `${digestOfFiles(projectFolder, ["package-lock.json"])} ${process.platform}-${process.arch}\n`;
  const found = () => (existsSync(stamp) ? readFileSync(stamp, "utf8") : undefined);
  if (found() !== wanted) {
    const step = {
      what: "Installing the npm packages of package-lock.json",
      why: found() ? "it has changed since the last time" : "this set-up has not installed them yet",
      usually: "10 to 40 s",
    };
    try {
      await showProgress(step, (onLine) =>
        withPartialFolder(cloneStateFolder, async (folder) => {
          const inputs = ["package.json", "package-lock.json", ".npmrc"];
          for (const input of inputs.filter((name) => existsSync(join(projectFolder, name)))) {
            cpSync(join(projectFolder, input), join(folder, input));
          }
          // Not "npm ci": this command refuses a lock file that lacks the binaries of other
          // platforms, and npm writes such a file when the registry does not have them. With
          // --no-save, npm follows the lock file. The build needs the development packages, even
          // with NODE_ENV=production.
          await npmInstall(["--no-save", "--include=dev"], { folder, env, onLine });
          writeFileSync(join(folder, "node_modules", stampName), wanted);
          // A parallel set-up may have been faster.
          if (found() !== wanted) {
            putInPlace(join(folder, "node_modules"), installed);
          }
        }),
      );
    } catch (error) {
      throw new SetUpError(
        `Installing the npm packages failed: ${reasonOf(error)}. ` +
          'Check that npm reaches its registry ("npm ping") and run the same command again; it repeats this step.',
      );
    }
  }
  linkOwnPackage();
}

/**
 * Makes a package of links to the clone's own files in node_modules, and links the commands. The
 * examples have separate package.json files, so neither Node nor npx would otherwise find the
 * package of the clone by name. "npm install" removes the links; the next set-up restores them.
 *
 * A single link to the whole clone would be a cycle: Pulumi's language host follows links, and
 * would walk the clone once more at each turn.
 */
function linkOwnPackage() {
  const own = join(installed, "pulumi-browser-infra");
  // Link made by "npm link". A link created through this link would replace a file of the clone.
  if (targetOf(own) !== undefined) {
    rmSync(own);
  }
  const links = [
    ...["package.json", "dist", "plugin"].map((name) => [join(own, name), name]),
    ...Object.entries(readPackageJson().bin).map(([name, path]) => [join(installed, ".bin", name), path]),
  ];
  for (const [link = "", path = ""] of links) {
    const target = join("../..", path);
    if (targetOf(link) !== target) {
      mkdirSync(dirname(link), { recursive: true });
      rmSync(link, { recursive: true, force: true });
      // A rename, because several set-ups may run at once.
      symlinkSync(target, `${link}-${process.pid}`);
      renameSync(`${link}-${process.pid}`, link);
    }
  }
}

/**
 * Target of a link, undefined if there is no link.
 *
 * @param {string} path
 */
function targetOf(path) {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
