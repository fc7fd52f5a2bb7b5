import pulumi
import pulumi_browser_infra as browser_infra

caps = browser_infra.OrganizationLimits(
    "caps",
    default_project_max_concurrent_sessions=20,
    opts=pulumi.ResourceOptions(delete_before_replace=True),
)
pulumi.export("browsersOfEachProject", caps.default_project_max_concurrent_sessions)
