import pulumi
import pulumi_browser_infra as browser_infra

login = browser_infra.LoginFlow(
    "login", connection_id=pulumi.Config().require("connectionId"), timeout="10m"
)
pulumi.export("flowStatus", login.flow_status)
