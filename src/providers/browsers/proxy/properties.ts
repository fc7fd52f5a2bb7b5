import { isDeepStrictEqual } from "node:util";
import { proxyProblems, proxyTypes, removedTypeProblem } from "../../../client/browsers/proxy-settings.js";
import type { Proxy, ReadProxyConfig } from "../../../client/index.js";
import { marks } from "../../core/marks.js";
import {
  byField,
  type NamedSecret,
  namedSecretFailures,
  namedSecrets,
  secretDigests,
  secretIfSet,
  secretOf,
  valueInWords,
} from "../../inputs/named-secrets.js";
import type { CheckFailure, LifecycleContext } from "../../lifecycle.js";
import { formFailures } from "../../messages/input-failures.js";
import {
  type DeclaredOf,
  isPropertyMap,
  Properties,
  type PropertiesOf,
  type PropertyMap,
  t,
} from "../../properties.js";

const configTypes = {
  country: t.string,
  state: t.string,
  city: t.string,
  zip: t.string,
  asn: t.string,
  os: t.string,
  host: t.string,
  port: t.integer,
  username: t.string,
  password: t.secret,
  passwordFromEnv: t.string,
  passwordFromConfig: t.string,
  caBundle: t.secret,
  caBundleFromEnv: t.string,
  caBundleFromConfig: t.string,
} as const;

/** Members of the configuration whose values a program may name instead of giving. */
const namedMembers = ["password", "caBundle"] as const;

export const proxyInputs = new Properties({
  name: t.string,
  projectId: { ...t.string, replaces: true },
  type: {
    ...t.oneOf({
      isp: "Stable addresses of an internet provider.",
      residential: "Addresses of households.",
      mobile: "Addresses of mobile networks.",
      custom: "A proxy of your own.",
    }),
    isRequired: true,
    replaces: true,
  },
  protocol: {
    ...t.oneOf({ http: "Browsers speak HTTP to the proxy.", https: "Browsers speak HTTPS to the proxy." }),
    replaces: true,
  },
  bypassHosts: { ...t.listOf(t.string), replaces: true },
  config: { ...t.object(configTypes), replaces: true },
  secretDigests: { ...secretDigests, replaces: true },
});
export type ProxyInputs = PropertiesOf<typeof proxyInputs>;
type Config = NonNullable<ProxyInputs["config"]>;

/** Inputs whose change replaces the proxy. The name alone changes in place. */
const inputNames = Object.keys(proxyInputs.types) as (keyof ProxyInputs)[];
export const fixedInputs = inputNames.filter((input) => input !== "name");

/** Protocol of a proxy without a declared protocol. Source: the service's interface description. */
const defaultProtocol = "https";

/** Changed inputs that replace the proxy. The default protocol may be declared or not. */
export function replacingInputs(
  state: ProxyState,
  inputs: DeclaredOf<typeof proxyInputs>,
): readonly string[] {
  const { protocol = defaultProtocol } = state;
  return fixedInputs.filter((input) =>
    input === "protocol"
      ? protocol !== (inputs.protocol ?? defaultProtocol)
      : !isDeepStrictEqual(state[input], inputs[input]),
  );
}

/** State of a Proxy, without health and address, which change by themselves. */
export const proxyState = new Properties({
  ...proxyInputs.types,
  ...marks,
});
export type ProxyState = PropertiesOf<typeof proxyState>;

/**
 * State of a live proxy. Without inputs, for a read: live values in the spelling of `known`. Values
 * that the service adds are the choice of the service, and no drift.
 */
