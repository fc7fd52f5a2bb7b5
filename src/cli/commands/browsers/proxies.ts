import type { Proxy } from "../../../client/index.js";
import { trimmedNameProblem } from "../../../client/names.js";
import { listings } from "../../../providers/reads/listings.js";
import { type Noun, nameFact, onlyInGet, timeFact } from "../../noun.js";

/** `browser-infra proxies`: the proxies of a project. */
export const proxies: Noun<Proxy> = {
  group: "proxies",
  noun: "proxy",
  listing: listings.Proxy,
  help: "Show, rename and delete the proxies of a project.",
  facts: [
    nameFact,
    { header: "TYPE", cell: ({ type }) => type },
    { header: "STATUS", cell: ({ status }) => status ?? "unknown" },
    onlyInGet("PROTOCOL", ({ protocol }) => protocol ?? "unknown"),
    onlyInGet("BYPASS HOSTS", ({ bypassHosts }) => bypassHosts.join(", ") || "none"),
    onlyInGet("CONFIG", ({ config }) => configText(config)),
    onlyInGet("ADDRESS", ({ ipAddress }) => ipAddress ?? "unknown"),
    { ...timeFact("LAST CHECKED", ({ lastChecked }) => lastChecked), onlyInGet: true },
  ],
  list: {
    help: "List the proxies.",
  },
  get: { help: "Show one proxy, without its secrets." },
  rename: {
    rule: "1 to 255 characters; names are not unique",
    problem: trimmedNameProblem,
    send: (client, id, name, options) => client.proxies.rename(id, name, options),
  },
  delete: { help: "Delete one proxy that no auth connection uses, after a confirmation." },
  details: ({ type }) => [type],
};

/** `host proxy.example.com, port 3128, hasPassword`. Null and false members are omitted. */
function configText(config: Proxy["config"]): string {
  const members = Object.entries(config ?? {}).filter(([, value]) => value !== null && value !== false);
  return members.map(([name, value]) => (value === true ? name : `${name} ${value}`)).join(", ") || "none";
}
