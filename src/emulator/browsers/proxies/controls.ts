import { z } from "zod";
import { InputError } from "../../../errors.js";
import { nameLength, noArgument, only, project, text } from "../../http/seed-members.js";
import { anyText, exactly, listOf, readShape } from "../../http/shapes.js";
import { type Lacks, ObjectControls, placeholder, type Written } from "../../objects/controls.js";
import { idProblem, recordIdPattern, refuseProblem } from "../../storage/ids-and-names.js";
import { createRequest, proxyNameProblem } from "./requests.js";
import type { EmulatedProxy, ProxyStatus, ProxyStore } from "./store.js";

/**
 * Proxy to create, in the default project unless `projectId` is given: the members of a request, in
 * camelCase except in `config`. `status` is the result of every health check, by default available.
 */
export type NewEmulatedProxy = Pick<EmulatedProxy, "type"> & {
  readonly [K in Exclude<keyof EmulatedProxy, "type" | "ipAddress" | "lastChecked">]?:
    | NonNullable<EmulatedProxy[K]>
    | undefined;
};

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
  create({ id, projectId, bypassHosts, status, ...proxy }: NewEmulatedProxy): EmulatedProxy {
    const owner = this.projectId(projectId);
    refuseProblem("proxy_invalid", "id", 'A proxy\'s "id"', id === undefined ? undefined : idProblem(id));
    const request = readShape(
      createRequest,
      { ...proxy, bypass_hosts: bypassHosts },
      (problem) => new InputError("proxy_invalid", "proxy", `The proxy cannot be created: ${problem}.`),
    );
    return this.table.insert(owner, request, id, status);
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
