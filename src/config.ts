/** Rules for our three settings: precedence of the sources, and form of the values. */

import { ConfigError } from "./errors.js";
import { baseUrlProblem } from "./text/base-url.js";
import { findMisspelling } from "./text/near.js";

/** Names of the three settings. */
export type SettingName = "apiKey" | "baseUrl" | "projectId";

/** Sources for `resolveSettings`, which itself does not read the process. */
export interface SettingsSource {
  /** Values passed as arguments. `undefined` means not passed; only whitespace is an error. */
  readonly explicit?: Partial<Record<SettingName, string | undefined>>;
  /**
   * Reads a key of the stack configuration, such as `browser-infra:apiKey`. Only whitespace is an
   * error. Omit the function if there is no stack: errors then do not mention a stack.
   *
   * If a `Provider` is selected, the function reads the arguments of the `Provider` instead. The
   * function then returns a value for `providerInputs.name`, and must also read the setting named
   * by the `Provider`.
   */
  readonly configuration?: (key: string) => string | undefined;
  /**
   * Keys of the stack configuration as far as the source sees them, to find misspelled settings.
   * Default: none.
   */
  readonly configurationKeys?: (() => readonly string[]) | undefined;
  /** Environment variables, usually `process.env`. Only whitespace counts as not set. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Value of `--project` on the command line: an id or a name. Wins over all other sources. */
  readonly projectOption?: string | undefined;
}

/** Result of `resolveSettings`: checked settings, with sources. */
export interface Settings {
  /** API key, as given. Must never be logged. */
  readonly apiKey: string;
  /** Base URL without a trailing slash. */
  readonly baseUrl: string;
  /**
   * Project id. Undefined: the key's own project, or the organization's default project, unless
   * `projectName` is set. `defaultProjectId` reads both.
   */
  readonly projectId: string | undefined;
  /**
   * Value of `KERNEL_PROJECT` or `--project`, if unlike an id: a project's exact name, or an id of
   * a different form. `projectId` is then undefined.
   */
  readonly projectName?: string | undefined;
  /** Source of every value: `environment variable BROWSER_INFRA_API_KEY`, or `not set`. */
  readonly origins: Readonly<Record<SettingName, string>>;
}

/**
 * Configuration keys of a `Provider` besides the three settings: the logical name, and the name of
 * the environment variable or of the setting with the API key. State files keep these keys.
 */
export const providerInputs = {
  name: "browser-infra:provider",
  keyVariable: "browser-infra:apiKeyFromEnv",
  keySetting: "browser-infra:apiKeyFromConfig",
} as const;

/**
 * Member of a `Provider` with the arguments, for the functions of this package, which run in the
 * program. A registered symbol: the provider may come from a different copy of this package.
 */
export const providerArguments = Symbol.for("pulumi-browser-infra/provider-arguments");

/** Longest API key, in characters. Keys are far shorter; the limit keeps out a pasted file. */
const apiKeyCharactersMax = 4096;
/** Longest project id or name, in characters. The service's ids have 24. */
const projectIdCharactersMax = 255;
/** Form of the service's ids. Source: the service's published examples and Terraform provider. */
export const idPattern = /^[a-z0-9]{24}$/;
/**
 * Variable with the project for the service's own command line, as an id or an exact name. The
 * service's Terraform provider reads `KERNEL_PROJECT_ID`, an id. Sources: the public code of both.
 */
const projectVariable = "KERNEL_PROJECT";

/** Names of a setting. The second environment variable is the service's own. */
interface SettingSources {
  readonly noun: string;
  readonly environment: readonly [string, string];
  readonly command: string;
}

