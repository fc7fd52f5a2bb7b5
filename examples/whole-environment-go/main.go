// An environment for agents, from nothing.
package main

import (
	"example.com/pulumi-browser-infra/sdk/go/browserinfra"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		settings := config.New(ctx, "")
		// For what there can be only one of: its replacement must wait until the old one is gone.
		oneAtATime := pulumi.DeleteBeforeReplace(true)

		// Everything below goes into this project, and goes before it.
		project, err := browserinfra.NewProject(ctx, "agents", &browserinfra.ProjectArgs{
			Name: pulumi.String(settings.Require("projectName")),
		}, oneAtATime)
		if err != nil {
			return err
		}
		limits, err := browserinfra.NewProjectLimits(ctx, "agents", &browserinfra.ProjectLimitsArgs{
			ProjectId:             project.ID(),
			MaxConcurrentSessions: pulumi.Int(4),
		}, oneAtATime)
		if err != nil {
			return err
		}
		// Rotated by the first deployment within ten days of its end. The old key then works for two days.
		key, err := browserinfra.NewApiKey(ctx, "agents", &browserinfra.ApiKeyArgs{
			ProjectId:        project.ID(),
			DaysToExpire:     pulumi.Int(90),
			RotateBeforeDays: pulumi.Int(10),
			KeepOldKeyDays:   pulumi.Int(2),
			Triggers:         pulumi.Array{pulumi.Int(settings.RequireInt("keyGeneration"))},
		})
		if err != nil {
			return err
		}
		reader, err := browserinfra.NewExtension(ctx, "page-reader", &browserinfra.ExtensionArgs{
			Path:      pulumi.String("./extension"),
			ProjectId: project.ID(),
		})
		if err != nil {
			return err
		}
		// What the browsers keep between sessions, and their way to the web.
		profile, err := browserinfra.NewProfile(ctx, "buyer", &browserinfra.ProfileArgs{
			ProjectId: project.ID(),
			Name:      pulumi.String("buyer"),
		}, oneAtATime)
		if err != nil {
			return err
		}
		proxy, err := browserinfra.NewProxy(ctx, "exit", &browserinfra.ProxyArgs{
			ProjectId: project.ID(),
			Type:      browserinfra.ProxyTypeIsp,
			Config:    &browserinfra.ProxyConfigArgs{Country: pulumi.String("DE")},
		})
		if err != nil {
			return err
		}
		// Receives the telemetry of the browsers, for the whole organization.
		logs, err := browserinfra.NewTelemetryDestination(ctx, "logs", &browserinfra.TelemetryDestinationArgs{
			Endpoint: pulumi.String("https://otlp.example.com"),
		}, oneAtATime)
		if err != nil {
			return err
		}
		pool, err := browserinfra.NewBrowserPool(ctx, "agents", &browserinfra.BrowserPoolArgs{
			ProjectId:              project.ID(),
			Size:                   pulumi.Int(2),
			ProfileId:              profile.ID(),
			ProxyId:                proxy.ID(),
			Telemetry:              &browserinfra.BrowserTelemetryArgs{},
			TelemetryDestinationId: logs.ID(),
			ExtensionIds:           pulumi.StringArray{reader.ID()},
			ChromePolicy:           pulumi.Map{"HomepageLocation": pulumi.String("https://example.com")},
		}, oneAtATime, pulumi.DependsOn([]pulumi.Resource{limits}))
		if err != nil {
			return err
		}
		// What a login enters. The service never shows it again.
		credential, err := browserinfra.NewCredential(ctx, "shop", &browserinfra.CredentialArgs{
			ProjectId: project.ID(),
			Domain:    pulumi.String("shop.example"),
			Values: pulumi.StringMap{
				"username": pulumi.String("ada"),
				"password": settings.RequireSecret("shopPassword"),
			},
		}, oneAtATime)
		if err != nil {
			return err
		}
		// A password manager. A connection can name it instead: Provider vault.Name, Path Work/Shop.
		vault, err := browserinfra.NewCredentialProvider(ctx, "vault", &browserinfra.CredentialProviderArgs{
			Token: settings.RequireSecret("vaultToken"),
		}, oneAtATime)
		if err != nil {
			return err
		}
		// The service keeps the profile logged in there.
		connection, err := browserinfra.NewAuthConnection(ctx, "shop", &browserinfra.AuthConnectionArgs{
			ProjectId:   project.ID(),
			Domain:      pulumi.String("shop.example"),
			ProfileName: profile.Name,
			Credential:  &browserinfra.AuthConnectionCredentialArgs{Name: credential.Name},
		}, oneAtATime)
		if err != nil {
			return err
		}
		// Waits until the profile is logged in: start it with "browser-infra login start".
		login, err := browserinfra.NewLoginFlow(ctx, "shop", &browserinfra.LoginFlowArgs{
			ProjectId:    project.ID(),
			ConnectionId: connection.ID(),
			Timeout:      pulumi.String("10m"),
		})
		if err != nil {
			return err
		}

		ctx.Export("projectId", project.ID())
		ctx.Export("connectionId", connection.ID())
		ctx.Export("loginStatus", login.FlowStatus)
		ctx.Export("extensionId", reader.ID())
		ctx.Export("poolId", pool.ID())
		ctx.Export("vaultName", vault.Name)
		// A secret: encrypted in the state, and shown by "pulumi stack output --show-secrets" only.
		ctx.Export("agentKey", key.Key)
		return nil
	})
}
