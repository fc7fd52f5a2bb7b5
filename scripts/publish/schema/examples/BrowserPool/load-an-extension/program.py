import pulumi
import pulumi_browser_infra as browser_infra

reader = browser_infra.Extension("reader", path="./extension")
agents = browser_infra.BrowserPool(
    "agents",
    size=2,
    extension_ids=[reader.id],
    chrome_policy={"HomepageLocation": "https://example.com"},
    opts=pulumi.ResourceOptions(delete_before_replace=True),
)
pulumi.export("poolId", agents.id)
