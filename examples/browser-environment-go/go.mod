module example-browser-environment-go

go 1.25

replace example.com/pulumi-browser-infra/sdk/go => ./node_modules/pulumi-browser-infra/sdk/go
