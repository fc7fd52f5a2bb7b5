import * as pulumi from "@pulumi/pulumi";
import type { proxyState } from "../../providers/browsers/proxy/properties.js";
import { dynamicBridge } from "../dynamic-bridge.js";
import { type GetArguments, getResource, type ResourceState } from "../lookup.js";
import { isOfKind, nullsToUndefined, type ResourceDeclaration, registration } from "../registration.js";
import { resourceType } from "../type-token.js";

/** Location or server of a {@link Proxy}. The `type` of the proxy determines the members. */
export interface ProxyConfig {
  /**
   * `isp`: US, GB, FR, DE, SG or KR, by default US. `residential` and `mobile`: a country code, by
   * default any country; required with a state, a city, a zip or an asn.
   */
  readonly country?: pulumi.Input<string | undefined>;
  /** `residential` and `mobile`: a state of the US. `residential`: by its two letters. */
  readonly state?: pulumi.Input<string | undefined>;
  /**
   * City. `residential`: in lower case and without spaces. `mobile`: the provider's name for it.
   */
  readonly city?: pulumi.Input<string | undefined>;
  /** `residential`: a ZIP code of the US, five digits, in place of a state and a city. */
  readonly zip?: pulumi.Input<string | undefined>;
  /** `residential`: number of an autonomous system (`AS7922`), in place of a state and a city. */
  readonly asn?: pulumi.Input<string | undefined>;
  /** `residential`: `windows`, `macos` or `android`. */
  readonly os?: pulumi.Input<string | undefined>;
  /** `custom`: host name or address of your proxy. Required for a custom proxy. */
  readonly host?: pulumi.Input<string | undefined>;
  /** `custom`: port of your proxy, 1 to 65535. Required for a custom proxy. */
  readonly port?: pulumi.Input<number | undefined>;
  /** `custom`: user name. Default: none. */
  readonly username?: pulumi.Input<string | undefined>;
  /**
   * `custom`: password of at least 5 characters. Always a secret: the state encrypts it, and no
   * diff shows it. But Pulumi's SDK logs the inputs of a program, secrets in plain text: `--json`,
   * `--debug` and `-v=7` show the password. If anybody else can read those logs, use
   * `passwordFromEnv` or `passwordFromConfig`. The service never shows the password, so a refresh
   * does not find a password that was changed elsewhere.
   */
  readonly password?: pulumi.Input<string | undefined>;
  /**
   * `custom`: name of an environment variable with the password. The provider reads the variable in
   * the environment of Pulumi, so the value reaches no log and no state. A new value replaces the
   * proxy. If the variable is not set, the preview fails. A variable of Pulumi (`PULUMI_…`) and the
   * variables of the deployment's own key are refused.
   */
  readonly passwordFromEnv?: pulumi.Input<string | undefined>;
  /**
   * `custom`: name of a secret setting of the stack with the password, as `passwordFromEnv`.
   * Namespace: `pulumi-nodejs:`, or for the plugin and the SDKs `browser-infra:`. Pulumi passes
   * settings of no other namespace to the process of a provider.
   */
  readonly passwordFromConfig?: pulumi.Input<string | undefined>;
  /**
   * `custom`: certificates of authorities in PEM, at most 64 KiB, for a proxy that terminates TLS.
   * A secret, as `password`.
   */
  readonly caBundle?: pulumi.Input<string | undefined>;
  /** `custom`: name of an environment variable with the `caBundle`, as `passwordFromEnv`. */
  readonly caBundleFromEnv?: pulumi.Input<string | undefined>;
  /** `custom`: name of a secret setting with the `caBundle`, as `passwordFromConfig`. */
  readonly caBundleFromConfig?: pulumi.Input<string | undefined>;
}

