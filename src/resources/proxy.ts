import * as pulumi from "@pulumi/pulumi";
import { resourceType } from "../bridges/dynamic/contract.js";
import { declare } from "../bridges/dynamic/declare.js";
import { getProxyOutput } from "../functions/functions.js";
import type { proxyState } from "../providers/proxy/properties.js";
import { type Find, getResource, idOf, type ResourceState } from "./lookup.js";
import { giveUndefined, importFile, isOfKind, type Noun, registration } from "./registration.js";

/** How a {@link Proxy} is chosen. Which members there are depends on its `type`. */
export interface ProxyConfig {
  /**
   * `isp`: US, GB, FR, DE, SG or KR, by default US. `residential` and `mobile`: a country code, by
   * default any country; needed with a state, a city, a zip or an asn.
   */
  readonly country?: pulumi.Input<string | undefined>;
  /** `residential` and `mobile`: a state of the US. `residential`: by its two letters. */
  readonly state?: pulumi.Input<string | undefined>;
  /** `residential`: a city, in lower case and without spaces. `mobile`: the provider's word for one. */
  readonly city?: pulumi.Input<string | undefined>;
  /** `residential`: a ZIP code of the US, five digits, in place of a state and a city. */
  readonly zip?: pulumi.Input<string | undefined>;
  /** `residential`: number of an autonomous system (`AS7922`), in place of a state and a city. */
  readonly asn?: pulumi.Input<string | undefined>;
  /** `residential`: `windows`, `macos` or `android`. */
  readonly os?: pulumi.Input<string | undefined>;
  /** `custom`: host name or address of your proxy. A custom proxy needs it. */
  readonly host?: pulumi.Input<string | undefined>;
  /** `custom`: its port, 1 to 65535. A custom proxy needs it. */
  readonly port?: pulumi.Input<number | undefined>;
  /** `custom`: user name. Default: none. */
  readonly username?: pulumi.Input<string | undefined>;
  /**
   * `custom`: password of at least 5 characters. Always a secret: the state encrypts it, and no diff shows it. But Pulumi's
   * SDK logs what a program registers, secrets in plain text: `--json`, `--debug` and `-v=7` show
   * the password. If anybody else can read those, name it. The service does not show it either, so
   * a password that was changed elsewhere is not found.
   */
  readonly password?: pulumi.Input<string | undefined>;
  /**
   * `custom`: name of an environment variable with the password. The provider reads the variable in
   * the environment in which Pulumi runs, so the value reaches no log and no state. Another value
   * replaces the proxy. If the variable is not set, the preview fails.
   */
  readonly passwordFromEnv?: pulumi.Input<string | undefined>;
  /**
   * `custom`: name of a secret setting of the stack with the password, as `passwordFromEnv`. In the
   * namespace `pulumi-nodejs:`, or for the plugin and its SDKs in `browser-infra:`. Pulumi passes
   * settings of no other namespace to the process of a provider.
   */
  readonly passwordFromConfig?: pulumi.Input<string | undefined>;
  /**
   * `custom`: certificates of authorities in PEM, at most 64 KiB, for a proxy that ends TLS itself. A
   * secret, as `password`.
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
   * Name: 1 to 255 characters, without whitespace at the start or the end. Other proxies may have
   * the same, but no other one of this program. Another name renames the proxy in place. Default:
   * `<logical name>-<7 hexadecimal digits>`, which stays.
   */
  readonly name?: pulumi.Input<string | undefined>;
  /**
   * Id of the project that the proxy belongs to. Another one replaces the proxy. Default: the
   * project of the settings, or else of the API key.
   */
  readonly projectId?: pulumi.Input<string | undefined>;
  /** Where its addresses come from. Another type replaces the proxy. */
  readonly type: pulumi.Input<"isp" | "residential" | "mobile" | "custom">;
  /** How browsers speak to it. Another one replaces the proxy. Default: https. */
  readonly protocol?: pulumi.Input<"http" | "https" | undefined>;
  /**
   * Hosts that browsers reach without it: at most 100 hostnames, perhaps with `*.` in front. Others
   * replace the proxy. Not every plan of the service has it. Default: none.
   */
  readonly bypassHosts?: pulumi.Input<pulumi.Input<string>[] | undefined>;
  /** How it is chosen. Another one replaces the proxy. A `custom` proxy needs it. */
  readonly config?: pulumi.Input<ProxyConfig | undefined>;
}

