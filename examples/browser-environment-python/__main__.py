"""Everything that agents need, in one component."""

import pulumi
import pulumi_browser_infra as browser_infra

# A project, its limits, a key that is rotated, a profile, an extension, and a pool that loads both.
shop = browser_infra.BrowserEnvironment(
    "shop",
    size=2,
    max_concurrent_sessions=10,
    extensions={"reader": "./extension"},
    # Any argument of any child.
    transform={"pool": {"network": {"allowed_hosts": ["shop.example", "*.shop.example"]}}},
)

pulumi.export("projectId", shop.project_id)
pulumi.export("poolId", shop.pool_id)
# A secret: encrypted in the state, and shown by "pulumi stack output --show-secrets" only.
pulumi.export("agentKey", shop.api_key)