/** Arguments of a {@link Proxy}. */
export interface ProxyArgs {
  /**
   * Name: 1 to 255 characters, without whitespace at the start or the end. Unique among the proxies
   * of the program, but not in the service. A change renames the proxy in place. Default:
   * `<logical name>-<7 hexadecimal digits>`, which never changes.
   */
  readonly name?: pulumi.Input<string | undefined>;
  /**
   * Project id. A change replaces the proxy. Default: the project of the settings, or else of the
   * API key.
   */
  readonly projectId?: pulumi.Input<string | undefined>;
  /** Source of the IP addresses. A change replaces the proxy. */
  readonly type: pulumi.Input<"isp" | "residential" | "mobile" | "custom">;
  /** Protocol between browsers and the proxy. A change replaces the proxy. Default: https. */
  readonly protocol?: pulumi.Input<"http" | "https" | undefined>;
  /**
   * Hosts that browsers reach without the proxy: at most 100 hostnames, optionally with a leading
   * `*.`. A change replaces the proxy. Not available in every plan of the service. Default: none.
   */
  readonly bypassHosts?: pulumi.Input<pulumi.Input<string>[] | undefined>;
  /** Location or server of the proxy. A change replaces the proxy. Required for type `custom`. */
  readonly config?: pulumi.Input<ProxyConfig | undefined>;
}

/** @internal Kind and outputs, for the classes of both bridges. */
export const proxy = {
  kind: "Proxy",
  outputs: { name: true, projectId: true, type: true, protocol: true, bypassHosts: true, config: true },
  importAdvice: { group: "proxies" },
  find: (functions) => functions.getProxyOutput,
  markSecrets: ({ config, ...args }) => ({
    ...args,
    config: isPlain(config)
      ? withSecretMembers(config)
      : pulumi.output<ProxyConfig | undefined>(config).apply(withSecretMembers),
  }),
} satisfies ResourceDeclaration<typeof proxyState>;

/** Whether the config is a plain object, not an Output or a Promise. */
function isPlain(config: pulumi.Input<ProxyConfig | undefined>): config is ProxyConfig | undefined {
  return !pulumi.Output.isInstance(config) && !(config instanceof Promise);
}

function withSecretMembers(config: ProxyConfig | undefined): ProxyConfig | undefined {
  if (typeof config !== "object" || config === null) {
    return config;
  }
  const secrets = (["password", "caBundle"] as const).flatMap((name) => {
    const value = config[name];
    return value === undefined ? [] : [[name, pulumi.secret(value)]];
  });
  return { ...config, ...Object.fromEntries(secrets) };
}

/** State for {@link Proxy.get}. Optional: the id or name of the proxy is enough. */
export type ProxyState = ResourceState<Proxy>;

/** Outputs and lookup of a proxy, shared by both bridges. */
export abstract class ProxyResource extends pulumi.CustomResource {
  /** Name of the proxy. */
  declare readonly name: pulumi.Output<string>;
  /** Project id; undefined for the project of the API key. */
  declare readonly projectId: pulumi.Output<string | undefined>;
  /** Source of the IP addresses. */
  declare readonly type: pulumi.Output<"isp" | "residential" | "mobile" | "custom">;
  /** Protocol between browsers and the proxy; undefined if undeclared. */
  declare readonly protocol: pulumi.Output<"http" | "https" | undefined>;
  /** Hosts that browsers reach without the proxy; undefined if there are none. */
  declare readonly bypassHosts: pulumi.Output<string[] | undefined>;
  /** Location or server of the proxy; a secret if a `password` or a `caBundle` is declared. */
  declare readonly config: pulumi.Output<ProxyConfig | undefined>;

  /**
   * Looks up a proxy that this program does not manage. `id`: id, or exact name if unique. `state`:
   * `projectId`, if the proxy is not in the project of the settings.
   */
  static get(...args: GetArguments<ProxyState>): Proxy {
    return getResource<Proxy>(this, ...args);
  }

  /** Whether `value` is a Proxy, from any copy of the package. */
  static override isInstance(value: unknown): value is Proxy {
    return isOfKind("Proxy", value);
  }
}

/**
 * A proxy through which browsers reach the web: from the service, or your own. Pass `proxy.id` as
 * `proxyId` to a `BrowserPool`.
 *
 * - Only the name can be changed in place. Any other change creates a new proxy, passes the new id
 *   to pools and connections, and deletes the old proxy.
 * - A proxy that an auth connection uses is not deleted.
 * - A refresh finds a proxy that was renamed or deleted outside of the program. The service may
 *   also delete unused proxies. The next deployment restores the name, or recreates the proxy.
 */
export class Proxy extends ProxyResource {
  /** Type token, for policies and aliases. */
  static readonly __pulumiType = resourceType("Proxy");

  constructor(name: string, args: ProxyArgs, opts?: pulumi.CustomResourceOptions) {
    super(...registration(dynamicBridge, proxy, name, args, opts));
    nullsToUndefined(this);
  }
}
