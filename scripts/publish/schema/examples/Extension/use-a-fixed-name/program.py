import pulumi
import pulumi_browser_infra as browser_infra

blocker = browser_infra.Extension(
    "blocker",
    path="./extension",
    name="ad-blocker",
    opts=pulumi.ResourceOptions(delete_before_replace=True),
)
pulumi.export("checksum", blocker.checksum)
