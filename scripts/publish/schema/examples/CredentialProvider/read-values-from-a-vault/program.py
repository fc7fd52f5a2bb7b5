import pulumi
import pulumi_browser_infra as browser_infra

vault = browser_infra.CredentialProvider(
    "vault",
    name="vault",
    token_from_config="browser-infra:vaultToken",
    opts=pulumi.ResourceOptions(delete_before_replace=True),
)
teller = browser_infra.AuthConnection(
    "teller",
    domain="bank.example",
    profile_name="teller",
    credential={"provider": vault.name, "path": "Work/Bank"},
    opts=pulumi.ResourceOptions(delete_before_replace=True),
)

pulumi.export("tellerConnectionId", teller.id)
