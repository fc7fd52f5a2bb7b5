import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** What the packages of Chromium and Chrome call their command. */
const commands = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** Where Chrome is on a Mac, which puts no command of it on PATH. */
const macPath = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";

/** Path of the Chromium or Chrome of this machine, first of PATH, or undefined where there is none. None is ever downloaded. */
export function findChromium(): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  const paths = folders.flatMap((folder) => commands.map((command) => join(folder, command)));
  return [...paths, macPath].find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
