import pulumi
import pulumi_browser_infra as browser_infra

project = browser_infra.Project(
    "agents", name="agents", opts=pulumi.ResourceOptions(delete_before_replace=True)
)
limits = browser_infra.ProjectLimits(
    "agents", project_id=project.id, max_concurrent_sessions=3, max_concurrent_invocations=2
)

# The agent's key reaches this project only.
key = browser_infra.ApiKey("agents", project_id=project.id, days_to_expire=90, rotate_before_days=10)
profile = browser_infra.Profile(
    "agents",
    project_id=project.id,
    name="agents",
    opts=pulumi.ResourceOptions(delete_before_replace=True),
)
pool = browser_infra.BrowserPool(
    "agents",
    project_id=project.id,
    size=2,
    headless=True,
    profile_id=profile.id,
    opts=pulumi.ResourceOptions(depends_on=[limits], delete_before_replace=True),
)

# A rotated key, another pool or new code deploys the agent anew.
agent = browser_infra.AppDeployment(
    "agent",
    project_id=project.id,
    path="./app",
    entrypoint="agent.py",
    app_name="shop-agent",
    env_vars={"POOL_NAME": pool.name, "PROJECT_ID": project.id, "POOL_KEY": key.key},
)

pulumi.export("deploymentId", agent.id)
