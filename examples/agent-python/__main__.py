"""An environment for agents that lease browsers."""

import pulumi
import pulumi_browser_infra as browser_infra

# For what there can be only one of: its replacement must wait until the old one is gone.
one_at_a_time = pulumi.ResourceOptions(delete_before_replace=True)

# Everything below goes into this project, and goes before it.
project = browser_infra.Project("agents", name="agents", opts=one_at_a_time)

# Two browsers of the pool, and one that signs in.
limits = browser_infra.ProjectLimits(
    "agents", project_id=project.id, max_concurrent_sessions=3, opts=one_at_a_time
)

# The agents' key reaches this project only.
key = browser_infra.ApiKey(
    "agents", project_id=project.id, days_to_expire=90, rotate_before_days=10
)

# What the browsers keep between sessions.
profile = browser_infra.Profile(
    "agents", project_id=project.id, name="agents", opts=one_at_a_time
)

reader = browser_infra.Extension(
    "page-reader", project_id=project.id, path="./extension"
)

pool = browser_infra.BrowserPool(
    "agents",
    project_id=project.id,
    size=2,
    headless=True,
    profile_id=profile.id,
    extension_ids=[reader.id],
    wait_for_available=1,
    opts=pulumi.ResourceOptions(delete_before_replace=True, depends_on=[limits]),
)

pulumi.export("poolId", pool.id)
# A secret: encrypted in the state, and shown by "pulumi stack output --show-secrets" only.
pulumi.export("agentKey", key.key)
