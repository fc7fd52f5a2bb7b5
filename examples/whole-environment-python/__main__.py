"""An environment for agents, from nothing."""

import pulumi
import pulumi_browser_infra as browser_infra

config = pulumi.Config()
# For what there can be only one of: its replacement must wait until the old one is gone.
one_at_a_time = pulumi.ResourceOptions(delete_before_replace=True)

# Everything below goes into this project, and goes before it.
project = browser_infra.Project(
    "agents", name=config.require("projectName"), opts=one_at_a_time
)

limits = browser_infra.ProjectLimits(
    "agents", project_id=project.id, max_concurrent_sessions=4, opts=one_at_a_time
)

# Rotated by the first deployment within ten days of its end. The old key then works for two days.
key = browser_infra.ApiKey(
    "agents",
    project_id=project.id,
    days_to_expire=90,
    rotate_before_days=10,
    keep_old_key_days=2,
    triggers=[config.require_int("keyGeneration")],
)

reader = browser_infra.Extension("page-reader", path="./extension", project_id=project.id)

# What the browsers keep between sessions, and their way to the web.
profile = browser_infra.Profile(
    "buyer", project_id=project.id, name="buyer", opts=one_at_a_time
)

proxy = browser_infra.Proxy(
    "exit", project_id=project.id, type="isp", config={"country": "DE"}
)

# Receives the telemetry of the browsers, for the whole organization.
logs = browser_infra.TelemetryDestination(
    "logs", endpoint="https://otlp.example.com", opts=one_at_a_time
)

pool = browser_infra.BrowserPool(
    "agents",
    project_id=project.id,
    size=2,
    profile_id=profile.id,
    proxy_id=proxy.id,
    telemetry={},
    telemetry_destination_id=logs.id,
    extension_ids=[reader.id],
    chrome_policy={"HomepageLocation": "https://example.com"},
    opts=pulumi.ResourceOptions(delete_before_replace=True, depends_on=[limits]),
)

# What a login enters. The service never shows it again.
credential = browser_infra.Credential(
    "shop",
    project_id=project.id,
    domain="shop.example",
    values={"username": "ada", "password": config.require_secret("shopPassword")},
    opts=one_at_a_time,
)

# A password manager. A connection can name it instead: {"provider": vault.name, "path": "Work/Shop"}.
vault = browser_infra.CredentialProvider(
    "vault", token=config.require_secret("vaultToken"), opts=one_at_a_time
)

# The service keeps the profile logged in there.
connection = browser_infra.AuthConnection(
    "shop",
    project_id=project.id,
    domain="shop.example",
    profile_name=profile.name,
    credential={"name": credential.name},
    opts=one_at_a_time,
)

# Waits until the profile is logged in: start it with "browser-infra login start".
login = browser_infra.LoginFlow(
    "shop", project_id=project.id, connection_id=connection.id, timeout="10m"
)

pulumi.export("projectId", project.id)
pulumi.export("connectionId", connection.id)
pulumi.export("loginStatus", login.flow_status)
pulumi.export("extensionId", reader.id)
pulumi.export("poolId", pool.id)
pulumi.export("vaultName", vault.name)
# A secret: encrypted in the state, and shown by "pulumi stack output --show-secrets" only.
pulumi.export("agentKey", key.key)