/** @internal What its classes know of it. */
export const proxy = {
  kind: "Proxy",
  outputs: { name: true, projectId: true, type: true, protocol: true, bypassHosts: true, config: true },
  insteadOfImport: importFile("proxies"),
  hiding: ({ config, ...args }) => ({
    ...args,
    config: isPlain(config) ? hidden(config) : pulumi.output<ProxyConfig | undefined>(config).apply(hidden),
  }),
} satisfies Noun<typeof proxyState>;

/** Whether its members are at hand. */
function isPlain(config: pulumi.Input<ProxyConfig | undefined>): config is ProxyConfig | undefined {
  return !pulumi.Output.isInstance(config) && !(config instanceof Promise);
}

function hidden(config: ProxyConfig | undefined): ProxyConfig | undefined {
  if (typeof config !== "object" || config === null) {
    return config;
  }
  const secrets = (["password", "caBundle"] as const).flatMap((name) => {
    const value = config[name];
    return value === undefined ? [] : [[name, pulumi.secret(value)]];
  });
  return { ...config, ...Object.fromEntries(secrets) };
}

/** What is known of a proxy that {@link Proxy.get} looks up. Its id or name is enough. */
export type ProxyState = ResourceState<Proxy>;

/** The outputs and the lookup of a proxy, which are the same for both bridges. */
export abstract class ProxyResource extends pulumi.CustomResource {
  /** Name of the proxy. */
  declare readonly name: pulumi.Output<string>;
  /** Id of the project that it belongs to; undefined when it is that of the API key. */
  declare readonly projectId: pulumi.Output<string | undefined>;
  /** Where its addresses come from. */
  declare readonly type: pulumi.Output<"isp" | "residential" | "mobile" | "custom">;
  /** How browsers speak to it; undefined when the program leaves it to the service. */
  declare readonly protocol: pulumi.Output<"http" | "https" | undefined>;
  /** Hosts that browsers reach without it; undefined when there are none. */
  declare readonly bypassHosts: pulumi.Output<string[] | undefined>;
  /** How it is chosen; a secret if it has a `password` or a `caBundle`. */
  declare readonly config: pulumi.Output<ProxyConfig | undefined>;

  /** @internal How one is found by its name. */
  declare protected static readonly find: Find;

  /**
   * Looks up a proxy that this program does not manage. `id`: its id, or its exact name if no other
   * proxy has that. `state`: its `projectId`, if it is not in the project of the settings.
   */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    state?: ProxyState,
    opts?: pulumi.CustomResourceOptions,
  ): Proxy {
    return getResource<ProxyArgs, Proxy>(this, name, idOf(this.find, id, state, opts), state, opts);
  }

  /** Whether `value` is a Proxy, from this copy of the package or from another. */
  static override isInstance(value: unknown): value is Proxy {
    return isOfKind("Proxy", value);
  }
}

/**
 * A proxy through which browsers reach the web: one of the service's, or your own. Pass `proxy.id` as
 * `proxyId` to a `BrowserPool`.
 *
 * - The service can change its name alone. Anything else creates another proxy, gives it to what uses
 *   it, and deletes the old one.
 * - A proxy that an auth connection uses is not deleted.
 * - A refresh finds a proxy that was renamed or deleted outside of the program. The service may also
 *   delete unused proxies by itself. The next deployment names it, or creates it again.
 */
export class Proxy extends ProxyResource {
  /** The type token, for policies and aliases. */
  static readonly __pulumiType = resourceType("Proxy");
  /** @internal */
  protected static override readonly find = getProxyOutput;

  constructor(name: string, args: ProxyArgs, opts?: pulumi.CustomResourceOptions) {
    super(...registration(declare, proxy, name, args, opts));
    giveUndefined(this);
  }
}
