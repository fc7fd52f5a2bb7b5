/** A kind of file or folder that no archive contains, and why. */
export interface NeverShipRule {
  /** The name of a file or folder, at any depth and in any letter case. */
  readonly name: RegExp;
  readonly reason: string;
  /** The rule holds for files only, for folders only, or, when left out, for both. */
  readonly only?: "file" | "folder";
  /** The rule holds only at the top level of the extension. */
  readonly topLevel?: true;
}

const systemLitter = "litter of an operating system";
const secrets = "may hold secrets";
const editorLitter = "left behind by an editor";

/**
 * What never ships. Part of the archive format: a change here changes checksums, see
 * `archiveFormat`.
 *
 * `update.xml` and `*.crx` are absent on purpose: the service requires them beside an extension
 * that a policy installs. Source maps, tests and `node_modules` are absent too, because an
 * extension may need any of them; `exclude` is for those. A file on this list can be shipped in a
 * ready zip.
 */
export const neverShipRules: readonly NeverShipRule[] = [
  { name: /^\.(?:git|hg|svn)$/i, reason: "history of a version control system" },
  { name: /^(?:\.ds_store$|\._)/i, reason: systemLitter },
  { name: /^__macosx$/i, reason: systemLitter, only: "folder" },
  { name: /^(?:thumbs\.db|desktop\.ini)$/i, reason: systemLitter, only: "file" },
  // "id_rsa" and "id_deploy" are keys, "id_map.json" is not, and "id_rsa.pub" is public.
  { name: /\.(?:pem|key)$|^id_[^.]+$/i, reason: "may be a private key", only: "file" },
  { name: /^\.env/i, reason: secrets },
  { name: /^\.npmrc$/i, reason: secrets, only: "file" },
  { name: /^\.browser-infra$/i, reason: "what this package keeps for the next deployment", only: "folder" },
  // Chrome writes this folder when it installs an extension from its store.
  { name: /^_metadata$/i, reason: "reserved for the browser's store", only: "folder", topLevel: true },
  { name: /^\..+\.sw[a-p]$|~$|^#.+#$/i, reason: editorLitter, only: "file" },
  // A lock of Emacs is a symbolic link that leads nowhere, so it is neither file nor folder.
  { name: /^\.#/, reason: editorLitter },
];

/** Why a file or folder never ships; undefined when it may. `path` is relative to the extension. */
export function neverShipReason(path: string, isFolder: boolean): string | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return neverShipRules.find(
    (rule) =>
      (rule.only === undefined || (rule.only === "folder") === isFolder) &&
      (rule.topLevel === undefined || name === path) &&
      rule.name.test(name),
  )?.reason;
}
