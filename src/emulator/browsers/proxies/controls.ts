import { z } from "zod";
import { nameLength, noArgument, only, project, text } from "../../http/seed-members.js";
import { anyText, exactly, listOf } from "../../http/shapes.js";
import { type Lacks, ObjectControls, placeholder, type Written } from "../../objects/controls.js";
import { idProblem, recordIdPattern } from "../../storage/ids-and-names.js";
import { proxyNameProblem } from "./requests.js";
import type { EmulatedProxy, ProxyStatus, ProxyStore, ProxyToCreate } from "./store.js";

/** Proxy to create, in the default project unless `projectId` is given. */
export type NewEmulatedProxy = Omit<ProxyToCreate, "projectId"> & { readonly projectId?: string | undefined };

const status = z.enum(["available", "unavailable"], "must be available or unavailable");
const name = text(proxyNameProblem, { description: "Default: none.", ...nameLength });

/** Proxy in a seed. @internal */
export const proxyEntry = exactly({
  id: text(idProblem, {
    description: "Id of the proxy. Names are not unique.",
    pattern: recordIdPattern.source,
  }),
  project,
  name: name.optional(),
  type: z.enum(["isp", "residential", "mobile", "custom"], "must be isp, residential, mobile or custom"),
  protocol: z.enum(["http", "https"], "must be http or https").optional().describe("Default: https."),
  bypassHosts: listOf(anyText)
    .optional()
    .describe("Hosts that browsers reach without the proxy. Default: none."),
  config: z
    .record(z.string(), z.unknown())
    .optional()
    .describe("Configuration, with the members of a request. Passwords and certificates are not stored."),
  status: status.optional().describe("Result of every health check. Default: available."),
});

type Entry = z.infer<typeof proxyEntry>;

/** Proxies, without a client. Methods throw `InputError` for an unknown id or a bad value. */
export class EmulatedProxies extends ObjectControls<EmulatedProxy> {
  /** @internal */
  declare protected readonly table: ProxyStore;

  /** @internal */
  readonly operations = {
    rename: only("name", name),
    setStatus: only("status", status),
    remove: noArgument,
  };

  /** Creates a proxy, by default in the default project. */
  create({ projectId, ...proxy }: NewEmulatedProxy): EmulatedProxy {
    return this.table.create({ ...proxy, projectId: this.projectId(projectId) });
  }

  rename(id: string, name: string): EmulatedProxy {
    return this.table.rename(this.require(id).id, name);
  }

  /** Sets the result of a health check. Later checks keep the result. */
  setStatus(id: string, status: ProxyStatus): EmulatedProxy {
    return this.table.setStatus(this.require(id).id, status);
  }

  /** @internal */
  createFrom({ project, ...proxy }: Entry, projectId: string): EmulatedProxy {
    return this.create({ ...proxy, projectId });
  }

  /** @internal */
  written(proxy: EmulatedProxy, lacks: Lacks): Written<Entry> {
    const { id, name, type, protocol, bypassHosts, status } = proxy;
    const { has_password: hasPassword, has_ca_bundle: hasBundle, ...config } = proxy.config ?? {};
    if (hasPassword) {
      lacks(`the password in config is ${placeholder}.`);
    }
    if (hasBundle) {
      lacks("add the ca_bundle to config.");
    }
    return {
      ...{ id, name, type, protocol, bypassHosts: bypassHosts && [...bypassHosts], status },
      config: proxy.config && { ...config, ...(hasPassword === true && { password: placeholder }) },
    };
  }
}
