import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { projectFolder } from "../setup/project.mjs";

const line = "=".repeat(78);
/** Names of files with a licence, or with notices that a licence requires. */
const licenceFile = /^(licen[cs]e|copying|notice)/i;
const deflateModule = "src/archive/zip/deflate-module.ts";

/**
 * Licences of foreign code in a bundle, with the texts, ordered by name. Throws when a package has
 * no licence file.
 *
 * @param {readonly string[]} files paths of everything in the bundle, below the top folder.
 */
export function noticesOf(files) {
  const packages = new Set(
    files.flatMap((file) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []),
  );
  const parts = [...packages].map(noticeOfPackage);
  if (files.includes(deflateModule)) {
    parts.push(noticeOfDeflate());
  }
  return [
    "pulumi-browser-infra is licensed under the Apache License 2.0. Its plugin contains the\nfollowing work of others, each under its own licence.\n",
    ...parts.sort(),
  ].join("\n");
}

/**
 * A part of the notices.
 *
 * @param {string} title name, version and licence.
 * @param {string} text of the licence.
 */
export function notice(title, text) {
  return `${line}\n${title}\n${line}\n\n${text.replace(/\r\n/g, "\n").trim()}\n`;
}

/** @param {string} folder of the package, below the top folder. */
function noticeOfPackage(folder) {
  const path = join(projectFolder, folder);
  const { name, version, license } = JSON.parse(readFileSync(join(path, "package.json"), "utf8"));
  const texts = readdirSync(path)
    .filter((file) => licenceFile.test(file))
    .sort()
    .map((file) => readFileSync(join(path, file), "utf8").trim());
  if (texts.length === 0) {
    throw new Error(
      `${name} ${version} is in the plugin and has no licence file. Find its licence, and teach scripts/plugin/notices.mjs where it is.`,
    );
  }
  return notice(`${name} ${version} (${license})`, texts.join("\n\n"));
}

/** The comment at the beginning of the compressor's module contains the licence. */
function noticeOfDeflate() {
  const text = readFileSync(join(projectFolder, deflateModule), "utf8");
  const [comment = ""] = /\/\*\*[\s\S]*?\*\//.exec(text) ?? [];
  const words = comment.replace(/^\/\*\*|^ \*\/?/gm, "").replace(/^ /gm, "");
  const [, version = ""] = /libdeflate ([\d.]+\d)/.exec(words) ?? [];
  return notice(`libdeflate ${version} (MIT)`, words.slice(words.indexOf("Copyright")));
}
