module example-go

go 1.25

require (
	example.com/pulumi-browser-infra/sdk/go v0.1.0
	github.com/pulumi/pulumi/sdk/v3 v3.259.0
)
