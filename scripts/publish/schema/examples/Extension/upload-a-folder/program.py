import pulumi
import pulumi_browser_infra as browser_infra

reader = browser_infra.Extension("reader", path="./extension", exclude=["tests/**"])
pulumi.export("extensionId", reader.id)
