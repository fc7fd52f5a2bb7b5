import pulumi
import pulumi_browser_infra as browser_infra

inbox = browser_infra.AuthConnection(
    "inbox",
    domain="mail.example",
    profile_name="reader",
    health_check_interval=7200,
    opts=pulumi.ResourceOptions(delete_before_replace=True),
)

pulumi.export("inboxConnectionId", inbox.id)
