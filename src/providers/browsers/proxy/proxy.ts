import { isDeepStrictEqual } from "node:util";
import type { Proxy } from "../../../client/index.js";
import { ignoreNotFound } from "../../../client/not-found.js";
import { listed } from "../../../text/words.js";
import type { Issued, OwnedResource } from "../../core/owned/declaration.js";
import { ownedKind } from "../../core/owned/lifecycle.js";
import { digestsOf } from "../../inputs/named-secrets.js";
import { requireKnown } from "../../properties.js";
import { proxiesOf } from "../../reads/lists.js";
import {
  fixedInputs,
  namedSecretsIn,
  type ProxyInputs,
  type ProxyState,
  proxyFailures,
  proxyInputs,
  proxyState,
  replacingInputs,
  stateOf,
  withSecrets,
} from "./properties.js";

/**
 * Names are not unique, and the service shows neither creation time nor password of a proxy. After
 * a lost response, the one-time name identifies the proxy, but nothing proves the declared settings.
 */
const issued: Issued<Proxy> = {
  named: (filter, projectId, call) => proxiesOf(projectId, call).list({ ...filter, ...call.options }),
};

const proxy: OwnedResource<ProxyInputs, ProxyState, Proxy> = {
  resource: "Proxy",
  noun: "proxy",
  isInProject: true,
  notFoundCode: "proxy_not_found",
  deleteCommand: "browser-infra proxies delete",
  issued,
  inputs: proxyInputs,
  state: proxyState,
  managedMarker: "type",
  failures: (news, _olds, _apiKey, { context }) => proxyFailures(news, context),
  replacingInputs: replacingInputs,
  // A default that is newly declared, or no longer declared, changes the output alone.
  differingInputs: (state, inputs) => (state.protocol === inputs.protocol ? [] : ["protocol"]),
  complete: ({ bypassHosts, ...declared }, news, olds, { context }) => ({
    ...declared,
    bypassHosts: Array.isArray(bypassHosts) && bypassHosts.length === 0 ? undefined : bypassHosts,
    secretDigests: digestsOf(namedSecretsIn(news.config), olds?.secretDigests, context),
  }),
  list: proxiesOf,
  find: (id, projectId, call) => ignoreNotFound(proxiesOf(projectId, call).get(id, call.options)),
  holderOf: async (name, projectId, call) => (await issued.named({ name }, projectId, call))[0],
  create: ({ projectId, type, config, ...settings }, name, call) =>
    proxiesOf(projectId, call).create(
      {
        ...settings,
        name,
        type: requireKnown(type, "type", "Proxy"),
        config: config && withSecrets(config, call.context),
      },
      call.options,
    ),
  change: (live, { name = live.name ?? "", projectId }, _known, call) =>
    live.name === name ? undefined : () => proxiesOf(projectId, call).rename(live.id, name, call.options),
  remove: (id, { projectId }, call) => proxiesOf(projectId, call).delete(id, call.options),
  explainRefusal: async (_proxy, _state, refusal) =>
    refusal.serviceCode === "resource_in_use" ? refusal.withAdvice("Nothing was deleted.") : refusal,
  stateOf,
  drift: (id, known, live) => {
    const others = fixedInputs.filter((input) => !isDeepStrictEqual(known[input], live[input]));
    return others.length === 0
      ? []
      : [
          `Proxy ${id} was changed since its creation: ${listed(others)}. The next "pulumi up" replaces the proxy.`,
        ];
  },
  readWarning: ({ id, config }, isImport) =>
    isImport && (config?.hasPassword || config?.hasCaBundle)
      ? `The service does not show the password and the certificates of proxy ${id}. A program that declares them replaces the proxy, unless "ignoreChanges" names "config".`
      : undefined,
};

export const proxyKind = ownedKind(proxy);
