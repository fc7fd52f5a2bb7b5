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

const systemLitter = "made by the operating system";
const privateKey = "may be a private key";
const secrets = "may hold secrets";
const editorLitter = "left behind by an editor";

/**
 * Names of secret files, and of their copies: `id_rsa.bak`, `server.pem.old`. A name that is not
 * secret stays so with these endings: `app.js.old` ships.
 */
function secretFiles(...names: readonly RegExp[]): RegExp {
  const alternatives = names.map(({ source }) => source).join("|");
  return new RegExp(`^(?:${alternatives})(?:\\.(?:bak|backup|copy|old|orig|save|\\d+))*$`, "is");
}

/**
 * What never ships. Part of the archive format: a change here changes the archive of a folder with
 * such a file, see `archiveFormat`.
 *
 * `update.xml` and `*.crx` are absent on purpose: the service requires them next to an extension
 * that a policy installs. Source maps, tests and `node_modules` are absent too, because an
 * extension may need any of them; `exclude` is for those. A file on this list can be shipped in a
 * ready zip.
 */
export const neverShipRules: readonly NeverShipRule[] = [
  { name: /^\.(?:git|hg|svn)$/i, reason: "version control data" },
  { name: /^(?:\.ds_store$|\._)/i, reason: systemLitter },
  { name: /^__macosx$/i, reason: systemLitter, only: "folder" },
  { name: /^(?:thumbs\.db|desktop\.ini)$/i, reason: systemLitter, only: "file" },
  // "id_rsa" and "id_deploy" are keys, "id_map.json" is not, and "id_rsa.pub" is public.
  { name: secretFiles(/.*\.(?:pem|key|p8|ppk)/, /id_[^.]+/), reason: privateKey, only: "file" },
  // Stores of keys and of passwords.
  { name: secretFiles(/.*\.(?:p12|pfx|jks|keystore|kdbx)/), reason: secrets, only: "file" },
  { name: /^(?:\.env|\.dev\.vars|terraform\.tfstate)/i, reason: secrets },
  { name: /^\.(?:aws|docker|gnupg|history|kube|pulumi|ssh)$/i, reason: secrets },
  {
    name: secretFiles(
      /.*\.env/,
      /\.npmrc|[._]netrc|\.git-credentials|\.pypirc|\.pgpass|\.htpasswd/,
      /credentials\.json|service[-_]?account.*\.json/,
      // The settings of a stack. "Pulumi.yaml" itself holds no secret.
      /pulumi\..+\.(?:ya?ml|json)/,
    ),
    reason: secrets,
    only: "file",
  },
  // Histories of commands, with the secrets in them.
  {
    name: secretFiles(/\.[^.]+_history|\.zhistory|\.histfile|consolehost_history\.txt/),
    reason: secrets,
    only: "file",
  },
  { name: /^\.browser-infra$/i, reason: "kept by this package for the next deployment", only: "folder" },
  // Chrome writes this folder when it installs an extension from its store.
  { name: /^_metadata$/i, reason: "reserved for the browser's store", only: "folder", topLevel: true },
  { name: /^\.(?:vscode|idea|vs|fleet|zed|nova|cursor)$/i, reason: editorLitter, only: "folder" },
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