export function stateOf(live: Proxy, inputs: ProxyInputs | undefined, known: ProxyState = {}): ProxyState {
  const name = live.name ?? undefined;
  if (inputs !== undefined) {
    return { ...inputs, name };
  }
  const isNew = known.type === undefined;
  const type = proxyTypes.find((each) => each === live.type) ?? known.type;
  const protocol = live.protocol === "http" ? "http" : defaultProtocol;
  const isShown = isNew ? protocol !== defaultProtocol : known.protocol !== undefined;
  return {
    ...known,
    name,
    type,
    protocol: isShown ? protocol : undefined,
    bypassHosts: isSame(live.bypassHosts, known.bypassHosts ?? []) ? known.bypassHosts : live.bypassHosts,
    config: isNew || known.config !== undefined ? configOf(live.config, known.config) : undefined,
  };
}

/** Live configuration. A secret stays unless the service reports that the proxy has none. */
function configOf(live: ReadProxyConfig | null, known: Config | undefined): Config | undefined {
  if (live === null) {
    return known;
  }
  const { hasPassword, hasCaBundle, ...shown } = live;
  const members = Object.entries(shown).filter(
    ([member, value]) => value !== null && (known === undefined || Object.hasOwn(known, member)),
  );
  const read = members.map(([member, value]) => {
    const declared = known?.[member as keyof Config];
    return [member, isSame([String(value)], [String(declared)]) ? declared : value];
  });
  return read.length === 0 && known === undefined
    ? undefined
    : {
        ...Object.fromEntries(read),
        ...(hasPassword !== false && secretMembers("password", known)),
        ...(hasCaBundle !== false && secretMembers("caBundle", known)),
      };
}

/** Known members of a secret: the value, or the name of the place. */
function secretMembers(member: (typeof namedMembers)[number], known: Config = {}): Config {
  return Object.fromEntries(Object.entries(known).filter(([name]) => name.startsWith(member)));
}

export function namedSecretsIn(config: unknown): NamedSecret[] {
  return namedSecrets(config as object | undefined, namedMembers, "config.");
}

/** Configuration of a request, with the values of the named secrets. */
export function withSecrets(config: Config, context: LifecycleContext): Config {
  return { ...withoutNames(config), ...byField(namedSecretsIn(config), (each) => secretOf(each, context)) };
}

function withoutNames(config: Config): Config {
  return Object.fromEntries(Object.entries(config).filter(([member]) => !/From(Env|Config)$/.test(member)));
}

/** Whether two lists have equal strings, in any order and case: the service may change both. */
function isSame(a: readonly string[], b: readonly string[]): boolean {
  const form = (texts: readonly string[]) => texts.map((text) => text.toLowerCase()).sort();
  return isDeepStrictEqual(form(a), form(b));
}

/** Reports all invalid inputs of a Proxy at once, without values. Unknown values pass. */
export function proxyFailures(news: PropertyMap, context: LifecycleContext): CheckFailure[] {
  const removed = removedTypeProblem(news.type);
  const forms = {
    name: "must be a non-empty string; leave it out to get a unique one",
    ...(removed && { type: removed }),
  };
  const config = isPropertyMap(news.config) ? news.config : {};
  const named = namedSecretsIn(config);
  const failures = formFailures(news, proxyInputs, "A Proxy", forms, (formed) => {
    // A malformed or unknown configuration is not judged by the proxy type.
    const isKnown = news.config === undefined || formed.config !== undefined;
    const values = byField(named, (each) => secretIfSet(each, context));
    const judged = formed.config && { config: { ...withoutNames(formed.config), ...values } };
    const problems = proxyProblems(isKnown ? { ...formed, ...judged } : { ...formed, type: undefined });
    return problems.map(({ property, problem }) => {
      const place = named.find(({ secret }) => secret === property);
      // A proxy of another type has no such member, whatever the value.
      const subject = place && formed.type === "custom" ? valueInWords(place) : undefined;
      return { property: place?.property ?? property, problem, subject };
    });
  });
  const ofNames = namedSecretFailures(config, namedMembers, context, "config.");
  // The engine prints the whole configuration if the property of a failure is a part of `config`.
  return [...failures, ...ofNames.map(({ reason }) => ({ property: "", reason }))];
}
