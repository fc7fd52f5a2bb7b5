import pulumi
import pulumi_browser_infra as browser_infra

reader = browser_infra.Extension(
    "reader",
    path="./extension",
    name="page-reader",
    opts=pulumi.ResourceOptions(delete_before_replace=True),
)
pulumi.export("checksum", reader.checksum)
