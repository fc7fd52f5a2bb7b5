/** Project in the service's format. */
export const wireProject = {
  id: "ckp0000000000000000000ab",
  name: "staging",
  status: "active",
  created_at: "2026-05-01T08:00:00Z",
  updated_at: "2026-06-01T08:00:00.123Z",
};

/** API key in the service's format. */
export const wireApiKey = {
  id: "ckk0000000000000000000cd",
  name: "ci",
  created_at: "2026-05-01T08:00:00Z",
  created_by: { id: "usr_1", email: "ana@example.com", name: "Ana" },
  expires_at: "2027-05-01T08:00:00Z",
  deleted_at: null,
  project_id: wireProject.id,
  project_name: wireProject.name,
  last_used_at: "2026-07-01T08:00:00Z",
  masked_key: "sk_1234...abcd",
};

/** Profile in the service's format. */
export const wireProfile = {
  id: "ckf0000000000000000000b1",
  name: "shopper",
  created_at: "2026-05-01T08:00:00Z",
  updated_at: "2026-06-01T08:00:00Z",
  last_used_at: "2026-07-01T08:00:00Z",
};

/** Telemetry destination in the service's format. Values of headers are empty in every response. */
export const wireTelemetryDestination = {
  id: "tld0000000000000000000ab",
  name: "logs",
  endpoint: "https://otlp.example.com",
  description: "All browsers",
  headers: { Authorization: "", "X-Tenant": "" },
  consecutive_failures: 2,
  last_error: "The endpoint refused the connection.",
  last_error_at: "2026-11-21T10:05:00Z",
  last_export_at: "2026-11-21T10:00:00Z",
  created_at: "2026-11-21T09:00:00Z",
  updated_at: "2026-11-21T09:00:00Z",
};

/** Credential in the service's format, without related records. */
export const wireCredential = {
  id: "crd0000000000000000000ab",
  name: "shop",
  domain: "shop.example",
  has_values: true,
  value_keys: ["password"],
  sso_provider: "google",
  has_totp_secret: true,
  totp_algorithm: "SHA1",
  totp_digits: 6,
  totp_period: 30,
  created_at: "2026-11-21T10:00:00Z",
  updated_at: "2026-11-21T10:00:00Z",
};

/** Deployment in the service's format. */
export const wireDeployment = {
  id: "dep0000000000000000000ab",
  status: "running",
  region: "aws.us-east-1a",
  entrypoint_rel_path: "src/app.ts",
  env_vars: { MODE: "" },
  source_type: "file",
  source_checksum: "ab".repeat(32),
  created_at: "2026-11-21T10:00:00Z",
  updated_at: "2026-11-22T10:00:00Z",
};

/** App version in the service's format. */
export const wireAppVersion = {
  id: "apv0000000000000000000ab",
  app_name: "agent",
  version: "latest",
  deployment: wireDeployment.id,
  region: "aws.us-east-1a",
  env_vars: { MODE: "" },
  actions: [{ name: "browse", input_schema: null, output_schema: null }],
};

/** Credential provider in the service's format. */
export const wireCredentialProvider = {
  id: "cpr0000000000000000000ab",
  name: "vault",
  provider_type: "onepassword",
  enabled: true,
  priority: 0,
  created_at: "2026-11-21T10:00:00Z",
  updated_at: "2026-11-22T10:00:00Z",
};

/** Proxy in the service's format. */
export const wireProxy = {
  id: "ckx0000000000000000000c1",
  name: "exit",
  type: "custom",
  protocol: "https",
  bypass_hosts: ["intranet.example"],
  config: { host: "proxy.example", port: 3128, username: "web", has_password: true, has_ca_bundle: false },
  status: "available",
  ip_address: "192.0.2.1",
  last_checked: "2026-07-01T08:00:00Z",
};

/** Browser pool in the service's format, with every setting. */
export const wireBrowserPool = {
  id: "ckb0000000000000000000ef",
  name: "agents",
  available_count: 3,
  acquired_count: 2,
  created_at: "2026-05-01T08:00:00Z",
  extension_ids: ["cke0000000000000000000a1", "cke0000000000000000000a2"],
  profile_id: "ckf0000000000000000000b1",
  region: "eu-west",
  browser_pool_config: {
    name: "agents",
    size: 5,
    memory: "16GiB",
    network: {
      allowed_hosts: ["*.shop.example"],
      private_hosts: [],
      proxy_routes: [{ hosts: ["bank.example"], proxy: { id: "ckx0000000000000000000c2" } }],
    },
    extensions: [{ id: "cke0000000000000000000a1" }, { name: "ad-blocker" }],
    profile: { name: "shopper" },
    proxy_id: "ckx0000000000000000000c1",
    chrome_policy: { BookmarkBarEnabled: false, URLBlocklist: ["example.com"] },
    viewport: { width: 1280, height: 800, refresh_rate: 60 },
    headless: false,
    stealth: true,
    kiosk_mode: false,
    start_url: "https://example.com/",
    timeout_seconds: 600,
    fill_rate_per_minute: 25,
    refresh_on_profile_update: true,
    telemetry: {
      browser: {
        page: { enabled: true },
        control: { enabled: false, cdp: { excluded_methods: ["Page.navigate"] } },
        console: {},
      },
      export: { otlp: { enabled: true, destination: "ckt0000000000000000000d1" } },
      storage: { enabled: false },
    },
  },
};

/** 255 code points outside the basic plane: 510 UTF-16 units, 1020 UTF-8 bytes. */
export const astralName = "😀".repeat(255);

/** Names that a careless comparison, a trim or an unencoded query would change. */
export const delicateNames: readonly string[] = [
  astralName,
  " leading and trailing ",
  "caf\u00e9",
  "cafe\u0301",
  "Staging",
  "ckp0000000000000000000ab",
  "a/b",
  "100%",
  "%2F",
  "a&b=c#d?e+f",
  "__proto__",
  '"quoted\\',
];
