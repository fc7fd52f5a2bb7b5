/** A rule of what no archive of ours ever holds. */
interface NeverShip {
  /** Compared with the name of a file or folder alone, wherever it lies, without regard to case. */
  readonly name: RegExp;
  /** Whether it is about folders, files or both. */
  readonly of: "folder" | "file" | "either";
  /** Why, for the documentation. */
  readonly reason: string;
}

/**
 * What is left out of every archive. Part of the archive format: a change here changes checksums, and takes a new
 * `archiveFormat`. Two things stay in on purpose: `update.xml` and `*.crx`, which the service asks for beside extensions that are
 * installed by policy.
 */
export const neverShipped: readonly NeverShip[] = [
  { name: /^\.(git|hg|svn)$/i, of: "either", reason: "history of a version control system" },
  { name: /^\.DS_Store$/i, of: "file", reason: "left by macOS" },
  { name: /^\._/, of: "file", reason: "left by macOS" },
  { name: /^__MACOSX$/i, of: "folder", reason: "left by macOS" },
  { name: /^(Thumbs\.db|desktop\.ini)$/i, of: "file", reason: "left by Windows" },
  { name: /\.(pem|key)$/i, of: "file", reason: "private key" },
  { name: /^id_(rsa|dsa|ecdsa|ed25519)$/i, of: "file", reason: "private key" },
  { name: /^\.env($|\.)/i, of: "file", reason: "secrets of an environment" },
  { name: /^\.(npmrc|netrc)$/i, of: "file", reason: "credentials" },
  { name: /^_metadata$/i, of: "folder", reason: "made by the browser's store, refused from anybody else" },
  { name: /(~|\.(swp|swo|bak|orig))$/i, of: "file", reason: "left by an editor" },
];

/** Whether a file or folder of this name is left out. */
export function isNeverShipped(name: string, isFolder: boolean): boolean {
  const kind = isFolder ? "folder" : "file";
  return neverShipped.some((rule) => (rule.of === "either" || rule.of === kind) && rule.name.test(name));
}
