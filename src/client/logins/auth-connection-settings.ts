/** Checks of auth connection settings, and the settings as a request body. */

import { longNameProblem } from "../names.js";
import { type SettingProblem, settingProblems } from "../options.js";
import type { AuthConnectionKey, AuthConnectionSettings } from "./auth-connection.js";

/** Seconds between health checks. Plans may set a higher minimum. Source: the service. */
const [intervalMin, intervalMax] = [300, 86_400];

/** Reports all problems, except those that only the plan or other objects decide. */
export function authConnectionProblems({
  domain,
  profileName,
  loginUrl,
  allowedDomains = [],
  credential,
  healthCheckInterval: interval,
  proxyId,
  proxyMode,
}: {
  readonly [M in keyof AuthConnectionKey]?: string | undefined;
} & AuthConnectionSettings): readonly SettingProblem[] {
  return settingProblems([
    ["domain", domain !== undefined && domainProblem(domain)],
    ["profileName", profileName !== undefined && longNameProblem(profileName)],
    [
      "loginUrl",
      loginUrl != null && !URL.canParse(loginUrl) && "must be a URL, such as https://example.com/login",
    ],
    ...allowedDomains.map((each, at) => [`allowedDomains[${at}]`, allowedDomainProblem(each)] as const),
    ["credential", credential && credentialProblem(credential)],
    ["proxyMode", proxyMode && proxyId && "is given together with proxyId; use one of them"],
    [
      "healthCheckInterval",
      interval === undefined ||
      (Number.isSafeInteger(interval) && interval >= intervalMin && interval <= intervalMax)
        ? undefined
        : `must be a whole number of seconds from ${intervalMin} to ${intervalMax}`,
    ],
  ]);
}

/** Describes the problem of a domain, as the end of a sentence. */
export function domainProblem(domain: string): string | undefined {
  return domain.length <= 253 &&
    /^[^\s/?#@:%\\]+$/u.test(domain) &&
    URL.canParse(`https://${domain.replace(/^\*\./, "")}/`)
    ? undefined
    : "must be a domain, such as example.com, without a scheme, a port or a path";
}

/** Describes the problem of a domain that a login may visit. Subdomains are always covered. */
function allowedDomainProblem(domain: string): string | undefined {
  const root = domain.replace(/^(www|\*)\./, "");
  return domainProblem(root.includes("*") ? "" : root);
}

function credentialProblem({
  name,
  provider,
  path,
  auto,
}: NonNullable<AuthConnectionSettings["credential"]>): string | undefined {
  const isOfService = name != null && name !== "" && provider == null && path == null && auto == null;
  const isOfProvider =
    name == null && provider != null && provider !== "" && (path != null) !== (auto === true);
  return isOfService || isOfProvider
    ? undefined
    : 'must have the "name" of a credential, or a "provider" with either a "path" or "auto": true';
}

/** Converts settings to a request body. Null becomes the value that clears the setting. */
export function connectionSettingsOnWire(
  settings: AuthConnectionSettings,
): Readonly<Record<string, unknown>> {
  const { loginUrl, credential, proxyId, proxyMode, region, stealth } = settings;
  const isProxyGiven = proxyId !== undefined || proxyMode !== undefined;
  const chosen = isProxyGiven ? { mode: proxyMode ?? "default" } : undefined;
  const proxy = proxyId == null ? chosen : { id: proxyId };
  const browser = { proxy, region, stealth, telemetry: telemetryOnWire(settings) };
  // JSON omits undefined members.
  return {
    login_url: loginUrl === null ? "" : loginUrl,
    allowed_domains: settings.allowedDomains,
    credential,
    health_checks: settings.healthChecks,
    health_check_interval: settings.healthCheckInterval,
    auto_reauth: settings.autoReauth,
    save_credentials: settings.saveCredentials,
    record_session: settings.recordSession,
    browser: Object.values(browser).some((value) => value !== undefined) ? browser : undefined,
  };
}

/** Telemetry of a request, complete: with `enabled`, a request replaces all telemetry. Undefined: no change. */
function telemetryOnWire({ telemetry, telemetryDestinationId: id }: AuthConnectionSettings) {
  if (telemetry === undefined && id === undefined) {
    return undefined;
  }
  if (!telemetry && !id) {
    return { enabled: false };
  }
  const given = Object.entries(telemetry ?? {}).filter(([, enabled]) => enabled !== undefined);
  const browser = Object.fromEntries(given.map(([category, enabled]) => [category, { enabled }]));
  return {
    enabled: true,
    ...(given.length > 0 && { browser }),
    ...(id !== undefined && { export: { otlp: id === null ? { enabled: false } : { destination: { id } } } }),
  };
}
