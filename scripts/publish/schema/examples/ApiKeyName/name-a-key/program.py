import pulumi
import pulumi_browser_infra as browser_infra

ci = browser_infra.ApiKeyName(
    "ci",
    key_id=pulumi.Config().require("keyId"),
    name="CI, deployment",
    opts=pulumi.ResourceOptions(delete_before_replace=True),
)
pulumi.export("previousName", ci.previous_name)
