import pulumi
import pulumi_browser_infra as browser_infra

password = pulumi.Config().require_secret("bankPassword")
teller_login = browser_infra.Credential(
    "tellerLogin",
    domain="bank.example",
    values={"username": "ada", "password": password},
    opts=pulumi.ResourceOptions(delete_before_replace=True),
)
teller = browser_infra.AuthConnection(
    "teller",
    domain="bank.example",
    profile_name="teller",
    credential={"name": teller_login.name},
    opts=pulumi.ResourceOptions(delete_before_replace=True),
)

pulumi.export("tellerConnectionId", teller.id)
