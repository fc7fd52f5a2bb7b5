import pulumi
import pulumi_browser_infra as browser_infra

options = pulumi.ResourceOptions(delete_before_replace=True)
store = browser_infra.Project("store", on_delete="archive", opts=options)
browser_infra.ProjectLimits(
    "storeLimits",
    project_id=store.id,
    max_concurrent_sessions=5,
    opts=options,
)
pulumi.export("storeId", store.id)
