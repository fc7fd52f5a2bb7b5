import pulumi
import pulumi_browser_infra as browser_infra

store = browser_infra.Project(
    "store",
    on_delete="archive",
    opts=pulumi.ResourceOptions(delete_before_replace=True),
)
pulumi.export("storeId", store.id)
