import pulumi
import pulumi_browser_infra as browser_infra

staging = browser_infra.get_project_output(name="staging")
pulumi.export("projectId", staging.id)
