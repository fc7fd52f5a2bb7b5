/** Functions of a program, answered by the plugin. Documentation: see `program`. */
import * as pulumi from "@pulumi/pulumi";
import type * as program from "../../../functions/functions.js";
import type { ReadName } from "../../../functions/reads.js";
import { pluginOptions } from "./declare.js";

export const getApiKey = plainForm("getApiKey");
export const getApiKeyOutput = outputForm("getApiKey");
export const getApiKeys = plainForm("getApiKeys");
export const getApiKeysOutput = outputForm("getApiKeys");
export const getAuthConnection = plainForm("getAuthConnection");
export const getAuthConnectionOutput = outputForm("getAuthConnection");
export const getBrowserPool = plainForm("getBrowserPool");
export const getBrowserPoolOutput = outputForm("getBrowserPool");
export const getBrowserPools = plainForm("getBrowserPools");
export const getBrowserPoolsOutput = outputForm("getBrowserPools");
export const getExtension = plainForm("getExtension");
export const getExtensionOutput = outputForm("getExtension");
export const getEntitlements = plainForm("getEntitlements");
export const getEntitlementsOutput = outputForm("getEntitlements");
export const getOrganizationLimits = plainForm("getOrganizationLimits");
export const getOrganizationLimitsOutput = outputForm("getOrganizationLimits");
export const getCredential = plainForm("getCredential");
export const getCredentialOutput = outputForm("getCredential");
export const getApp = plainForm("getApp");
export const getAppOutput = outputForm("getApp");
export const getAppDeployment = plainForm("getAppDeployment");
export const getAppDeploymentOutput = outputForm("getAppDeployment");
export const getCredentialProvider = plainForm("getCredentialProvider");
export const getCredentialProviderOutput = outputForm("getCredentialProvider");
export const getProfile = plainForm("getProfile");
export const getProfileOutput = outputForm("getProfile");

export const getProject = plainForm("getProject");
export const getProjectOutput = outputForm("getProject");
export const getProjectLimits = plainForm("getProjectLimits");
export const getProjectLimitsOutput = outputForm("getProjectLimits");
export const getProjects = plainForm("getProjects");
export const getProjectsOutput = outputForm("getProjects");

export const getProxy = plainForm("getProxy");
export const getProxyOutput = outputForm("getProxy");

export const getTelemetryDestination = plainForm("getTelemetryDestination");
export const getTelemetryDestinationOutput = outputForm("getTelemetryDestination");

function plainForm<Name extends ReadName>(name: Name): (typeof program)[Name] {
  const ask = (args: pulumi.Inputs = {}, options?: pulumi.InvokeOptions) =>
    pulumi.runtime.invoke(tokenOf(name), { ...args }, { ...pluginOptions, ...options });
  return ask as (typeof program)[Name];
}

function outputForm<Name extends ReadName>(name: Name): (typeof program)[`${Name}Output`] {
  const ask = (args: pulumi.Inputs = {}, options?: pulumi.InvokeOutputOptions) =>
    pulumi.runtime.invokeOutput(tokenOf(name), { ...args }, { ...pluginOptions, ...options });
  return ask as (typeof program)[`${Name}Output`];
}

function tokenOf(name: string): string {
  return `browser-infra:index:${name}`;
}
