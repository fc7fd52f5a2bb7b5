import { z } from "zod";
import type { Proxy } from "../records/proxy.js";
import { dateTime, ifReadable, orNull, record, recordId } from "./answer.js";

const text = ifReadable(z.string());
const flag = ifReadable(z.boolean());

/**
 * A proxy. Only `type` is certain by contract, but a proxy without an id would be useless. Unknown
 * members of a configuration are omitted.
 */
export const proxySchema: z.ZodType<Proxy> = record({
  id: recordId,
  name: orNull(z.string()),
  type: z.string().min(1),
  protocol: text,
  bypass_hosts: orNull(z.array(z.string())).transform((hosts) => hosts ?? []),
  config: ifReadable(
    record({
      country: text,
      state: text,
      city: text,
      zip: text,
      asn: text,
      os: text,
      host: text,
      port: ifReadable(z.int()),
      username: text,
      has_password: flag,
      has_ca_bundle: flag,
    }),
  ),
  status: text,
  ip_address: text,
  last_checked: ifReadable(dateTime),
});
