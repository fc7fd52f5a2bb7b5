/** Version of the layout, stored in a file as `user_version`. */
export const layoutVersion = 3;

/**
 * SQL that creates the tables.
 *
 * Archives have their own table, so that lists do not read the bytes. The table is in the same file
 * as the records, so that a record and the bytes are committed together. `seq`, or `rowid` in
 * tables without `seq`, keeps the order of creation.
 *
 * An API key outlives the project, so `project_id` is no foreign key. A deleted key remains as a
 * record, and the same key can be created again. A login stores the scenario, and times as numbers,
 * so that the steps of a fast run stay in order. `wake_ms`: time of the next change or expiry
 * without a request. Submitted values are not stored. A browser of a pool keeps the settings from
 * the time of the build.
 */
export const layout = `
CREATE TABLE organization (
  id TEXT NOT NULL,
  max_concurrent_sessions INTEGER NOT NULL,
  default_project_max_concurrent_sessions INTEGER,
  max_auth_connections INTEGER,
  min_health_check_interval_seconds INTEGER NOT NULL DEFAULT 300
) STRICT;
CREATE TABLE projects (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  status TEXT NOT NULL CHECK (status IN ('active', 'archived')),
  is_default INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  max_concurrent_sessions INTEGER,
  max_concurrent_invocations INTEGER,
  max_pooled_sessions INTEGER
) STRICT;
CREATE TABLE api_keys (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  key_sha256 TEXT NOT NULL,
  masked_key TEXT NOT NULL,
  name TEXT NOT NULL,
  project_id TEXT,
  given_at_start INTEGER NOT NULL,
  created_by_id TEXT NOT NULL,
  created_by_email TEXT NOT NULL,
  created_by_name TEXT,
  created_at TEXT NOT NULL,
  lifetime_days INTEGER,
  expires_at TEXT,
  policy TEXT,
  deleted_at TEXT
) STRICT;
CREATE UNIQUE INDEX living_api_keys ON api_keys (key_sha256) WHERE deleted_at IS NULL;
CREATE TABLE extensions (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  project_id TEXT NOT NULL REFERENCES projects (id),
  name TEXT,
  checksum TEXT,
  size_bytes INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  UNIQUE (project_id, name)
) STRICT;
CREATE TABLE archives (
  extension_id TEXT PRIMARY KEY REFERENCES extensions (id) ON DELETE CASCADE,
  bytes BLOB NOT NULL
) STRICT;
CREATE TABLE profiles (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  project_id TEXT NOT NULL REFERENCES projects (id),
  name TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT,
  UNIQUE (project_id, name)
) STRICT;
CREATE TABLE credentials (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  project_id TEXT NOT NULL REFERENCES projects (id),
  name TEXT NOT NULL,
  domain TEXT NOT NULL,
  fields TEXT NOT NULL,
  sso_provider TEXT,
  totp TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;
CREATE TABLE proxies (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  project_id TEXT NOT NULL REFERENCES projects (id),
  name TEXT,
  type TEXT NOT NULL,
  protocol TEXT NOT NULL,
  bypass_hosts TEXT,
  config TEXT,
  status TEXT NOT NULL,
  ip_address TEXT,
  last_checked TEXT
) STRICT;
CREATE TABLE auth_connections (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  project_id TEXT NOT NULL REFERENCES projects (id),
  domain TEXT NOT NULL,
  profile_name TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('AUTHENTICATED', 'NEEDS_AUTH')),
  settings TEXT NOT NULL,
  scenario_name TEXT,
  own_scenario TEXT,
  has_logged_in INTEGER NOT NULL DEFAULT 0,
  has_stored_credentials INTEGER NOT NULL DEFAULT 0,
  last_checked_at TEXT,
  UNIQUE (project_id, domain, profile_name)
) STRICT;
CREATE TABLE logins (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  connection_id TEXT NOT NULL REFERENCES auth_connections (id) ON DELETE CASCADE,
  scenario TEXT NOT NULL,
  type TEXT NOT NULL,
  status TEXT NOT NULL,
  step TEXT NOT NULL,
  position TEXT NOT NULL,
  visits INTEGER NOT NULL,
  website_error TEXT,
  error_code TEXT,
  error_message TEXT,
  password_given INTEGER NOT NULL,
  handoff_code TEXT NOT NULL,
  handed_off INTEGER NOT NULL,
  browser_session_id TEXT NOT NULL,
  started_ms REAL NOT NULL,
  updated_ms REAL NOT NULL,
  due_ms REAL,
  expires_ms REAL NOT NULL,
  wake_ms REAL NOT NULL
) STRICT;
CREATE INDEX logins_of_connection ON logins (connection_id, seq);
CREATE INDEX logins_to_wake ON logins (wake_ms) WHERE status = 'IN_PROGRESS';
CREATE TABLE health_checks (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  connection_id TEXT NOT NULL REFERENCES auth_connections (id) ON DELETE CASCADE,
  status TEXT NOT NULL,
  previous_status TEXT NOT NULL,
  checked_at TEXT NOT NULL
) STRICT;
CREATE INDEX health_checks_of_connection ON health_checks (connection_id, seq);
CREATE TABLE token_secret (bytes BLOB NOT NULL) STRICT;
CREATE TABLE browser_pools (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  project_id TEXT NOT NULL REFERENCES projects (id),
  name TEXT,
  created_at TEXT NOT NULL,
  settings TEXT NOT NULL,
  extension_ids TEXT NOT NULL,
  profile_id TEXT,
  building_ms REAL NOT NULL
) STRICT;
CREATE TABLE pool_browsers (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  pool_id TEXT NOT NULL REFERENCES browser_pools (id) ON DELETE CASCADE,
  settings TEXT NOT NULL,
  built_ms REAL NOT NULL,
  lease TEXT,
  expires_ms REAL
) STRICT;
CREATE INDEX browsers_of_pool ON pool_browsers (pool_id, seq);
`;
