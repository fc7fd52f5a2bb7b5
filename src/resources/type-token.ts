import type { ResourceKind } from "../providers/kinds.js";

/** Type token of a kind as a dynamic resource, for policies, aliases and import files. */
export function resourceType(kind: ResourceKind): string {
  return `pulumi-nodejs:dynamic/browser-infra:${kind}`;
}

/** Type token of a kind managed by the provider plugin, for policies and aliases. */
export function pluginType(kind: ResourceKind): string {
  return `browser-infra:index:${kind}`;
}
