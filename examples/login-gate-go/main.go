// Deploys an extension only after a login.
package main

import (
	"example.com/pulumi-browser-infra/sdk/go/browserinfra"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		settings := config.New(ctx, "")
		// Waits for a login, but does not start one. "pulumi up" prints the address where a person logs in.
		login, err := browserinfra.NewLoginFlow(ctx, "login", &browserinfra.LoginFlowArgs{
			ConnectionId: pulumi.String(settings.Require("connectionId")),
			Timeout:      pulumi.String(settings.Require("timeout")),
			OnFailure:    browserinfra.LoginFlowOnFailure(settings.Require("onFailure")),
		})
		if err != nil {
			return err
		}
		// Everything that is useless without the login depends on it, so Pulumi creates it afterwards.
		reader, err := browserinfra.NewExtension(ctx, "order-reader", &browserinfra.ExtensionArgs{
			Path: pulumi.String("./extension"),
		}, pulumi.DependsOn([]pulumi.Resource{login}))
		if err != nil {
			return err
		}
		// SUCCESS; with "onFailure: continue" also FAILED, EXPIRED or CANCELED. Empty if the profile was
		// already logged in.
		ctx.Export("loginStatus", login.FlowStatus)
		// The id to start a browser with, together with the logged-in profile.
		ctx.Export("extensionId", reader.ID())
		return nil
	})
}
