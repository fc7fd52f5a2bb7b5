import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";

const folder = resolve(__dirname, "../../.tools/ublock-origin");
const debianPackage = "webext-ublock-origin-chromium";

/**
 * uBlock Origin as Debian packs it for Chromium: a big extension that we did not write. Downloaded
 * once into the tools folder. Undefined when the download fails; the reason is printed.
 */
export function ublockOrigin(): string | undefined {
  const unpacked = join(folder, "usr", "share", "chromium", "extensions", "ublock-origin");
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
        `This machine cannot get uBlock Origin ("apt-get download ${debianPackage}" failed), so its test is left out: ${error}`,
      );
      return undefined;
    }
  }
  return unpacked;
}

/** On a new machine apt knows no packages until its lists are updated. */
function download(into: string): void {
  const apt = (...args: string[]) => execFileSync("apt-get", args, { cwd: into, stdio: "pipe" });
  try {
    apt("download", debianPackage);
  } catch {
    apt("update");
    apt("download", debianPackage);
  }
}
