"""Deploys an extension only after a login."""

import pulumi
import pulumi_browser_infra as browser_infra

config = pulumi.Config()

# Waits for a login, but does not start one. "pulumi up" prints the address where a person logs in.
login = browser_infra.LoginFlow(
    "login",
    connection_id=config.require("connectionId"),
    timeout=config.require("timeout"),
    on_failure=config.require("onFailure"),
)

# Everything that is useless without the login depends on it, so Pulumi creates it afterwards.
reader = browser_infra.Extension(
    "order-reader",
    path="./extension",
    opts=pulumi.ResourceOptions(depends_on=[login]),
)

# SUCCESS; with "onFailure: continue" also FAILED, EXPIRED or CANCELED. Empty if the profile was
# already logged in.
pulumi.export("loginStatus", login.flow_status)
# The id to start a browser with, together with the logged-in profile.
pulumi.export("extensionId", reader.id)
