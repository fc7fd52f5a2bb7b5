import { z } from "zod";
import { checkedString, notAString, notTheObject } from "../../http/shapes.js";
import { nameProblem } from "../../storage/ids-and-names.js";
import { camelCased } from "../../storage/table.js";
import { type ConnectionSettings, domainProblem } from "./connection.js";

const flag = z.boolean("must be true or false");
const url = z.url("must be a URL, such as https://example.com/login");
const notAnInterval = "must be a whole number of seconds from 300 to 86400";

const credential = z
  .strictObject(
    {
      name: z.string(notAString).optional(),
      provider: z.string(notAString).optional(),
      path: z.string(notAString).optional(),
      auto: flag.optional(),
    },
    notTheObject,
  )
  .refine(
    ({ name, provider, path, auto }) =>
      name === undefined
        ? provider !== undefined && (path !== undefined) !== (auto === true)
        : !(provider ?? path ?? auto),
    "must have a name, or a provider with a path or with auto",
  );

const proxy = z
  .strictObject({ id: z.string(notAString).optional(), name: z.string(notAString).optional() }, notTheObject)
  .refine(({ id, name }) => (id === undefined) !== (name === undefined), "must have either an id or a name");

/** Members of both kinds of request. Source: the published interface. */
const settings = {
  allowed_domains: z.array(z.string(notAString), "must be a list").optional(),
  auto_reauth: flag.optional(),
  browser: z.looseObject({}, "must be an object").optional(),
  browser_telemetry: z.looseObject({}, "must be an object").nullish(),
  credential: credential.optional(),
  health_check_interval: z.int(notAnInterval).min(300, notAnInterval).max(86_400, notAnInterval).optional(),
  health_checks: flag.optional(),
  proxy: proxy.optional(),
  proxy_id: z.string(notAString).optional(),
  record_session: flag.optional(),
  save_credentials: flag.optional(),
};

/** Body of a request that creates a connection. Unknown members are refused, as published. */
export const createRequest = z.strictObject(
  {
    domain: checkedString(domainProblem),
    profile_name: checkedString(nameProblem),
    login_url: url.optional(),
    ...settings,
  },
  notTheObject,
);

/** Body of a request that changes a connection. */
export const updateRequest = z.strictObject(
  // An empty string removes the URL. Source: the published interface.
  { login_url: z.union([z.literal(""), url], "must be a URL, or empty").optional(), ...settings },
  notTheObject,
);

/** Body of a request that starts a login. Its members concern browsers, which are not emulated. */
export const loginRequest = z.looseObject(
  { record_session: flag.optional(), proxy: proxy.optional() },
  "must be a JSON object",
);

const values = z.record(z.string(), z.string(notAString), "must be an object");

/** Body of a submission. Unknown members are refused, as published. */
export const submitRequest = z.strictObject(
  {
    field_values: values.optional(),
    selected_choice_id: z.string(notAString).optional(),
    fields: values.optional(),
    mfa_option_id: z.string(notAString).optional(),
    sign_in_option_id: z.string(notAString).optional(),
    sso_button_selector: z.string(notAString).optional(),
    sso_provider: z.string(notAString).optional(),
    interaction_id: z.string(notAString).optional(),
  },
  notTheObject,
);

/** A submission. */
export type SubmitRequest = z.infer<typeof submitRequest>;

/** Body of a request that exchanges a handoff code. */
export const exchangeRequest = z.object(
  { code: z.string(notAString).min(1, "must not be empty") },
  "must be a JSON object",
);

/** The settings in a request. An empty URL or proxy becomes null. A proxy may still be a name. */
export function settingsOf(request: z.infer<typeof updateRequest>): Partial<ConnectionSettings> {
  const { proxy, proxy_id, login_url, ...others } = request;
  const proxyId = proxy?.id ?? proxy?.name ?? proxy_id;
  return {
    ...camelCased(others),
    ...(login_url !== undefined && { loginUrl: login_url || null }),
    ...(proxyId !== undefined && { proxyId: proxyId || null }),
  };
}
