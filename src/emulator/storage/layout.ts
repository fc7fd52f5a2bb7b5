/**
 * The steps to the present layout of the tables. A new file takes all of them, an older one those it lacks; so a step that was
 * published never changes. The number of steps a file has taken is kept in its `user_version`.
 *
 * Archives have a table of their own, so that listing does not read past their bytes. They are in the same file as the
 * records, so that a record and its bytes are committed together. `seq`, and `rowid` where there is none, keep the order of
 * creation, which ids do not.
 */
export const layoutSteps: readonly string[] = [
  `
  CREATE TABLE projects (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    status TEXT NOT NULL CHECK (status IN ('active', 'archived')),
    is_default INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
  ) STRICT;
  CREATE TABLE api_keys (
    id TEXT PRIMARY KEY,
    key_sha256 TEXT NOT NULL UNIQUE,
    project_id TEXT REFERENCES projects (id),
    given_at_start INTEGER NOT NULL,
    created_at TEXT NOT NULL
  ) STRICT;
  CREATE TABLE extensions (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    project_id TEXT NOT NULL REFERENCES projects (id),
    name TEXT,
    name_folded TEXT,
    checksum TEXT,
    size_bytes INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    last_used_at TEXT,
    UNIQUE (project_id, name)
  ) STRICT;
  CREATE TABLE archives (
    extension_id TEXT PRIMARY KEY REFERENCES extensions (id) ON DELETE CASCADE,
    bytes BLOB NOT NULL
  ) STRICT;
  `,
  // Limits, and API keys with all their fields. A key outlives its project, so it does not refer to it; a deleted key stays as a
  // record, and its text may be used anew. Of a key from before nothing but its digest is known, hence the mask.
  `
  ALTER TABLE projects ADD COLUMN max_concurrent_sessions INTEGER;
  ALTER TABLE projects ADD COLUMN max_concurrent_invocations INTEGER;
  ALTER TABLE projects ADD COLUMN max_pooled_sessions INTEGER;
  ALTER TABLE extensions DROP COLUMN name_folded;
  ALTER TABLE api_keys RENAME TO former_api_keys;
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
    deleted_at TEXT
  ) STRICT;
  CREATE UNIQUE INDEX living_api_keys ON api_keys (key_sha256) WHERE deleted_at IS NULL;
  INSERT INTO api_keys
    (id, key_sha256, masked_key, name, project_id, given_at_start, created_by_id, created_by_email, created_by_name, created_at)
    SELECT id, key_sha256, 'sk_...????', iif(given_at_start, 'Given at start', 'API key'), project_id, given_at_start,
      'emulateduser000000000000', 'emulator@example.com', 'Emulator', created_at
    FROM former_api_keys ORDER BY rowid;
  DROP TABLE former_api_keys;
  CREATE TABLE organization (
    id TEXT NOT NULL,
    max_concurrent_sessions INTEGER NOT NULL,
    default_project_max_concurrent_sessions INTEGER
  ) STRICT;
  `,
  // Auth connections and their logins. A login has its times as numbers, so that a run faster than written stays in order, and keeps its
  // script. `wake_ms` is when it goes on or expires by itself. Values that are submitted are kept nowhere.
  `
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
  CREATE TABLE login_flows (
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
  CREATE INDEX login_flows_of_connection ON login_flows (connection_id, seq);
  CREATE INDEX login_flows_to_wake ON login_flows (wake_ms) WHERE status = 'IN_PROGRESS';
  CREATE TABLE health_checks (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL,
    connection_id TEXT NOT NULL REFERENCES auth_connections (id) ON DELETE CASCADE,
    status TEXT NOT NULL,
    previous_status TEXT NOT NULL,
    checked_ms REAL NOT NULL
  ) STRICT;
  CREATE INDEX health_checks_of_connection ON health_checks (connection_id, seq);
  CREATE TABLE token_secret (bytes BLOB NOT NULL) STRICT;
  `,
];
