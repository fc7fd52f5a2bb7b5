/**
 * One rule for the three settings of this package: which source wins, and what a value must look like.
 * Every face (provider, functions, client, command line) asks here, so a bad value gets the same sentence everywhere.
 */
import { BlockList, isIP, isIPv4 } from "node:net";
import { ConfigError } from "./errors.js";

/** The three settings, by the name they carry in code. */
export type SettingName = "apiKey" | "baseUrl" | "projectId";

/** Where `resolveSettings` looks. All three sources are passed in, so that nothing here reads the process. */
export interface SettingsSource {
  /** Values a caller passed as arguments. `undefined` means not passed; blank text is an error. */
  readonly explicit?: Partial<Record<SettingName, string | undefined>>;
  /**
   * Reads one key of the stack configuration, for instance `browser-infra:apiKey`; blank text is an error. Left out where there is no
   * stack, as on the command line; advice then does not speak of one.
   */
  readonly configuration?: (key: string) => string | undefined;
  /** The environment, usually `process.env`. Blank text counts as not set. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** The settings after `resolveSettings`: checked, and each with the place it came from. */
export interface Settings {
  /** API key, as given. Never log it. */
  readonly apiKey: string;
  /** Base URL without a trailing slash. */
  readonly baseUrl: string;
  /** Project id, or undefined for the key's own or the organization's default project. */
  readonly projectId: string | undefined;
  /** Where each value came from, for messages: `environment variable BROWSER_INFRA_API_KEY`, or `not set`. */
  readonly origins: Readonly<Record<SettingName, string>>;
}

/** Longest API key accepted, in characters. Keys are far shorter; the bound keeps a pasted file out of a header. */
export const apiKeyCharactersMax = 4096;
/** Longest project id accepted, in characters. Ids of the service have 24. */
export const projectIdCharactersMax = 255;
/** Longest base URL accepted, in characters. */
export const baseUrlCharactersMax = 2048;

/** Where a setting lives besides the arguments. The first environment variable wins over the second, the service's own. */
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
 * Finds and checks the three settings. For each: explicit argument, stack configuration, `BROWSER_INFRA_*`, then the
 * service's own `KERNEL_*`. There is no default base URL: a key is never sent to a host that nobody named.
 *
 * Throws `ConfigError` with code `config_missing` (API key or base URL not set) or `config_invalid` (blank or malformed);
 * the message names the source of the value and the command that mends it, never the value of a key.
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
      " There is no default, so that a key is never sent to a host that nobody named.",
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
 * Checks an API key: 1 to 4096 printable ASCII characters without spaces, so that it fits a header as it stands.
 * Returns it unchanged. Throws `ConfigError` `config_invalid`, which names `origin` and never the value.
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
 * Checks a base URL and returns it without a trailing slash: `https://api.example.com`, `http://127.0.0.1:4010/prefix`.
 * https goes anywhere, http only to this machine (localhost, 127.0.0.0/8, [::1]). A path prefix is kept; user info, query
 * and fragment are refused, and so are link-local and metadata addresses, which would hand the key to a cloud's own agent.
 *
 * Throws `ConfigError` `config_invalid`. The value is not echoed, because people paste keys into the wrong variable.
 */
export function parseBaseUrl(value: string, origin = "argument baseUrl"): string {
  refuseBlank("baseUrl", value, origin);
  const bad = (why: string) => invalid("baseUrl", origin, why);
  if (value.length > baseUrlCharactersMax) {
    throw bad(`is longer than ${baseUrlCharactersMax} characters`);
  }
  // URL drops tabs and line breaks and reads "\" as "/"; what it sees must be what the user wrote.
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
    throw bad(`names the link-local or metadata address ${url.hostname}, which is never the service`);
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
  refuseBlank(name, value, origin);
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

function refuseBlank(name: SettingName, value: string, origin: string): void {
  if (typeof value !== "string") {
    throw invalid(name, origin, "is not text");
  }
  if (value.trim() === "") {
    throw invalid(name, origin, "is blank; give a value or leave it out");
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

/** This machine's own addresses. */
const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8);

/**
 * Addresses of a cloud's own agent, which hands out credentials: link-local (169.254.0.0/16, fe80::/10) and those of large
 * clouds. A `BlockList` also finds an IPv4 address mapped into IPv6 (::ffff:0:0/96); NAT64 (64:ff9b::/96) is listed.
 */
const metadata = new BlockList();
metadata.addSubnet("169.254.0.0", 16);
metadata.addSubnet("64:ff9b::169.254.0.0", 112, "ipv6");
metadata.addSubnet("fe80::", 10, "ipv6");
metadata.addAddress("fd00:ec2::254", "ipv6");
metadata.addAddress("100.100.100.200");
metadata.addAddress("64:ff9b::100.100.100.200", "ipv6");

/** `URL` has already brought every spelling of an IPv4 address (127.1, 0x7f000001) to four decimal numbers. */
function isLoopbackHost(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || (isIPv4(hostname) && loopback.check(hostname));
}

function isMetadataHost(hostname: string): boolean {
  const address = hostname.replace(/^\[|\]$/g, "");
  return isIP(address) === 0
    ? hostname.replace(/\.$/, "") === "metadata.google.internal"
    : metadata.check(address, isIPv4(address) ? "ipv4" : "ipv6");
}
