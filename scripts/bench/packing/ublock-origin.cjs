const { execFileSync } = require("node:child_process");
const { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } = require("node:fs");
const { join, resolve } = require("node:path");

const folder = resolve(__dirname, "../../../.tools/ublock-origin");
const debianPackage = "webext-ublock-origin-chromium";

/**
 * The folder of uBlock Origin as Debian packs it for Chromium: a big extension that we did not
 * write. Downloaded once into the tools folder of the clone. Undefined when the download fails; the
 * reason is printed.
 *
 * @returns {string | undefined}
 */
exports.ublockOrigin = function ublockOrigin() {
  if (!existsSync(folder)) {
    mkdirSync(resolve(folder, ".."), { recursive: true });
    const fresh = mkdtempSync(`${folder}-`);
    try {
      download(fresh);
      const [archive = ""] = readdirSync(fresh);
      execFileSync("dpkg-deb", ["-x", archive, "."], { cwd: fresh, stdio: "pipe" });
      renameSync(fresh, folder);
    } catch (error) {
      rmSync(fresh, { recursive: true, force: true });
      console.warn(
        `This machine cannot get uBlock Origin ("apt-get download ${debianPackage}" failed), so it is left out: ${error}`,
      );
      return undefined;
    }
  }
  return join(folder, "usr", "share", "chromium", "extensions", "ublock-origin");
};

/**
 * On a new machine apt knows no packages until its lists are updated.
 *
 * @param {string} into
 */
function download(into) {
  /** @param {string[]} args */
  const apt = (...args) => execFileSync("apt-get", args, { cwd: into, stdio: "pipe" });
  try {
    apt("download", debianPackage);
  } catch {
    apt("update");
    apt("download", debianPackage);
  }
}
