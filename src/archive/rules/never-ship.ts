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

/** The endings of a copy, as the end of a regular expression. */
const copies = "(?:\\.(?:bak|backup|copy|old|orig|save|\\d+))*$";

/** Names as globs, in any letter case: `*` stands for any characters. */
function names(...globs: readonly string[]): RegExp {
  const alternatives = globs.map((glob) => glob.replace(/[.#+]/g, "\\$&").replaceAll("*", ".*"));
  return new RegExp(`^(?:${alternatives.join("|")})$`, "is");
}

/**
 * Names of secret files, and of their copies: `id_rsa.bak`, `server.pem.old`. A name that is not
 * secret stays so with these endings: `app.js.old` ships.
 */
function secretFiles(...globs: readonly string[]): RegExp {
  return new RegExp(names(...globs).source.slice(0, -1) + copies, "is");
}

/**
 * What never ships. Part of the archive format: a change here changes the archive of a folder with
 * such a file, see `archiveFormat`.
 *
 * `update.xml` and `*.crx` are absent on purpose: the service requires them beside an extension
 * that a policy installs. Source maps, tests and `node_modules` are absent too, because an
 * extension may need any of them; `exclude` is for those. A file on this list can be shipped in a
 * ready zip.
 */
export const neverShipRules: readonly NeverShipRule[] = [
  { name: names(".git", ".hg", ".svn"), reason: "version control data" },
  { name: names(".DS_Store", "._*"), reason: systemLitter },
  { name: names("__MACOSX"), reason: systemLitter, only: "folder" },
  { name: names("Thumbs.db", "desktop.ini"), reason: systemLitter, only: "file" },
  {
    name: secretFiles(
      "*.pem",
      "*.key",
      "*.der",
      "*.p8",
      "*.pk8",
      "*.ppk",
      "*.pvk",
      "*.snk",
      "*.agekey",
      "deploy_key*",
    ),
    reason: privateKey,
    only: "file",
  },
  // "id_rsa" and "id_deploy" are keys, "id_map.json" is not, and "id_rsa.pub" is public.
  {
    name: new RegExp(`^(?:id_[^.]+|.+_(?:rsa|dsa|ecdsa|ed25519))${copies}`, "is"),
    reason: privateKey,
    only: "file",
  },
  // Stores of keys and of passwords.
  {
    name: secretFiles(
      "*.p12",
      "*.pfx",
      "*.pkcs12",
      "*.jks",
      "*.bks",
      "*.keystore",
      "*.kdb",
      "*.kdbx",
      "*.keychain",
      "*.keychain-db",
      "*.psafe3",
    ),
    reason: secrets,
    only: "file",
  },
  { name: names(".env*", ".dev.vars*", "terraform.tfstate*"), reason: secrets },
  // Where tools keep their logins.
  {
    name: names(
      ".aws",
      ".azure",
      ".bundle",
      ".cargo",
      ".chef",
      ".config",
      ".docker",
      ".gem",
      ".gnupg",
      ".gradle",
      ".history",
      ".kube",
      ".m2",
      ".minikube",
      ".oci",
      ".password-store",
      ".pulumi",
      ".ssh",
      ".terraform",
      ".terraform.d",
      ".vercel",
      ".netlify",
      ".auth",
      ".claude",
      ".cloudflared",
      ".codex",
      ".composer",
      ".continue",
      ".dbt",
      ".direnv",
      ".gemini",
      ".kaggle",
      ".ngrok2",
      ".pip",
      ".secrets",
      ".snowsql",
      ".streamlit",
      ".wrangler",
    ),
    reason: secrets,
  },
  {
    name: secretFiles(
      "*.env",
      ".npmrc",
      ".yarnrc",
      ".yarnrc.yml",
      ".pypirc",
      ".netrc",
      "_netrc",
      ".authinfo",
      ".authinfo.gpg",
      ".git-credentials",
      ".gitconfig",
      ".pgpass",
      ".my.cnf",
      ".mylogin.cnf",
      ".htpasswd",
    ),
    reason: secrets,
    only: "file",
  },
  {
    name: secretFiles(
      ".boto",
      ".s3cfg",
      ".databrickscfg",
      ".dockercfg",
      ".dockerconfigjson",
      ".sentryclirc",
      ".terraformrc",
      "terraform.rc",
      ".vault-token",
      "*.tfvars",
      "*.tfvars.json",
      "kubeconfig",
      "*.kubeconfig",
      "rclone.conf",
    ),
    reason: secrets,
    only: "file",
  },
  {
    name: secretFiles(
      "credentials",
      "credentials.json",
      "credentials.toml",
      "application_default_credentials.json",
      "client_secret*.json",
      "*firebase-adminsdk*.json",
      "service-account*.json",
      "service_account*.json",
      "serviceAccount*.json",
      "rootkey.csv",
      "*accessKeys.csv",
    ),
    reason: secrets,
    only: "file",
  },
  // Notes of secrets, and what sample programs call them.
  {
    name: secretFiles(
      "token.txt",
      "tokens.txt",
      "token.json",
      "token.pickle",
      "secret.txt",
      "secrets.txt",
      "secret.json",
      "secrets.json",
      "secrets.toml",
      "secrets.yaml",
      "secrets.yml",
      "password.txt",
      "passwords.txt",
      "*passwords.csv",
      "api_key.txt",
      "api-key.txt",
      "apikey.txt",
      "mnemonic.txt",
      "vault_pass.txt",
      ".vault_pass",
      "local.settings.json",
    ),
    reason: secrets,
    only: "file",
  },
  // Settings and exports of tools that log in.
  {
    name: secretFiles(
      ".mcp.json",
      ".claude.json",
      ".aider*",
      "kaggle.json",
      "ngrok.yml",
      "pip.conf",
      "pgpass.conf",
      ".pg_service.conf",
      ".ftpconfig",
      "sftp-config.json",
      ".msmtprc",
      ".mongorc.js",
      "*.ovpn",
      "wg*.conf",
      "*.rdp",
      "*.keytab",
      "*.jceks",
      "*.mobileprovision",
      "*.tfplan",
      "wallet.dat",
      "secring.gpg",
      "*.1pif",
      "*.1pux",
      "bitwarden_export*.json",
    ),
    reason: secrets,
    only: "file",
  },
  // Copies of databases, of memory and of network traffic.
  {
    name: secretFiles(
      "dump*.sql",
      "*dump.sql",
      "backup*.sql",
      "*backup.sql",
      "*.pgdump",
      "*.hprof",
      "*.heapsnapshot",
      "*.har",
      "*.pcap",
      "*.pcapng",
      "storageState.json",
      "storage-state.json",
      "storage_state.json",
    ),
    reason: secrets,
    only: "file",
  },
  // The settings of a stack. "Pulumi.yaml" itself holds no secret.
  { name: secretFiles("Pulumi.*.yaml", "Pulumi.*.yml", "Pulumi.*.json"), reason: secrets, only: "file" },
  // What a browser keeps of its user, such as cookies and passwords.
  {
    name: secretFiles(
      "cookies.txt",
      "cookies.sqlite",
      "formhistory.sqlite",
      "signons.sqlite",
      "logins.json",
      "key3.db",
      "key4.db",
      "Cookies",
      "Login Data",
      "Web Data",
    ),
    reason: secrets,
    only: "file",
  },
  // Histories of commands, with the secrets in them.
  {
    name: secretFiles(".*_history", ".zhistory", ".histfile", "ConsoleHost_history.txt"),
    reason: secrets,
    only: "file",
  },
  // Chrome writes this folder when it installs an extension from its store.
  { name: names("_metadata"), reason: "reserved for the browser's store", only: "folder", topLevel: true },
  {
    name: names(".vscode", ".idea", ".vs", ".fleet", ".zed", ".nova", ".cursor"),
    reason: editorLitter,
    only: "folder",
  },
  { name: /^\..+\.sw[a-p]$|~$|^#.+#$/i, reason: editorLitter, only: "file" },
  // A lock of Emacs is a symbolic link that leads nowhere, so it is neither file nor folder.
  { name: names(".#*"), reason: editorLitter },
];

/**
 * All rules in one, for names in lower case: an engine compiles it in a third of the time that it
 * takes for the rules one by one. Almost every name matches none of them.
 */
const anyRule = new RegExp(neverShipRules.map((rule) => rule.name.source.toLowerCase()).join("|"), "s");

/** Why a file or folder never ships; undefined when it may. `path` is relative to the extension. */
export function neverShipReason(path: string, isFolder: boolean): string | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (!anyRule.test(name.toLowerCase())) {
    return undefined;
  }
  return neverShipRules.find(
    (rule) =>
      (rule.only === undefined || (rule.only === "folder") === isFolder) &&
      (rule.topLevel === undefined || name === path) &&
      rule.name.test(name),
  )?.reason;
}
