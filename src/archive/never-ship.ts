import picomatch from "picomatch";

/** A kind of file or folder that no archive contains, and why. */
export interface NeverShipRule {
  /** Glob for the name of a file or folder, at any depth and in any letter case. */
  readonly name: string;
  readonly reason: string;
  /** The rule holds for files only, for folders only, or, when left out, for both. */
  readonly only?: "file" | "folder";
  /** The rule holds only at the top level of the extension. */
  readonly topLevel?: true;
}

const versionControl = "history of a version control system";
const systemLitter = "litter of an operating system";
const privateKey = "may be a private key";
const secrets = "may hold secrets";
const editorLitter = "left behind by an editor";

/**
 * What never ships. Part of the archive format: a change here changes checksums, see `archiveFormat`.
 *
 * `update.xml` and `*.crx` are absent on purpose: the service asks for them beside an extension that a policy installs.
 * Source maps, tests and `node_modules` are absent too, since an extension may need any of them; `exclude` is for those.
 * A file that is wanted all the same can be shipped in a ready zip, which is taken as it is.
 */
export const neverShipRules: readonly NeverShipRule[] = [
  { name: ".git", reason: versionControl },
  { name: ".hg", reason: versionControl },
  { name: ".svn", reason: versionControl },
  { name: ".DS_Store", reason: systemLitter },
  { name: "._*", reason: systemLitter },
  { name: "__MACOSX", reason: systemLitter, only: "folder" },
  { name: "Thumbs.db", reason: systemLitter, only: "file" },
  { name: "desktop.ini", reason: systemLitter, only: "file" },
  { name: "*.pem", reason: privateKey, only: "file" },
  { name: "*.key", reason: privateKey, only: "file" },
  // Without an extension: "id_rsa" and "id_deploy" are keys, "id_map.json" is not, and "id_rsa.pub" is public.
  { name: "id_+([!.])", reason: privateKey, only: "file" },
  { name: ".env*", reason: secrets },
  { name: ".npmrc", reason: secrets, only: "file" },
  // Chrome writes this folder itself when it installs an extension from its store.
  { name: "_metadata", reason: "reserved for the browser's store", only: "folder", topLevel: true },
  { name: ".*.sw[a-p]", reason: editorLitter, only: "file" },
  { name: "*~", reason: editorLitter, only: "file" },
  { name: "#*#", reason: editorLitter, only: "file" },
  // A lock of Emacs is a symbolic link that leads nowhere, hence not "file".
  { name: ".#*", reason: editorLitter },
];

const matchers = neverShipRules.map((rule) => ({
  rule,
  matches: picomatch(rule.name, { nocase: true, dot: true, windows: false, nonegate: true }),
}));

/** Why this file or folder never ships; undefined when it may. `path` is relative to the extension, with `/`. */
export function neverShipReason(path: string, isFolder: boolean): string | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return matchers.find(
    ({ rule, matches }) =>
      (rule.only === undefined || (rule.only === "folder") === isFolder) &&
      (rule.topLevel === undefined || name === path) &&
      matches(name),
  )?.rule.reason;
}
