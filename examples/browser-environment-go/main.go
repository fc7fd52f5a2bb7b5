// Everything that agents need, in one component.
package main

import (
	"example.com/pulumi-browser-infra/sdk/go/browserinfra"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		// A project, its limits, a key that is rotated, a profile, an extension, and a pool that loads both.
		shop, err := browserinfra.NewBrowserEnvironment(ctx, "shop", &browserinfra.BrowserEnvironmentArgs{
			Size:                  pulumi.Int(2),
			MaxConcurrentSessions: pulumi.Int(10),
			Extensions:            pulumi.StringMap{"reader": pulumi.String("./extension")},
			// Any argument of any child.
			Transform: &browserinfra.BrowserEnvironmentTransformArgs{
				Pool: &browserinfra.BrowserPoolTransformArgs{
					Network: &browserinfra.BrowserPoolNetworkArgs{
						AllowedHosts: pulumi.ToStringArray([]string{"shop.example", "*.shop.example"}),
					},
				},
			},
		})
		if err != nil {
			return err
		}
		ctx.Export("projectId", shop.ProjectId)
		ctx.Export("poolId", shop.PoolId)
		// A secret: encrypted in the state, and shown by "pulumi stack output --show-secrets" only.
		ctx.Export("agentKey", shop.ApiKey)
		return nil
	})
}
