import pulumi
import pulumi_browser_infra as browser_infra

logs = browser_infra.TelemetryDestination(
    "logs",
    endpoint="https://otlp.example.com",
    headers_from_config={"X-Api-Key": "browser-infra:otlpKey"},
    opts=pulumi.ResourceOptions(delete_before_replace=True),
)
agents = browser_infra.BrowserPool(
    "agents",
    size=2,
    telemetry={},
    telemetry_destination_id=logs.id,
    opts=pulumi.ResourceOptions(delete_before_replace=True),
)

pulumi.export("poolId", agents.id)
