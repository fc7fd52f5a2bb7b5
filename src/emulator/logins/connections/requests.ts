import { z } from "zod";
import { nameProblem } from "../../storage/record-name.js";
import { notTheObject } from "../../http/strict-object.js";
import { type ConnectionSettings, domainProblem } from "./connection.js";

const notAText = "must be a text";

const checked = (problem: (text: string) => string | undefined) =>
  z.string(notAText).superRefine((text, { addIssue }) => {
    const found = problem(text);
    if (found !== undefined) {
      addIssue(found);
    }
  });

const flag = z.boolean("must be true or false");
const address = z.url("must be an address, such as https://example.com/login");
const notAnInterval = "must be a whole number of seconds from 300 to 86400";

const credential = z
  .strictObject(
    {
      name: z.string(notAText).optional(),
      provider: z.string(notAText).optional(),
      path: z.string(notAText).optional(),
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
  .strictObject({ id: z.string(notAText).optional(), name: z.string(notAText).optional() }, notTheObject)
  // The emulator has no proxies to look a name up in.
  .refine(
    ({ id, name }) => id !== undefined && name === undefined,
    "must have an id; names of proxies are not emulated",
  );

/** Members of both kinds of request. Source: the service's published interface description. */
const settings = {
  allowed_domains: z.array(z.string(notAText), "must be a list").optional(),
  auto_reauth: flag.optional(),
  browser: z.looseObject({}, "must be an object").optional(),
  browser_telemetry: z.looseObject({}, "must be an object").nullish(),
  credential: credential.optional(),
  health_check_interval: z.int(notAnInterval).min(300, notAnInterval).max(86_400, notAnInterval).optional(),
  health_checks: flag.optional(),
  proxy: proxy.optional(),
  proxy_id: z.string(notAText).optional(),
  record_session: flag.optional(),
  save_credentials: flag.optional(),
};

/** Body of a request that creates a connection. Unknown members are refused, as published. */
export const createRequest = z.strictObject(
  {
    domain: checked(domainProblem),
    profile_name: checked(nameProblem),
    login_url: address.optional(),
    ...settings,
  },
  notTheObject,
);

/** Body of a request that changes a connection. */
export const updateRequest = z.strictObject(
  // An empty text takes the address away. Source: the service's published interface description.
  { login_url: z.union([z.literal(""), address], "must be an address, or empty").optional(), ...settings },
  notTheObject,
);

/** Body of a request that starts a login: its members concern browsers, of which the emulator has none. */
export const loginRequest = z.looseObject(
  { record_session: flag.optional(), proxy: proxy.optional() },
  "must be a JSON object",
);

const values = z.record(z.string(), z.string(notAText), "must be an object");

/** Body of a submission. Unknown members are refused, as published; `interaction_id` is of the newer interface. */
export const submitRequest = z.strictObject(
  {
    field_values: values.optional(),
    selected_choice_id: z.string(notAText).optional(),
    fields: values.optional(),
    mfa_option_id: z.string(notAText).optional(),
    sign_in_option_id: z.string(notAText).optional(),
    sso_button_selector: z.string(notAText).optional(),
    sso_provider: z.string(notAText).optional(),
    interaction_id: z.string(notAText).optional(),
  },
  notTheObject,
);

/** A submission. */
export type SubmitRequest = z.infer<typeof submitRequest>;

/** Body of a request that exchanges a handoff code. */
export const exchangeRequest = z.object(
  { code: z.string(notAText).min(1, "must not be empty") },
  "must be a JSON object",
);

/** The settings that a request names. */
export function settingsOf(request: z.infer<typeof updateRequest>): Partial<ConnectionSettings> {
  const proxyId = request.proxy?.id ?? request.proxy_id;
  const named: { [K in keyof ConnectionSettings]: ConnectionSettings[K] | undefined } = {
    loginUrl: request.login_url === "" ? null : request.login_url,
    allowedDomains: request.allowed_domains,
    credential: request.credential,
    healthCheckInterval: request.health_check_interval,
    healthChecks: request.health_checks,
    autoReauth: request.auto_reauth,
    saveCredentials: request.save_credentials,
    recordSession: request.record_session,
    proxyId: proxyId === "" ? null : proxyId,
    browserTelemetry: request.browser_telemetry,
    browser: request.browser,
  };
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined));
}
