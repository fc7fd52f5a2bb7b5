/** Rule for files or folders that never ship from a folder, with the reason. */
export interface NeverShipRule {
  /** Name of a file or folder, at any depth and in any letter case. */
  readonly name: RegExp;
  readonly reason: string;
  /** Restriction to files or to folders. Default: both. */
  readonly only?: "file" | "folder";
  /** Whether the rule applies only at the top level of the extension. Default: false. */
  readonly topLevel?: true;
}

const systemFileReason = "made by the operating system";
const privateKey = "may be a private key";
const secrets = "may hold secrets";
const editorFileReason = "left behind by an editor";

/** Endings of copies, as the end of a regular expression. */
const copies = "(?:\\.(?:bak|backup|copy|old|orig|save|\\d+))*$";

/** Compiles a list of globs, in any letter case: `*` stands for any characters. */
function names(globs: string): RegExp {
  const alternatives = globs.split(", ").map((glob) => glob.replace(/[.#+]/g, "\\$&").replaceAll("*", ".*"));
  return new RegExp(`^(?:${alternatives.join("|")})$`, "is");
}

/** Compiles names of secret files and of copies: `*.pem` also matches `a.pem.bak`, but not `app.js.old`. */
function secretFiles(globs: string): RegExp {
  return new RegExp(names(globs).source.slice(0, -1) + copies, "is");
}

const secretFileGlobs: readonly string[] = [
  // Stores of keys and of passwords.
  "*.p12, *.pfx, *.pkcs12, *.jks, *.bks, *.keystore, *.kdb, *.kdbx, *.keychain, *.keychain-db",
  "*.psafe3",
  "*.env, .npmrc, .yarnrc, .yarnrc.yml, .pypirc, .netrc, _netrc, .authinfo, .authinfo.gpg",
  ".git-credentials, .gitconfig, .pgpass, .my.cnf, .mylogin.cnf, .htpasswd",
  ".boto, .s3cfg, .databrickscfg, .dockercfg, .dockerconfigjson, .sentryclirc, .terraformrc",
  "terraform.rc, .vault-token, *.tfvars, *.tfvars.json, kubeconfig, *.kubeconfig, rclone.conf",
  "credentials, credentials.json, credentials.toml, application_default_credentials.json",
  "client_secret*.json, *firebase-adminsdk*.json, service-account*.json, service_account*.json",
  "serviceAccount*.json, rootkey.csv, *accessKeys.csv",
  // Notes of secrets, and names of secret files in sample programs.
  "token.txt, tokens.txt, token.json, token.pickle, secret.txt, secrets.txt, secret.json",
  "secrets.json, secrets.toml, secrets.yaml, secrets.yml, password.txt, passwords.txt",
  "*passwords.csv, api_key.txt, api-key.txt, apikey.txt, mnemonic.txt, vault_pass.txt, .vault_pass",
  "local.settings.json",
  // Settings and exports of tools that log in.
  ".mcp.json, .claude.json, .aider*, kaggle.json, ngrok.yml, pip.conf, pgpass.conf",
  ".pg_service.conf, .ftpconfig, sftp-config.json, .msmtprc, .mongorc.js, *.ovpn, wg*.conf, *.rdp",
  "*.keytab, *.jceks, *.mobileprovision, *.tfplan, wallet.dat, secring.gpg, *.1pif, *.1pux",
  "bitwarden_export*.json",
  // Copies of databases, of memory and of network traffic.
  "dump*.sql, *dump.sql, backup*.sql, *backup.sql, *.pgdump, *.hprof, *.heapsnapshot, *.har, *.pcap",
  "*.pcapng, storageState.json, storage-state.json, storage_state.json",
  // Settings of a stack. "Pulumi.yaml" itself contains no secret.
  "Pulumi.*.yaml, Pulumi.*.yml, Pulumi.*.json",
  // Files with user data of a browser, such as cookies and passwords.
  "cookies.txt, cookies.sqlite, formhistory.sqlite, signons.sqlite, logins.json, key3.db, key4.db",
  "Cookies, Login Data, Web Data",
  // Histories of commands, which may contain secrets.
  ".*_history, .zhistory, .histfile, ConsoleHost_history.txt",
];

/**
 * Rules for files that never ship. Part of the archive format: a change changes the archive of a
 * folder with such a file, see `archiveFormat`.
 *
 * `update.xml` and `*.crx` are absent on purpose: the service requires both next to an extension
 * installed by policy. Source maps, tests and `node_modules` are absent too, because an extension
 * may need such files; use `exclude`. A listed file can be shipped in a ready zip.
 */
export const neverShipRules: readonly NeverShipRule[] = [
  { name: names(".git, .hg, .svn"), reason: "version control data" },
  { name: names(".DS_Store, ._*"), reason: systemFileReason },
  { name: names("__MACOSX"), reason: systemFileReason, only: "folder" },
  { name: names("Thumbs.db, desktop.ini"), reason: systemFileReason, only: "file" },
  {
    name: secretFiles("*.pem, *.key, *.der, *.p8, *.pk8, *.ppk, *.pvk, *.snk, *.agekey, deploy_key*"),
    reason: privateKey,
    only: "file",
  },
  // "id_rsa" and "id_deploy" are keys, "id_map.json" is not, and "id_rsa.pub" is public.
  {
    name: new RegExp(`^(?:id_[^.]+|.+_(?:rsa|dsa|ecdsa|ed25519))${copies}`, "is"),
    reason: privateKey,
    only: "file",
  },
  { name: secretFiles(secretFileGlobs.join(", ")), reason: secrets, only: "file" },
  { name: names(".env*, .dev.vars*, terraform.tfstate*"), reason: secrets },
  // Folders in which tools store logins.
  {
    name: names(
      ".aws, .azure, .bundle, .cargo, .chef, .config, .docker, .gem, .gnupg, .gradle, .history, .kube, " +
        ".m2, .minikube, .oci, .password-store, .pulumi, .ssh, .terraform, .terraform.d, .vercel, " +
        ".netlify, .auth, .claude, .cloudflared, .codex, .composer, .continue, .dbt, .direnv, .gemini, " +
        ".kaggle, .ngrok2, .pip, .secrets, .snowsql, .streamlit, .wrangler",
    ),
    reason: secrets,
  },
  // Chrome writes this folder when installing an extension from the store.
  { name: names("_metadata"), reason: "reserved for the browser's store", only: "folder", topLevel: true },
  {
    name: names(".vscode, .idea, .vs, .fleet, .zed, .nova, .cursor"),
    reason: editorFileReason,
    only: "folder",
  },
  { name: /^\..+\.sw[a-p]$|~$|^#.+#$/i, reason: editorFileReason, only: "file" },
  // An Emacs lock is a dangling symbolic link, so neither a file nor a folder.
  { name: names(".#*"), reason: editorFileReason },
];

/** All rules in one expression, for lower case: fast to compile, and almost no name matches. */
const anyRule = new RegExp(neverShipRules.map((rule) => rule.name.source.toLowerCase()).join("|"), "s");

/** Returns the reason why a path never ships, or undefined. `path`: relative to the extension. */
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
