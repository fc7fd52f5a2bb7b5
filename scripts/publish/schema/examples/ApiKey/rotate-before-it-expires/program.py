import pulumi
import pulumi_browser_infra as browser_infra

agents = browser_infra.ApiKey(
    "agents", days_to_expire=90, rotate_before_days=30, keep_old_key_days=14
)
pulumi.export("agentsKey", agents.key)
