import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { readExtension } from "../../../src/archive/index.js";
import { manifestText } from "../fixtures.js";
import { archiveErrorOf, extensionOf, folderOf } from "../folders.js";

describe("archive: files that never ship", () => {
  test.each([
    [".git/config", ".git/"],
    [".hg/store", ".hg/"],
    [".svn/entries", ".svn/"],
    ["lib/.GIT/config", "lib/.GIT/"],
    ["lib/.git", "lib/.git"],
    [".DS_Store", ".DS_Store"],
    ["._icon.png", "._icon.png"],
    ["__MACOSX/x", "__MACOSX/"],
    ["Thumbs.db", "Thumbs.db"],
    ["img/desktop.ini", "img/desktop.ini"],
    ["key.pem", "key.pem"],
    ["certs/Server.KEY", "certs/Server.KEY"],
    ["id_rsa", "id_rsa"],
    ["deploy/id_ed25519", "deploy/id_ed25519"],
    ["ID_deploy", "ID_deploy"],
    [".env", ".env"],
    [".env.production", ".env.production"],
    ["sub/.envrc", "sub/.envrc"],
    [".npmrc", ".npmrc"],
    ["_metadata/verified_contents.json", "_metadata/"],
    [".app.js.swp", ".app.js.swp"],
    ["app.js~", "app.js~"],
    ["#app.js#", "#app.js#"],
    [".aws/credentials", ".aws/"],
    [".ssh/config", ".ssh/"],
    [".docker/config.json", ".docker/"],
    [".kube/config", ".kube/"],
    [".gnupg/pubring.kbx", ".gnupg/"],
    [".pulumi/credentials.json", ".pulumi/"],
    [".netrc", ".netrc"],
    ["_netrc", "_netrc"],
    [".git-credentials", ".git-credentials"],
    [".pypirc", ".pypirc"],
    [".pgpass", ".pgpass"],
    ["admin/.htpasswd", "admin/.htpasswd"],
    [".dev.vars", ".dev.vars"],
    [".dev.vars.production", ".dev.vars.production"],
    ["certs/client.p12", "certs/client.p12"],
    ["client.PFX", "client.PFX"],
    ["AuthKey_1.p8", "AuthKey_1.p8"],
    ["putty.ppk", "putty.ppk"],
    ["android.jks", "android.jks"],
    ["release.keystore", "release.keystore"],
    ["passwords.kdbx", "passwords.kdbx"],
    ["id_rsa.bak", "id_rsa.bak"],
    ["id_ed25519.old", "id_ed25519.old"],
    ["server.pem.bak", "server.pem.bak"],
    ["server.key.old", "server.key.old"],
    ["server.pem.1", "server.pem.1"],
    ["server.key.orig.2", "server.key.orig.2"],
    [".npmrc.bak", ".npmrc.bak"],
    ["production.env", "production.env"],
    ["production.env.old", "production.env.old"],
    ["credentials.json", "credentials.json"],
    ["service-account.json", "service-account.json"],
    ["service-account-prod.json", "service-account-prod.json"],
    ["serviceAccountKey.json", "serviceAccountKey.json"],
    ["terraform.tfstate", "terraform.tfstate"],
    ["terraform.tfstate.backup", "terraform.tfstate.backup"],
    ["terraform.tfstate.d/dev/x", "terraform.tfstate.d/"],
    ["Pulumi.dev.yaml", "Pulumi.dev.yaml"],
    ["infra/pulumi.production.eu.yml", "infra/pulumi.production.eu.yml"],
    ["kubeconfig", "kubeconfig"],
    ["infra/prod.kubeconfig", "infra/prod.kubeconfig"],
    ["application_default_credentials.json", "application_default_credentials.json"],
    ["terraform.tfvars", "terraform.tfvars"],
    ["prod.auto.tfvars.json", "prod.auto.tfvars.json"],
    [".terraformrc", ".terraformrc"],
    [".azure/accessTokens.json", ".azure/"],
    [".config/gcloud/credentials.db", ".config/"],
    [".cargo/credentials.toml", ".cargo/"],
    [".dockercfg", ".dockercfg"],
    [".dockerconfigjson", ".dockerconfigjson"],
    [".my.cnf", ".my.cnf"],
    [".authinfo", ".authinfo"],
    [".vault-token", ".vault-token"],
    [".s3cfg", ".s3cfg"],
    [".boto", ".boto"],
    [".m2/settings.xml", ".m2/"],
    ["my-app-firebase-adminsdk-x1.json", "my-app-firebase-adminsdk-x1.json"],
    [".yarnrc.yml", ".yarnrc.yml"],
    ["key.der", "key.der"],
    ["deploy_key", "deploy_key"],
    ["github_rsa.bak", "github_rsa.bak"],
    [".gitconfig", ".gitconfig"],
    ["keys.agekey", "keys.agekey"],
    ["client_secret_1.apps.json", "client_secret_1.apps.json"],
    ["cookies.txt", "cookies.txt"],
    [".bash_history", ".bash_history"],
    [".zsh_history", ".zsh_history"],
    [".node_repl_history", ".node_repl_history"],
    [".histfile", ".histfile"],
    [".zhistory", ".zhistory"],
    [".history", ".history"],
    ["ConsoleHost_history.txt", "ConsoleHost_history.txt"],
    [".vscode/settings.json", ".vscode/"],
    [".idea/workspace.xml", ".idea/"],
    [".vs/x/.suo", ".vs/"],
    [".fleet/run.json", ".fleet/"],
    [".zed/settings.json", ".zed/"],
    [".nova/Configuration.json", ".nova/"],
    [".cursor/mcp.json", ".cursor/"],
    [".history/app_1.js", ".history/"],
    ["token.txt", "token.txt"],
    ["api/TOKENS.txt", "api/TOKENS.txt"],
    ["token.json", "token.json"],
    ["secrets.json", "secrets.json"],
    ["secret.txt", "secret.txt"],
    ["secrets.yml", "secrets.yml"],
    ["passwords.txt", "passwords.txt"],
    ["Chrome Passwords.csv", "Chrome Passwords.csv"],
    ["api-key.txt", "api-key.txt"],
    ["mnemonic.txt", "mnemonic.txt"],
    ["local.settings.json", "local.settings.json"],
    [".mcp.json", ".mcp.json"],
    [".aider.chat.history.md", ".aider.chat.history.md"],
    ["kaggle.json", "kaggle.json"],
    ["client.ovpn", "client.ovpn"],
    ["wg0.conf", "wg0.conf"],
    ["server.rdp", "server.rdp"],
    ["http.keytab", "http.keytab"],
    ["wallet.dat", "wallet.dat"],
    ["wallet.dat.bak", "wallet.dat.bak"],
    ["bitwarden_export_2026.json", "bitwarden_export_2026.json"],
    ["export.1pux", "export.1pux"],
    ["dump.sql", "dump.sql"],
    ["dump-2026.sql", "dump-2026.sql"],
    ["prod-dump.sql", "prod-dump.sql"],
    ["backup.sql.1", "backup.sql.1"],
    ["app.heapsnapshot", "app.heapsnapshot"],
    ["session.har", "session.har"],
    ["trace.pcapng", "trace.pcapng"],
    ["storageState.json", "storageState.json"],
    ["strong.snk", "strong.snk"],
    ["Cookies", "Cookies"],
    ["Web Data", "Web Data"],
    ["secring.gpg", "secring.gpg"],
    ["pip.conf", "pip.conf"],
    [".ftpconfig", ".ftpconfig"],
    ["sftp-config.json", "sftp-config.json"],
    [".claude/x.json", ".claude/"],
    [".composer/x.json", ".composer/"],
    [".codex/x.json", ".codex/"],
    [".auth/x.json", ".auth/"],
    [".wrangler/x.json", ".wrangler/"],
    [".secrets/x.json", ".secrets/"],
  ])("an extension is packed without %s, and the excluded path is reported", async (path, reported) => {
    const contents = await readExtension(extensionOf([[path, "x"]]));
    expect(contents.entries.map((entry) => entry.path)).toEqual(["manifest.json"]);
    expect(contents).toMatchObject({ excludedPaths: [reported], excludedCount: 1 });
  });

  test("files whose names only resemble secrets ship, and so do update.xml and .crx files", async () => {
    const paths = [
      ".gitignore",
      "Pulumi.yaml",
      "_locales/en/messages.json",
      "app.js.map",
      "app.js.old",
      "auth.json",
      "blocker.crx",
      "browser_history.js",
      "cookies.json",
      "credentials.js",
      "dotenv.js",
      "env",
      "history/x.js",
      "icons/id_map.json",
      "icons/id_map.json.bak",
      "keys.json",
      "lib/_metadata/x.json",
      "lib/id_rsa.pub",
      "monkey",
      "my-credentials.json",
      "node_modules/a/index.js",
      "passwords.js",
      "pem.js",
      "schema.sql",
      "secrets.js",
      "service-worker.json",
      "ssh/client.js",
      "tokens.json",
      "update.xml",
      "vscode/x.js",
    ];
    const folder = folderOf([
      ["manifest.json", manifestText({ default_locale: "en" })],
      ...paths.map((path) => [path, "{}"] as const),
    ]);
    const { entries, excludedPaths } = await readExtension(folder);
    expect(entries.map(({ path }) => path).filter((path) => path !== "manifest.json")).toEqual(paths);
    expect(excludedPaths).toEqual([]);
  });

  test("a folder that never ships is not read, so a link inside does no harm", async () => {
    const folder = extensionOf([[".git/HEAD", ""]]);
    symlinkSync("nowhere", join(folder, ".git/link"));
    symlinkSync("user@host.1:2", join(folder, ".#app.js"));
    expect((await readExtension(folder)).excludedPaths).toEqual([".#app.js", ".git/"]);
  });

  test("at most a hundred paths that never ship are reported, and all are counted but those that exclude matches", async () => {
    const folder = extensionOf(Array.from({ length: 120 }, (_, index) => [`keys/${index}.pem`, ""] as const));
    const { excludedPaths, excludedCount } = await readExtension(folder);
    expect([excludedPaths.length, excludedCount]).toEqual([100, 120]);
    expect((await readExtension(folder, { exclude: ["keys"] })).excludedCount).toBe(0);
  });

  test("the error for a manifest that names a file that never ships gives the reason", async () => {
    const folder = folderOf([
      ["manifest.json", manifestText({ options_page: "a.key" })],
      ["a.key", ""],
    ]);
    expect((await archiveErrorOf(readExtension(folder))).message).toContain(
      '"options_page" names "a.key", which never ships (may be a private key)',
    );
  });

  test("an empty folder is ignored, because zips have no empty folders", async () => {
    const folder = extensionOf();
    mkdirSync(join(folder, "empty/er"), { recursive: true });
    expect((await readExtension(folder)).entries).toHaveLength(1);
  });
});
