import pulumi
import pulumi_browser_infra as browser_infra

exit_proxy = browser_infra.Proxy(
    "exit",
    type="custom",
    config={
        "host": "proxy.example.com",
        "port": 3128,
        "username": "agents",
        "password": pulumi.Config().require_secret("proxyPassword"),
    },
)
pulumi.export("proxyId", exit_proxy.id)
