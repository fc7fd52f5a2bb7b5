// A browser extension, declared as a folder.
package main

import (
	"example.com/pulumi-browser-infra/sdk/go/browserinfra"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		// Pulumi packs, hashes and uploads this folder, and replaces the extension when any byte changes.
		reader, err := browserinfra.NewExtension(ctx, "page-reader", &browserinfra.ExtensionArgs{
			Path: pulumi.String("./extension"),
		})
		if err != nil {
			return err
		}
		// The id to start a browser with.
		ctx.Export("extensionId", reader.ID())
		ctx.Export("extensionName", reader.Name)
		ctx.Export("checksum", reader.Checksum)
		return nil
	})
}
