/**
 * One rule for the three settings of this package: which source wins, and what a value must look
 * like. The provider, the functions, the client and the command line all use it, so a bad value
 * gets the same error everywhere.
 */
import { BlockList, isIP, isIPv4 } from "node:net";
import { ConfigError } from "./errors.js";

/** The names of the three settings. */
export type SettingName = "apiKey" | "baseUrl" | "projectId";

/**
 * Where `resolveSettings` looks. The caller passes in all sources; nothing here reads the process.
 */
export interface SettingsSource {
  /** Values passed as arguments. `undefined` means not passed; only whitespace is an error. */
  readonly explicit?: Partial<Record<SettingName, string | undefined>>;
  /**
   * Reads one key of the stack configuration, for instance `browser-infra:apiKey`. Only whitespace
   * is an error. Leave it out where there is no stack, as on the command line: errors then do not
   * mention a stack.
   */
  readonly configuration?: (key: string) => string | undefined;
  /** The environment, usually `process.env`. Only whitespace counts as not set. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** What `resolveSettings` returns: checked settings, each with its source. */
export interface Settings {
  /** API key, as given. Never log it. */
  readonly apiKey: string;
  /** Base URL without a trailing slash. */
  readonly baseUrl: string;
  /** Project id; undefined means the key's own project, or the organization's default project. */
  readonly projectId: string | undefined;
  /** Where each value came from: `environment variable BROWSER_INFRA_API_KEY`, or `not set`. */
  readonly origins: Readonly<Record<SettingName, string>>;
}

/**
 * Longest API key, in characters. Keys are far shorter; the limit keeps a pasted file out of a
 * header.
 */
const apiKeyCharactersMax = 4096;
/** Longest project id, in characters. The service's ids have 24. */
const projectIdCharactersMax = 255;
/** Longest base URL, in characters. */
const baseUrlCharactersMax = 2048;

/**
 * Where a setting is looked for besides the arguments. The first environment variable wins over the
 * second, which is the service's own.
 */
interface Places {
  readonly noun: string;
  readonly configuration: string;
  readonly environment: readonly [string, string];
  readonly command: string;
}

const places: Readonly<Record<SettingName, Places>> = {
  apiKey: {
    noun: "API key",
    configuration: "browser-infra:apiKey",
    environment: ["BROWSER_INFRA_API_KEY", "KERNEL_API_KEY"],
    command: "pulumi config set --secret browser-infra:apiKey <key>",
  },
  baseUrl: {
    noun: "base URL",
    configuration: "browser-infra:baseUrl",
    environment: ["BROWSER_INFRA_BASE_URL", "KERNEL_BASE_URL"],
    command: "pulumi config set browser-infra:baseUrl <url>",
  },
  projectId: {
    noun: "project id",
    configuration: "browser-infra:projectId",
    environment: ["BROWSER_INFRA_PROJECT_ID", "KERNEL_PROJECT_ID"],
    command: "pulumi config set browser-infra:projectId <id>",
  },
};

/**
 * Finds and checks the three settings. For each: explicit argument, stack configuration,
 * `BROWSER_INFRA_*`, then the service's own `KERNEL_*`. There is no default base URL: the key is
 * only sent to a host that the user names.
 *
 * Throws `ConfigError` with code `config_missing` (API key or base URL not set) or `config_invalid`
 * (empty or malformed). The message names the source of the value and the command that fixes it,
 * and never the value of a key.
 */
export function resolveSettings(source: SettingsSource): Settings {
  const apiKey = find("apiKey", source);
  const baseUrl = find("baseUrl", source);
  const projectId = find("projectId", source);
  const withStack = source.configuration !== undefined;
  if (apiKey.value === undefined) {
    throw missing("apiKey", withStack, "");
  }
  if (baseUrl.value === undefined) {
    throw missing(
      "baseUrl",
      withStack,
      " There is no default: the API key is only sent to a host that you name.",
    );
  }
  return {
    apiKey: checkApiKey(apiKey.value, apiKey.origin),
    baseUrl: parseBaseUrl(baseUrl.value, baseUrl.origin),
    projectId: projectId.value === undefined ? undefined : checkProjectId(projectId.value, projectId.origin),
    origins: { apiKey: apiKey.origin, baseUrl: baseUrl.origin, projectId: projectId.origin },
  };
}

/**
 * Checks an API key: 1 to 4096 printable ASCII characters without spaces, so that it fits a header
 * as it is. Returns it unchanged. Throws `ConfigError` `config_invalid`, which names `origin`
 * and never the value.
 */
export function checkApiKey(value: string, origin = "argument apiKey"): string {
  return checkHeaderValue("apiKey", value, apiKeyCharactersMax, origin);
}

/**
 * Checks a project id: 1 to 255 printable ASCII characters without spaces. Returns it unchanged.
 * Throws `ConfigError` `config_invalid`, which names `origin`.
 */
export function checkProjectId(value: string, origin = "argument projectId"): string {
  return checkHeaderValue("projectId", value, projectIdCharactersMax, origin);
}

/**
 * Checks a base URL and returns it without a trailing slash: `https://api.example.com`,
 * `http://127.0.0.1:4010/prefix`. https goes anywhere, http only to this machine (localhost,
 * 127.0.0.0/8, [::1]). A path prefix is kept. User info, query and fragment are refused. So are
 * link-local and metadata addresses, because the key would go to the cloud's own agent.
 *
 * Throws `ConfigError` `config_invalid`. The message does not repeat the value, because people
 * paste keys into the wrong variable.
 */
export function parseBaseUrl(value: string, origin = "argument baseUrl"): string {
  refuseEmpty("baseUrl", value, origin);
  const bad = (why: string) => invalid("baseUrl", origin, why);
  if (value.length > baseUrlCharactersMax) {
    throw bad(`is longer than ${baseUrlCharactersMax} characters`);
  }
  // URL drops tabs and line breaks and reads "\" as "/". What it reads must be what the user wrote.
  if (/[^!-~]|\\/.test(value)) {
    throw bad("has a space, a backslash, a control or a non-ASCII character");
  }
  if (!/^https?:\/\//i.test(value) || !URL.canParse(value)) {
    throw bad("is not an absolute http or https address such as https://api.example.com");
  }
  const url = new URL(value);
  if (url.username !== "" || url.password !== "") {
    throw bad("has user info before the host; pass the API key as its own setting");
  }
  if (/[?#]/.test(value)) {
    throw bad("has a query or a fragment; end it after the host or the path");
  }
  if (isMetadataHost(url.hostname)) {
    throw bad(`names the link-local or metadata address ${url.hostname}; the service is never there`);
  }
  if (url.protocol === "http:" && !isLoopbackHost(url.hostname)) {
    throw bad(
      `uses http for ${url.hostname}, which would send the API key in clear text; use https (http is for this machine only)`,
    );
  }
  return url.origin + url.pathname.replace(/\/+$/, "");
}

function find(name: SettingName, source: SettingsSource): { value: string | undefined; origin: string } {
  const { configuration, environment } = places[name];
  const explicit = source.explicit?.[name];
  if (explicit !== undefined) {
    return { value: explicit, origin: `argument ${name}` };
  }
  const configured = source.configuration?.(configuration);
  if (configured !== undefined) {
    return { value: configured, origin: `stack configuration ${configuration}` };
  }
  for (const variable of environment) {
    const value = source.environment[variable];
    if (value !== undefined && value.trim() !== "") {
      return { value, origin: `environment variable ${variable}` };
    }
  }
  return { value: undefined, origin: "not set" };
}

function checkHeaderValue(
  name: "apiKey" | "projectId",
  value: string,
  charactersMax: number,
  origin: string,
): string {
  refuseEmpty(name, value, origin);
  if (value.length > charactersMax) {
    throw invalid(name, origin, `is longer than ${charactersMax} characters`);
  }
  if (/[^!-~]/.test(value)) {
    throw invalid(
      name,
      origin,
      "has a space, a line break, a control or a non-ASCII character; copy it again without them",
    );
  }
  return value;
}

function refuseEmpty(name: SettingName, value: string, origin: string): void {
  if (typeof value !== "string") {
    throw invalid(name, origin, "is not a string");
  }
  if (value.trim() === "") {
    throw invalid(name, origin, "is empty; give a value or leave it out");
  }
}

function missing(name: SettingName, withStack: boolean, why: string): ConfigError {
  const { noun, command, environment } = places[name];
  const remedy = withStack ? `Run "${command}" or set ${environment[0]}.` : `Set ${environment[0]}.`;
  return new ConfigError("config_missing", `No ${noun}. ${remedy}${why}`);
}

function invalid(name: SettingName, origin: string, why: string): ConfigError {
  const { noun, command, environment } = places[name];
  const remedy = `Run "${command}" or set ${environment[0]}.`;
  return new ConfigError("config_invalid", `The ${noun} from ${origin} ${why}. ${remedy}`);
}

/** The IPv4 addresses of this machine. */
const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8);

/**
 * Addresses where a cloud's own agent hands out credentials: link-local (169.254.0.0/16, fe80::/10)
 * and those of large clouds. A `BlockList` also finds IPv4 addresses that are mapped into IPv6
 * (::ffff:0:0/96). Those of NAT64 (64:ff9b::/96) must be listed.
 */
const metadata = new BlockList();
metadata.addSubnet("169.254.0.0", 16);
metadata.addSubnet("64:ff9b::169.254.0.0", 112, "ipv6");
metadata.addSubnet("fe80::", 10, "ipv6");
metadata.addAddress("fd00:ec2::254", "ipv6");
metadata.addAddress("100.100.100.200");
metadata.addAddress("64:ff9b::100.100.100.200", "ipv6");

/**
 * `URL` has already turned every spelling of an IPv4 address (127.1, 0x7f000001) into 127.0.0.1.
 */
function isLoopbackHost(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || (isIPv4(hostname) && loopback.check(hostname));
}

function isMetadataHost(hostname: string): boolean {
  const address = hostname.replace(/^\[|\]$/g, "");
  return isIP(address) === 0
    ? hostname.replace(/\.$/, "") === "metadata.google.internal"
    : metadata.check(address, isIPv4(address) ? "ipv4" : "ipv6");
}
