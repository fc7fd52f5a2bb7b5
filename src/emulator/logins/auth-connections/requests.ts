import { z } from "zod";
import { regions } from "../../browsers/browser-pools/setting-rules.js";
import { telemetryInput as telemetry } from "../../browsers/browser-pools/telemetry.js";
import { invalidInput } from "../../http/service-error.js";
import {
  anyText,
  checkedString,
  exactly,
  filledText,
  flag,
  listOf,
  oneOf,
  wholeNumber,
} from "../../http/shapes.js";
import { nameProblem } from "../../storage/ids-and-names.js";
import { camelCased } from "../../storage/members.js";
import { type ConnectionSettings, domainProblem, notADomain } from "./auth-connection.js";

const url = z.url("must be a URL, such as https://example.com/login");

/** Seconds between health checks. @internal */
export const checkInterval = wholeNumber(300, 86_400, "whole number of seconds");

const credential = exactly({
  name: anyText.optional(),
  provider: anyText.optional(),
  path: anyText.optional(),
  auto: flag.optional(),
}).refine(
  ({ name, provider, path, auto }) =>
    name === undefined
      ? provider !== undefined && (path !== undefined) !== (auto === true)
      : !(provider ?? path ?? auto),
  "must have a name, or a provider with a path or with auto",
);

const proxy = exactly({
  id: anyText.optional(),
  name: anyText.optional(),
}).refine(({ id, name }) => (id === undefined) !== (name === undefined), "must have either an id or a name");

const browser = exactly({
  proxy: exactly({
    mode: z.enum(["direct", "default"], 'must be "direct" or "default"').optional(),
    id: anyText.optional(),
    name: anyText.optional(),
  })
    .refine((given) => Object.keys(given).length === 1, "must have one of mode, id and name")
    .optional(),
  region: oneOf(...regions).optional(),
  stealth: flag.optional(),
  telemetry: telemetry.optional(),
});

/** Members of both kinds of request. Source: the published interface. */
const settings = {
  // The service removes `www.` and `*.` in front. Source: the published interface. Guess: anything
  // but a hostname is refused.
  allowed_domains: listOf(
    anyText
      .transform((domain) => domain.replace(/^(www|\*)\./, ""))
      .pipe(checkedString((domain) => (domain.includes("*") ? notADomain : domainProblem(domain)))),
  ).optional(),
  auto_reauth: flag.optional(),
  browser: browser.optional(),
  browser_telemetry: telemetry.optional(),
  credential: credential.optional(),
  health_check_interval: checkInterval.optional(),
  health_checks: flag.optional(),
  proxy: proxy.optional(),
  proxy_id: anyText.optional(),
  record_session: flag.optional(),
  save_credentials: flag.optional(),
};

/** Settings in a seed, in the shapes of requests. @internal */
export const settingEntries = {
  loginUrl: url.optional().describe("URL of the login page. Default: none, the page must be discovered."),
  allowedDomains: settings.allowed_domains.describe("Further domains of the login. Default: none."),
  credential: settings.credential.describe(
    "Name of a credential of the project, or a credential provider with a path or with auto. Default: none.",
  ),
  healthCheckInterval: settings.health_check_interval.describe("Seconds. Default: 3600."),
  healthChecks: settings.health_checks.describe("Default: true."),
  autoReauth: settings.auto_reauth.describe("Default: true."),
  saveCredentials: settings.save_credentials.describe("Default: true."),
  recordSession: settings.record_session.describe("Default: false."),
  browser: settings.browser.describe("Settings of the browsers, in the form of a request."),
} satisfies { readonly [K in keyof ConnectionSettings]: z.ZodType };

const changes = exactly(
  // An empty string removes the URL. Source: the published interface.
  { login_url: z.union([z.literal(""), url], "must be a URL, or empty").optional(), ...settings },
);

/** Body of a request that creates a connection. Unknown members are refused, as published. */
export const createRequest = exactly({
  domain: checkedString(domainProblem),
  profile_name: checkedString(nameProblem),
  login_url: url.optional(),
  ...settings,
}).transform(({ domain, profile_name: profileName, ...given }) => ({
  ...{ domain, profileName, settings: settingsOf(given) },
}));

export const updateRequest = changes.transform(settingsOf);

/** Body of a request that starts a login. All members concern the login's browser, which is not emulated. */
export const loginRequest = exactly({
  browser: browser.optional(),
  browser_telemetry: telemetry.optional(),
  proxy: proxy.optional(),
  record_session: flag.optional(),
  skill_mode: oneOf("enabled", "disabled").optional(),
}).transform(({ skill_mode: _skills, ...given }) => settingsOf(given));

const values = z.record(z.string(), anyText, "must be an object");

/** Body of a submission. Unknown members are refused, as published. */
export const submitRequest = exactly({
  field_values: values.optional(),
  selected_choice_id: anyText.optional(),
  fields: values.optional(),
  mfa_option_id: anyText.optional(),
  sign_in_option_id: anyText.optional(),
  sso_button_selector: anyText.optional(),
  sso_provider: anyText.optional(),
  interaction_id: anyText.optional(),
});

export type SubmitRequest = z.infer<typeof submitRequest>;

/** Body of a request that exchanges a handoff code. */
export const exchangeRequest = exactly({ code: filledText });

/**
 * Converts a request to settings. An empty URL becomes null, an empty proxy the mode `default`. A
 * proxy and telemetry have the same effect in `browser` and in their deprecated members; both at
 * once are refused: a guess. A proxy may still be a name.
 */
function settingsOf(request: z.infer<typeof changes>): Partial<ConnectionSettings> {
  const { proxy, proxy_id, login_url, browser, browser_telemetry, ...others } = request;
  const proxyId = proxy?.id ?? proxy?.name ?? proxy_id;
  const older = { proxy: proxyId, telemetry: browser_telemetry };
  const ofBrowser = {
    ...browser,
    ...(proxyId !== undefined && { proxy: proxyId === "" ? { mode: "default" } : { id: proxyId } }),
    ...(browser_telemetry !== undefined && { telemetry: browser_telemetry }),
  };
  for (const member of ["proxy", "telemetry"] as const) {
    if (older[member] !== undefined && browser?.[member] !== undefined) {
      throw invalidInput(`Give browser.${member} or the deprecated member for it, not both.`);
    }
  }
  return {
    ...camelCased(others),
    ...(login_url !== undefined && { loginUrl: login_url || null }),
    ...(Object.keys(ofBrowser).length > 0 && { browser: ofBrowser }),
  };
}
