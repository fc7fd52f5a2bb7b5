import pulumi
import pulumi_browser_infra as browser_infra

buyer = browser_infra.Credential(
    "buyer",
    domain="shop.example",
    values={"username": "ada", "password": pulumi.Config().require_secret("shopPassword")},
    opts=pulumi.ResourceOptions(delete_before_replace=True),
)
shop = browser_infra.AuthConnection(
    "shop",
    domain="shop.example",
    profile_name="buyer",
    credential={"name": buyer.name},
    opts=pulumi.ResourceOptions(delete_before_replace=True),
)

pulumi.export("connectionId", shop.id)