const settingSources: Readonly<Record<SettingName, SettingSources>> = {
  apiKey: {
    noun: "API key",
    environment: ["BROWSER_INFRA_API_KEY", "KERNEL_API_KEY"],
    command: "pulumi config set --secret browser-infra:apiKey",
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

/** Variables and setting with the key of the deployment: a resource must not send the key anywhere. */
export const ownKeyPlaces: readonly string[] = [...settingSources.apiKey.environment, "browser-infra:apiKey"];

/** Settings of the stack, and variables of this package. `KERNEL_…` belongs to the service's programs. */
export const declaredNames = {
  settings: Object.keys(settingSources).map((name) => `browser-infra:${name}`),
  variables: Object.values(settingSources).map(({ environment: [own] }) => own),
} as const;

/**
 * Describes a key of the stack configuration that is nearly a setting of this package; undefined if
 * there is none. Nothing would read the key, and the shell's setting would win in silence. Other
 * keys of the namespace are the program's: a `Provider` or a resource may name them.
 */
export function misspelledSetting(keys: readonly string[]): string | undefined {
  const ours = keys.filter((key) => key.startsWith("browser-infra:"));
  const { given, meant } = findMisspelling(ours, declaredNames.settings) ?? {};
  return given === undefined
    ? undefined
    : `The stack configuration has ${given}, which is not a setting. Did you mean ${meant}? ` +
        `Run "pulumi config rm ${given}", and set ${meant}.`;
}

/** Throws `ConfigError` `config_invalid` for a setting or a variable under a misspelled name. */
function refuseMisspelled({ environment, configurationKeys }: SettingsSource): void {
  const set = Object.keys(environment).filter((name) => environment[name]?.trim());
  const { given, meant } = findMisspelling(set, declaredNames.variables) ?? {};
  const problem =
    given === undefined
      ? misspelledSetting(configurationKeys?.() ?? [])
      : `The environment has the variable ${given}, which is not a setting. Did you mean ${meant}? Rename the variable.`;
  if (problem !== undefined) {
    throw new ConfigError("config_invalid", problem);
  }
}

/** Remedies for a value given by the program itself. */
const argumentRemedies: Readonly<Record<SettingName, string>> = {
  apiKey: "Give the key as the service showed it when it was created.",
  baseUrl: 'Give an address such as "https://api.example.com".',
  projectId: 'Give the id of a project, not the name: "browser-infra projects list" shows the ids.',
};

/** Source of a value, for a message, and a sentence with the remedy. */
interface ValueOrigin {
  readonly origin: string;
  readonly remedy: string;
}

/** Setting before the check. */
interface FoundSetting extends ValueOrigin {
  readonly value: string | undefined;
}

/**
 * Finds and checks the three settings. Precedence: explicit argument, stack configuration or
 * arguments of a `Provider`, `BROWSER_INFRA_*`, then the service's own `KERNEL_*` (for the project
 * `KERNEL_PROJECT_ID`, then `KERNEL_PROJECT`). There is no default base URL: the key is only sent
 * to a host named by the user. A `Provider` that names the place of the key takes the key only from
 * there: the key of a different account must not go to the address of the `Provider`.
 *
 * Throws `ConfigError` with code `config_missing` (API key or base URL not set) or `config_invalid`
 * (empty, malformed, or under a misspelled name). The message names the source of the value and the
 * command for the fix, and never contains a key.
 */
export function resolveSettings(source: SettingsSource): Settings {
  refuseMisspelled(source);
  const apiKey = find("apiKey", source);
  const baseUrl = find("baseUrl", source);
  const project = findProject(source);
  if (apiKey.value === undefined) {
    throw missingError("apiKey", source);
  }
  if (baseUrl.value === undefined) {
    const why = " There is no default: the API key is only sent to a host that you name.";
    throw missingError("baseUrl", source, why);
  }
  return {
    apiKey: checkHeaderValue("apiKey", apiKey.value, apiKeyCharactersMax, apiKey),
    baseUrl: checkBaseUrl(baseUrl.value, baseUrl),
    ...checkProject(project),
    origins: { apiKey: apiKey.origin, baseUrl: baseUrl.origin, projectId: project.origin },
  };
}

/**
 * Returns the default project: `projectId` of the settings. Throws `ConfigError` `config_invalid`
 * for settings with a project name only, from `KERNEL_PROJECT`: a name can pass to a different
 * project, and deployed objects must not move along.
 */
export function defaultProjectId({ projectId, projectName, origins }: Settings): string | undefined {
  if (projectName === undefined) {
    return projectId;
  }
  const message =
    `The project from ${origins.projectId} is not an id (24 of the characters a-z and 0-9). If it is a name: ` +
    "names can change, so a program needs the id. " +
    `Set ${settingSources.projectId.environment[0]} to the id, which "browser-infra projects list" shows.`;
  throw new ConfigError("config_invalid", message);
}

/**
 * Checks an API key: 1 to 4096 printable ASCII characters without spaces, as a header requires.
 * Returns the key unchanged. Throws `ConfigError` `config_invalid`, which names `origin` and never
 * the value.
 */
export function checkApiKey(value: string, origin = "argument apiKey"): string {
  return checkHeaderValue("apiKey", value, apiKeyCharactersMax, { origin, remedy: argumentRemedies.apiKey });
}

/**
 * Checks a project id: 1 to 255 printable ASCII characters without spaces. Returns the id
 * unchanged. Throws `ConfigError` `config_invalid`, which names `origin`.
 */
export function checkProjectId(value: string, origin = "argument projectId"): string {
  const place = { origin, remedy: argumentRemedies.projectId };
  return checkHeaderValue("projectId", value, projectIdCharactersMax, place);
}

/**
 * Checks a base URL, and returns the URL without a trailing slash. https goes anywhere, http only
 * to this machine (localhost, 127.0.0.0/8, [::1]). A path prefix is kept. User info, query and
 * fragment are refused. So are link-local and metadata addresses, where the key would go to the
 * cloud's agent.
 *
 * Throws `ConfigError` `config_invalid`, without the value: people paste keys into the wrong place.
 */
export function parseBaseUrl(value: string, origin = "argument baseUrl"): string {
  return checkBaseUrl(value, { origin, remedy: argumentRemedies.baseUrl });
}

function checkBaseUrl(value: string, place: ValueOrigin): string {
  refuseEmpty("baseUrl", value, place);
  const why = baseUrlProblem(value);
  if (why !== undefined) {
    throw invalidError("baseUrl", place, why);
  }
  const { origin, pathname } = new URL(value);
  return origin + pathname.replace(/\/+$/, "");
}

function find(name: SettingName, source: SettingsSource): FoundSetting {
  const { explicit, configuration, environment } = source;
  const key = `browser-infra:${name}`;
  const provider = selectedProvider(source);
  // Without a stack, the remedy must not mention a stack. A `Provider` does not read the setting.
  const remedy = settingRemedy(name, configuration !== undefined && provider === undefined);
  const given = explicit?.[name];
  if (given !== undefined) {
    return { value: given, origin: `argument ${name}`, remedy };
  }
  const configured = configuration?.(key);
  if (configured !== undefined) {
    return provider === undefined
      ? { value: configured, origin: `stack configuration ${key}`, remedy }
      : {
          value: configured,
          origin: `argument ${name} of ${provider}`,
          remedy: `Fix "${name}" of that Provider.`,
        };
  }
  const named = name === "apiKey" && provider !== undefined ? findNamedKey(provider, source) : undefined;
  if (named !== undefined) {
    return named;
  }
  const variable = settingSources[name].environment.find((each) => environment[each]?.trim());
  return variable === undefined
    ? { value: undefined, origin: "not set", remedy }
    : { value: environment[variable], origin: `environment variable ${variable}`, remedy };
}

/** Project before the check. Only some sources may contain a name. */
interface FoundProject extends FoundSetting {
  readonly canBeName: boolean;
}

function findProject(source: SettingsSource): FoundProject {
  const { projectOption, environment } = source;
  if (projectOption !== undefined) {
    const remedy = "Pass the id or the exact name of a project.";
    return { value: projectOption, origin: "option --project", remedy, canBeName: true };
  }
  const found = find("projectId", source);
  if (found.value !== undefined || !environment[projectVariable]?.trim()) {
    return { ...found, canBeName: false };
  }
  const remedy = `Set ${projectVariable} to the id or the exact name of a project, or unset it.`;
  const origin = `environment variable ${projectVariable}`;
  return { value: environment[projectVariable], origin, remedy, canBeName: true };
}

/** Checks the project. A name is never sent in a header, and may therefore contain any letter. */
function checkProject(found: FoundProject): Pick<Settings, "projectId" | "projectName"> {
  const { value, canBeName, ...place } = found;
  if (value === undefined) {
    return { projectId: undefined };
  }
  if (!canBeName || idPattern.test(value)) {
    return { projectId: checkHeaderValue("projectId", value, projectIdCharactersMax, place) };
  }
  const projectError = (why: string) =>
    new ConfigError("config_invalid", `The project from ${place.origin} ${why}. ${place.remedy}`);
  if (value.trim() === "") {
    throw projectError("is empty");
  }
  if (value.length > projectIdCharactersMax) {
    throw projectError(`is longer than ${projectIdCharactersMax} characters`);
  }
  if (/[\p{Cc}\p{Cs}]/u.test(value)) {
    throw projectError("has a line break or another control character");
  }
  return { projectId: undefined, projectName: value };
}

/** Names the selected `Provider`, for a message. Undefined for the default provider. */
function selectedProvider({ configuration }: SettingsSource): string | undefined {
  const name = configuration?.(providerInputs.name);
  return name === undefined ? undefined : `Provider "${name}"`;
}

/**
 * Finds the key of a `Provider` that names the place of the key. Undefined without a named place.
 * Throws `ConfigError` `config_missing` if the place is empty.
 */
function findNamedKey(provider: string, source: SettingsSource): FoundSetting | undefined {
  const { configuration, environment } = source;
  const variable = configuration?.(providerInputs.keyVariable);
  if (variable !== undefined) {
    const value = environment[variable];
    const remedy = `Set ${variable} in the environment in which Pulumi runs.`;
    if (!value?.trim()) {
      const why = `The environment variable ${variable} is not set.`;
      throw new ConfigError("config_missing", `No API key for ${provider}. ${why} ${remedy}`);
    }
    return { value, origin: `environment variable ${variable}, named by ${provider}`, remedy };
  }
  const setting = configuration?.(providerInputs.keySetting);
  if (setting === undefined) {
    return undefined;
  }
  const value = configuration?.(setting);
  const remedy = `Run "pulumi config set --secret ${setting}".`;
  if (value === undefined) {
    const why = `This stack does not have the setting ${setting}.`;
    throw new ConfigError("config_missing", `No API key for ${provider}. ${why} ${remedy}`);
  }
  return { value, origin: `stack configuration ${setting}, named by ${provider}`, remedy };
}

function checkHeaderValue(
  name: "apiKey" | "projectId",
  value: string,
  charactersMax: number,
  place: ValueOrigin,
): string {
  refuseEmpty(name, value, place);
  if (value.length > charactersMax) {
    throw invalidError(name, place, `is longer than ${charactersMax} characters`);
  }
  if (/[^!-~]/.test(value)) {
    const why =
      "has a space, a line break, a control or a non-ASCII character; copy the value again without such characters";
    throw invalidError(name, place, why);
  }
  return value;
}

function refuseEmpty(name: SettingName, value: string, place: ValueOrigin): void {
  if (typeof value !== "string") {
    throw invalidError(name, place, "is not a string");
  }
  if (value.trim() === "") {
    throw invalidError(name, place, "is empty; give a value or leave it out");
  }
}

function missingError(name: SettingName, source: SettingsSource, why = ""): ConfigError {
  const { noun, environment } = settingSources[name];
  const provider = selectedProvider(source);
  if (provider !== undefined) {
    const argument = name === "apiKey" ? "apiKeyFrom" : name;
    const remedy = `Give the argument "${argument}", or set ${environment[0]}.`;
    return new ConfigError("config_missing", `No ${noun} for ${provider}. ${remedy}${why}`);
  }
  const remedy = settingRemedy(name, source.configuration !== undefined);
  return new ConfigError("config_missing", `No ${noun}. ${remedy}${why}`);
}

function invalidError(name: SettingName, { origin, remedy }: ValueOrigin, why: string): ConfigError {
  return new ConfigError(
    "config_invalid",
    `The ${settingSources[name].noun} from ${origin} ${why}. ${remedy}`,
  );
}

/** Advice for setting a value. Only a Pulumi program has stack configuration. */
function settingRemedy(name: SettingName, hasConfiguration: boolean): string {
  const { command, environment } = settingSources[name];
  return hasConfiguration ? `Run "${command}" or set ${environment[0]}.` : `Set ${environment[0]}.`;
}
