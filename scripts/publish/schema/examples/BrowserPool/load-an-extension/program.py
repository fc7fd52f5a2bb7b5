import pulumi
import pulumi_browser_infra as browser_infra

page_reader = browser_infra.Extension("page-reader", path="./extension")
browsers = browser_infra.BrowserPool(
    "browsers",
    size=2,
    extension_ids=[page_reader.id],
    chrome_policy={"HomepageLocation": "https://example.com"},
    opts=pulumi.ResourceOptions(delete_before_replace=True),
)
pulumi.export("poolId", browsers.id)
