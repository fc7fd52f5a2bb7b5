/** The one rule for our three settings: which source wins, and what a value must look like. */
import { BlockList, isIP, isIPv4 } from "node:net";
import { ConfigError } from "./errors.js";

/** The names of the three settings. */
export type SettingName = "apiKey" | "baseUrl" | "projectId";

/** Where `resolveSettings` looks. Nothing here reads the process. */
export interface SettingsSource {
  /** Values passed as arguments. `undefined` means not passed; only whitespace is an error. */
  readonly explicit?: Partial<Record<SettingName, string | undefined>>;
  /**
   * Reads one key of the stack configuration, such as `browser-infra:apiKey`. Only whitespace is an
   * error. Leave it out where there is no stack: errors then do not mention one.
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

/** Longest API key, in characters. Keys are far shorter; this keeps out a pasted file. */
const apiKeyCharactersMax = 4096;
/** Longest project id, in characters. The service's ids have 24. */
const projectIdCharactersMax = 255;
/** Longest base URL, in characters. */
const baseUrlCharactersMax = 2048;

/** What a setting is called. Of its environment variables, the second is the service's own. */
interface Places {
  readonly noun: string;
  readonly environment: readonly [string, string];
  readonly command: string;
}

const places: Readonly<Record<SettingName, Places>> = {
  apiKey: {
    noun: "API key",
    environment: ["BROWSER_INFRA_API_KEY", "KERNEL_API_KEY"],
    command: "pulumi config set --secret browser-infra:apiKey <key>",
  },
  baseUrl: {
    noun: "base URL",
    environment: ["BROWSER_INFRA_BASE_URL", "KERNEL_BASE_URL"],
    command: "pulumi config set browser-infra:baseUrl <url>",
  },
  projectId: {
    noun: "project id",
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
    throw missing("apiKey", withStack);
  }
  if (baseUrl.value === undefined) {
    const why = " There is no default: the API key is only sent to a host that you name.";
    throw missing("baseUrl", withStack, why);
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
 * Checks a base URL and returns it without a trailing slash. https goes anywhere, http only to this
 * machine (localhost, 127.0.0.0/8, [::1]). A path prefix is kept. User info, query and fragment are
 * refused. So are link-local and metadata addresses, where the key would go to the cloud's agent.
 *
 * Throws `ConfigError` `config_invalid`, without the value: people paste keys into the wrong place.
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
    throw bad("has a user name or password before the host; pass the API key as its own setting");
  }
  if (/[?#]/.test(value)) {
    throw bad("has a query or a fragment; end it after the host or the path");
  }
  if (isMetadataHost(url.hostname)) {
    throw bad(
      `has the link-local or metadata address ${url.hostname}, where no service runs; use the URL of the service`,
    );
  }
  if (url.protocol === "http:" && !isLoopbackHost(url.hostname)) {
    const why = "which would send the API key in clear text; use https (http is only for this machine)";
    throw bad(`uses http for ${url.hostname}, ${why}`);
  }
  return url.origin + url.pathname.replace(/\/+$/, "");
}

function find(name: SettingName, source: SettingsSource): { value: string | undefined; origin: string } {
  const configuration = `browser-infra:${name}`;
  const explicit = source.explicit?.[name];
  if (explicit !== undefined) {
    return { value: explicit, origin: `argument ${name}` };
  }
  const configured = source.configuration?.(configuration);
  if (configured !== undefined) {
    return { value: configured, origin: `stack configuration ${configuration}` };
  }
  const variable = places[name].environment.find((each) => source.environment[each]?.trim());
  return variable === undefined
    ? { value: undefined, origin: "not set" }
    : { value: source.environment[variable], origin: `environment variable ${variable}` };
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
    const why = "has a space, a line break, a control or a non-ASCII character; copy it again without them";
    throw invalid(name, origin, why);
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

function missing(name: SettingName, withStack: boolean, why = ""): ConfigError {
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
 * Whether a host name of a `URL` is this machine: localhost, 127.0.0.0/8 or [::1]. `URL` has
 * already turned other spellings (127.1, 0x7f000001) into 127.0.0.1.
 */
export function isLoopbackHost(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || (isIPv4(hostname) && loopback.check(hostname));
}

function isMetadataHost(hostname: string): boolean {
  const address = hostname.replace(/^\[|\]$/g, "");
  return isIP(address) === 0
    ? hostname.replace(/\.$/, "") === "metadata.google.internal"
    : metadata.check(address, isIPv4(address) ? "ipv4" : "ipv6");
}
