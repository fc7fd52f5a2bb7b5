import type { Side } from "./nouns.js";

/** Members or values that somebody does not know, on purpose. */
export interface LeftOut {
  /** Noun, or "every noun". */
  readonly of: string;
  readonly by: readonly Side[];
  /** Names of members, `member=value` for a value, or the official types that are left out whole. */
  readonly what: string | RegExp;
  readonly because: string;
}

const programs = ["client", "resources"] as const;

/** What the official client knows and we leave out. An entry that no longer applies fails the test. */
export const leftOut: readonly LeftOut[] = [
  {
    of: "every noun",
    by: ["resources"],
    what: /^\w+ListParams$/,
    because: "A program looks up one object, or reads a whole list.",
  },
  {
    of: "API keys",
    by: ["resources"],
    what: "include_deleted expire_in_days",
    because: "A lookup finds no deleted key, and keepOldKeyDays sets the expiry of a rotated key.",
  },
  {
    of: "browser pools",
    by: programs,
    what: /^BrowserPool(Acquire|Release)/,
    because: "An agent leases and returns browsers with the service's own client.",
  },
  {
    of: "browser pools",
    by: ["resources"],
    what: "browser_pool_config extensions profile browser enabled",
    because: "The settings are properties of the pool: extensionIds, profileId, telemetry.",
  },
  {
    of: "browser pools",
    by: ["resources"],
    what: "discard_all_idle force",
    because: "They belong to one request. The life cycle decides both.",
  },
  {
    of: "browser pools",
    by: ["emulator"],
    what: /^BrowserPoolAcquireResponse$/,
    because: "An acquired browser is a session: see browser sessions.",
  },
  {
    of: "browser sessions",
    by: programs,
    what: /./,
    because: "An agent starts and leases browsers with the service's own client.",
  },
  {
    of: "browser sessions",
    by: ["emulator"],
    what: "deleted_at include_deleted last_used_at uptime_ms usage",
    because: "The emulator forgets ended sessions, and counts no use.",
  },
  {
    of: "browser sessions",
    by: ["emulator"],
    what: /^Browser(Curl|LoadExtensions)/,
    because: "The emulator does nothing inside a running browser.",
  },
  {
    of: "browser pools",
    by: ["client"],
    what: "captcha connection console interaction screenshot system",
    because: "The client passes on the categories by any name.",
  },
  {
    of: "extensions",
    by: ["client", "resources", "emulator"],
    what: /^ExtensionDownloadFromChromeStoreParams$/,
    because: "An extension is a folder of the program, not one of the web store.",
  },
  {
    of: "extensions",
    by: ["resources"],
    what: "file",
    because: "The resource packs the folder itself.",
  },
  {
    of: "extensions",
    by: ["client"],
    what: "file",
    because: "The name of the part is in the text of the multipart body, src/client/http/multipart.ts.",
  },
  {
    of: "profiles",
    by: ["client", "resources", "emulator"],
    what: /^ProfileDownloadParams$/,
    because: "The contents of a profile are neither managed nor emulated.",
  },
  {
    of: "proxies",
    by: programs,
    what: "url",
    because: "A check of a URL is a question of a person, not a setting.",
  },
  {
    of: "proxies",
    by: ["resources", "emulator"],
    what: "type=datacenter",
    because: "The published interface no longer offers the type.",
  },
  {
    of: "auth connections",
    by: ["resources"],
    what: /^(LoginResponse|SubmitFields\w+|Connection(Follow|Submit|List|Timeline)\w+|ManagedAuthTimelineEvent)$/,
    because: "People follow and answer a login, through the command line and the pages.",
  },
  {
    of: "auth connections",
    by: ["resources"],
    what:
      "choices discovered_fields fields mfa_options pending_sso_buttons sign_in_options label type description " +
      "observed_selector selector hint linked_mfa_type placeholder required ref target sso_provider " +
      "external_action_message website_error browser_session_id can_reauth_reason last_auth_at last_auth_check_at",
    because: "The state of one login changes without a program. LoginFlow has its result.",
  },
  {
    of: "auth connections",
    by: ["resources"],
    what: "proxy browser browser_telemetry enabled",
    because: "The settings are properties of the connection: proxyId, telemetryDestinationId.",
  },
  {
    of: "auth connections",
    by: ["client"],
    what: "browser_telemetry captcha console control interaction network screenshot system",
    because:
      "The client sends the destination alone, in the member of the newer interface, browser.telemetry.",
  },
  {
    of: "auth connections",
    by: ["emulator"],
    what: "console control interaction network screenshot system",
    because: "The telemetry of a browser pool has the categories, in the pools' folder.",
  },
  {
    of: "auth connections",
    by: ["client"],
    what: /^(ManagedAuthTimelineEvent|LoginResponse|SubmitFields\w+|ConnectionSubmitParams)$/,
    because: "The client follows a login. The answers and the timeline are for the page of the login.",
  },
  {
    of: "auth connections",
    by: ["emulator"],
    what: "type=tel linked_mfa_type placeholder",
    because: "No played login has a field with them.",
  },
  {
    of: "auth connections",
    by: ["emulator"],
    what: "replay_id step=INITIALIZED step=AWAITING_HUMAN_INTERVENTION",
    because: "No browser runs, so nothing is recorded, and no played login has these steps.",
  },
  {
    of: "auth connections",
    by: ["emulator"],
    what: "details inner_error",
    because: "The played stream ends without an error of this form.",
  },
  {
    of: "credentials",
    by: programs,
    what: "has_values totp_code totp_code_expires_at expires_at",
    because: "value_keys say more, and a one-time code is out of date before a deployment ends.",
  },
  {
    of: "credentials",
    by: ["resources"],
    what: "remove_value_keys code",
    because: "The life cycle decides which values it removes, and no program needs a one-time code.",
  },
  {
    of: "deployments",
    by: ["client", "resources", "emulator"],
    what: "source_path source_ref source_url ref type url token auth",
    because: "Only files are deployed: a moved branch could not be seen as a change.",
  },
  {
    of: "deployments",
    by: ["client", "resources"],
    what: "source",
    because: "The emulator answers a source with 501.",
  },
  {
    of: "deployments",
    by: ["resources", "emulator"],
    what: "method",
    because: "Of a source. The client has the word for its requests.",
  },
  { of: "deployments", by: ["client"], what: "file", because: "The client has an archive." },
  {
    of: "deployments",
    by: ["resources"],
    what: "entrypoint_rel_path source_checksum deployment event timestamp message code details inner_error error file force since",
    because: "The life cycle follows the build; entrypoint, path and checksum have shorter names.",
  },
  {
    of: "deployments",
    by: ["emulator"],
    what: "code details inner_error error",
    because: "The played stream ends without an error.",
  },
  {
    of: "credential providers",
    by: ["client"],
    what: "vault_id vault_name",
    because: "A path selects an item, and begins with the vault.",
  },
  {
    of: "credential providers",
    by: ["resources"],
    what: /^CredentialProvider(Item|TestResult|ListItemsResponse)$/,
    because: "The command line shows the items of a provider and tests its token.",
  },
];

