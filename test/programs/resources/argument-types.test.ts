import type * as pulumi from "@pulumi/pulumi";
import type * as infra from "../../../src/index.js";

/**
 * Names that are outputs of `Resource` and inputs of `Args`, where the input refuses the output.
 */
type Refused<Resource, Args> = {
  [Name in keyof Args & keyof Resource]: Required<Pick<Resource, Name>> extends Pick<Args, Name>
    ? never
    : Name;
}[keyof Args & keyof Resource];

/** Compiles only if `Names` is empty. The compiler's error shows the names. */
function expectNone<_Names extends never>(): void {}

/** The compiler is the test: `npm test` and `npm run check` compile this file. */
test("an argument accepts the output of the same name, also an output without a value", () => {
  expectNone<Refused<infra.ApiKey, infra.ApiKeyArgs>>();
  expectNone<Refused<infra.ApiKeyName, infra.ApiKeyNameArgs>>();
  expectNone<Refused<infra.AuthConnection, infra.AuthConnectionArgs>>();
  expectNone<Refused<infra.BrowserPool, infra.BrowserPoolArgs>>();
  expectNone<Refused<infra.Credential, infra.CredentialArgs>>();
  expectNone<Refused<infra.Extension, infra.ExtensionArgs>>();
  expectNone<Refused<infra.LoginFlow, infra.LoginFlowArgs>>();
  expectNone<Refused<infra.OrganizationLimits, infra.OrganizationLimitsArgs>>();
  expectNone<Refused<infra.Profile, infra.ProfileArgs>>();
  expectNone<Refused<infra.Project, infra.ProjectArgs>>();
  expectNone<Refused<infra.ProjectLimits, infra.ProjectLimitsArgs>>();
  expectNone<Refused<infra.Proxy, infra.ProxyArgs>>();
  expectNone<Refused<infra.TelemetryDestination, infra.TelemetryDestinationArgs>>();
});

/** Names of the optional arguments of `Args` that refuse an output without a value. */
type RequiringValue<Args> = {
  [Name in keyof Args]-?: undefined extends Args[Name]
    ? pulumi.Output<undefined> extends Args[Name]
      ? never
      : Name
    : never;
}[keyof Args];

test("an optional argument accepts an output without a value", () => {
  expectNone<RequiringValue<infra.ApiKeyArgs>>();
  expectNone<RequiringValue<infra.ApiKeyNameArgs>>();
  expectNone<RequiringValue<infra.AuthConnectionArgs>>();
  expectNone<RequiringValue<infra.BrowserPoolArgs>>();
  expectNone<RequiringValue<infra.CredentialArgs>>();
  expectNone<RequiringValue<infra.ExtensionArgs>>();
  expectNone<RequiringValue<infra.LoginFlowArgs>>();
  expectNone<RequiringValue<infra.OrganizationLimitsArgs>>();
  expectNone<RequiringValue<infra.ProfileArgs>>();
  expectNone<RequiringValue<infra.ProjectArgs>>();
  expectNone<RequiringValue<infra.ProjectLimitsArgs>>();
  expectNone<RequiringValue<infra.ProxyArgs>>();
  expectNone<RequiringValue<infra.ProxyConfig>>();
  expectNone<RequiringValue<infra.TelemetryDestinationArgs>>();
  // Not `apiKeyFrom`: a program reads the value before any declaration.
  expectNone<RequiringValue<Omit<infra.ProviderArgs, "apiKeyFrom">>>();
});
