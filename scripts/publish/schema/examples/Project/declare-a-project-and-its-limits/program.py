import pulumi
import pulumi_browser_infra as browser_infra

options = pulumi.ResourceOptions(delete_before_replace=True)
shop = browser_infra.Project("shop", on_delete="archive", opts=options)
browser_infra.ProjectLimits(
    "shopLimits",
    project_id=shop.id,
    max_concurrent_sessions=5,
    opts=options,
)
pulumi.export("projectId", shop.id)
