import pulumi
import pulumi_browser_infra as browser_infra

shopper = browser_infra.Profile(
    "shopper",
    name="shopper",
    opts=pulumi.ResourceOptions(delete_before_replace=True),
)
browsers = browser_infra.BrowserPool(
    "browsers",
    size=2,
    profile_id=shopper.id,
    opts=pulumi.ResourceOptions(delete_before_replace=True),
)
pulumi.export("poolId", browsers.id)
