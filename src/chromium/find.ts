import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** Commands of the packages of Chromium and Chrome. */
const commands = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** Path of Chrome on a Mac, where PATH contains no command for Chrome. */
const macPath = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";

/** Path of Chromium or Chrome: in a folder of `searchPath` (a PATH), else `macPath`; undefined if none. */
export function findChromium(searchPath = ""): string | undefined {
  const folders = searchPath.split(delimiter).filter((folder) => folder !== "");
  const paths = folders.flatMap((folder) => commands.map((command) => join(folder, command)));
  return [...paths, macPath].find(isExecutable);
}

/** Whether a path is a file that this user may execute. */
export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