/** Values that we offer and the official client does not know. */
export const onlyOurs: readonly LeftOut[] = [
  {
    of: "browser sessions",
    by: ["emulator"],
    what: "us-east us-west eu-west ap-southeast 1GiB 2GiB 4GiB 8GiB 16GiB",
    because: "Settings of pools, which the browsers of a pool show.",
  },
  {
    of: "every noun",
    by: ["resources"],
    what: "restore keep delete archive fail continue",
    because: "Ours: what happens at the end of a resource, or of a login without success.",
  },
  {
    of: "browser pools",
    by: ["client", "emulator"],
    what: "us-east us-west eu-west ap-southeast 1GiB 2GiB 4GiB 8GiB 16GiB",
    because: "Newer than this version of the official client.",
  },
  {
    of: "auth connections",
    by: ["resources"],
    what: "us-east us-west eu-west ap-southeast",
    because: "Newer than this version of the official client.",
  },
  {
    of: "auth connections",
    by: ["resources"],
    what: "direct",
    because: "Mode of browser.proxy, newer than this version of the official client.",
  },
  {
    of: "auth connections",
    by: ["emulator"],
    what: "direct default disabled",
    because: "Modes of browser.proxy and skill_mode, newer than this version of the official client.",
  },
  {
    of: "API keys",
    by: ["emulator"],
    what: "last_used_at",
    because: "Newer than this version of the official client, as a value of sort_by.",
  },
  {
    of: "proxies",
    by: ["emulator"],
    what: "US GB FR DE SG KR",
    because: "The official client takes any country. The published documentation lists these.",
  },
  {
    of: "credentials",
    by: ["resources", "emulator"],
    what: "SHA1 SHA256 SHA512",
    because: "Settings of one-time codes, newer than this version of the official client.",
  },
];

/** Files of the official client about no noun of ours, by the path below `resources`. */
export const otherFiles: readonly { readonly files: RegExp; readonly because: string }[] = [
  { files: /^(apps|deployments|invocations)$/, because: "Code that runs at the service is no resource yet." },
  {
    files: /^browsers(\/(?!browsers$)|$)/,
    because: "Agents lease and use browsers. Programs declare pools.",
  },
  { files: /^audit-logs$/, because: "People read and export the audit log." },
  { files: /^shared$/, because: "Types of several nouns, which are read where a noun uses them." },
  {
    files: /^(auth|organization|projects)$/,
    because: "They only pass on the files of the folder with the name.",
  },
  { files: /^(auth\/auth|organization\/organization)$/, because: "They have no type of their own." },
];
