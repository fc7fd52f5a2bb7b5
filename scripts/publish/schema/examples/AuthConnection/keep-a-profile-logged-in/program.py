import pulumi
import pulumi_browser_infra as browser_infra

shop = browser_infra.AuthConnection(
    "shop",
    domain="shop.example",
    profile_name="buyer",
    health_check_interval=7200,
    opts=pulumi.ResourceOptions(delete_before_replace=True),
)
login = browser_infra.LoginFlow("login", connection_id=shop.id, timeout="10m")

pulumi.export("flowStatus", login.flow_status)
