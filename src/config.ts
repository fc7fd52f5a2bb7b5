/** The one rule for our three settings: which source wins, and what a value must look like. */
import { baseUrlProblem } from "./base-url.js";
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
   *
   * Where a `Provider` is selected, this reads what the `Provider` was given instead. It has a
   * value for `providerInputs.name` then, and must also read the setting that the `Provider` names.
   */
  readonly configuration?: (key: string) => string | undefined;
  /** The environment, usually `process.env`. Only whitespace counts as not set. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** What `--project` of the command line was given: an id or a name. Wins over everything else. */
  readonly projectOption?: string | undefined;
}

/** What `resolveSettings` returns: checked settings, each with its source. */
export interface Settings {
  /** API key, as given. Never log it. */
  readonly apiKey: string;
  /** Base URL without a trailing slash. */
  readonly baseUrl: string;
  /**
   * Project id; undefined means the key's own project, or the organization's default project. But
   * see `projectName`; `defaultProjectId` looks at both.
   */
  readonly projectId: string | undefined;
  /**
   * What `KERNEL_PROJECT` or `--project` holds, if it does not look like an id: a project's exact
   * name, or an id of another form. There is no `projectId` then.
   */
  readonly projectName?: string | undefined;
  /** Where each value came from: `environment variable BROWSER_INFRA_API_KEY`, or `not set`. */
  readonly origins: Readonly<Record<SettingName, string>>;
}

/**
 * What a `Provider` puts into its configuration besides the three settings: its logical name, and
 * the name of the environment variable or of the setting that holds its API key. State files keep
 * these keys.
 */
export const providerInputs = {
  name: "browser-infra:provider",
  keyVariable: "browser-infra:apiKeyFromEnv",
  keySetting: "browser-infra:apiKeyFromConfig",
} as const;

/** Longest API key, in characters. Keys are far shorter; this keeps out a pasted file. */
const apiKeyCharactersMax = 4096;
/** Longest project id or name, in characters. The service's ids have 24. */
const projectIdCharactersMax = 255;
/** The form of the service's ids. Source: its published examples and its Terraform provider. */
export const idPattern = /^[a-z0-9]{24}$/;
/**
 * The project for the service's own command line, as an id or an exact name. Its Terraform provider
 * reads `KERNEL_PROJECT_ID`, an id. Sources: their public code.
 */
const projectVariable = "KERNEL_PROJECT";

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

/** How to fix a value that the program itself gave. */
const argumentRemedies: Readonly<Record<SettingName, string>> = {
  apiKey: "Give the key as the service showed it when it was created.",
  baseUrl: 'Give an address such as "https://api.example.com".',
  projectId: 'Give the id of a project, which "browser-infra projects list" shows, and not its name.',
};

/** Where a value came from, for a message, and the sentence that says how to fix it. */
interface Place {
  readonly origin: string;
  readonly remedy: string;
}

/** A setting as it was found. */
interface Found extends Place {
  readonly value: string | undefined;
}

/**
 * Finds and checks the three settings. For each: explicit argument, stack configuration or the
 * arguments of a `Provider`, `BROWSER_INFRA_*`, then the service's own `KERNEL_*` (for the project
 * `KERNEL_PROJECT_ID`, then `KERNEL_PROJECT`). There is no default base URL: the key is only sent
 * to a host that the user names. A `Provider` that names the place of its key takes the key from
 * there and from nowhere else: another account's key must not go to its address.
 *
 * Throws `ConfigError` with code `config_missing` (API key or base URL not set) or `config_invalid`
 * (empty or malformed). The message names the source of the value and the command that fixes it,
 * and never the value of a key.
 */
export function resolveSettings(source: SettingsSource): Settings {
  const apiKey = find("apiKey", source);
  const baseUrl = find("baseUrl", source);
  const project = findProject(source);
  if (apiKey.value === undefined) {
    throw missing("apiKey", source);
  }
  if (baseUrl.value === undefined) {
    const why = " There is no default: the API key is only sent to a host that you name.";
    throw missing("baseUrl", source, why);
  }
  return {
    apiKey: checkHeaderValue("apiKey", apiKey.value, apiKeyCharactersMax, apiKey),
    baseUrl: checkBaseUrl(baseUrl.value, baseUrl),
    ...checkProject(project),
    origins: { apiKey: apiKey.origin, baseUrl: baseUrl.origin, projectId: project.origin },
  };
}

/**
 * The project to act in when nothing else says which: `projectId` of the settings. Throws
 * `ConfigError` `config_invalid` when only `KERNEL_PROJECT` says so, with a name: a name can pass
 * to another project, and what is deployed must not move with it.
 */
export function defaultProjectId({ projectId, projectName, origins }: Settings): string | undefined {
  if (projectName === undefined) {
    return projectId;
  }
  const message =
    `The project from ${origins.projectId} is not an id (24 of the characters a-z and 0-9). If it is a name: ` +
    "names can change, so a program needs the id. " +
    `Set ${places.projectId.environment[0]} to the id, which "browser-infra projects list" shows.`;
  throw new ConfigError("config_invalid", message);
}

/**
 * Checks an API key: 1 to 4096 printable ASCII characters without spaces, so that it fits a header
 * as it is. Returns it unchanged. Throws `ConfigError` `config_invalid`, which names `origin`
 * and never the value.
 */
export function checkApiKey(value: string, origin = "argument apiKey"): string {
  return checkHeaderValue("apiKey", value, apiKeyCharactersMax, { origin, remedy: argumentRemedies.apiKey });
}

/**
 * Checks a project id: 1 to 255 printable ASCII characters without spaces. Returns it unchanged.
 * Throws `ConfigError` `config_invalid`, which names `origin`.
 */
export function checkProjectId(value: string, origin = "argument projectId"): string {
  const place = { origin, remedy: argumentRemedies.projectId };
  return checkHeaderValue("projectId", value, projectIdCharactersMax, place);
}

/**
 * Checks a base URL and returns it without a trailing slash. https goes anywhere, http only to this
 * machine (localhost, 127.0.0.0/8, [::1]). A path prefix is kept. User info, query and fragment are
 * refused. So are link-local and metadata addresses, where the key would go to the cloud's agent.
 *
 * Throws `ConfigError` `config_invalid`, without the value: people paste keys into the wrong place.
 */
export function parseBaseUrl(value: string, origin = "argument baseUrl"): string {
  return checkBaseUrl(value, { origin, remedy: argumentRemedies.baseUrl });
}

function checkBaseUrl(value: string, place: Place): string {
  refuseEmpty("baseUrl", value, place);
  const why = baseUrlProblem(value);
  if (why !== undefined) {
    throw invalid("baseUrl", place, why);
  }
  const { origin, pathname } = new URL(value);
  return origin + pathname.replace(/\/+$/, "");
}

function find(name: SettingName, source: SettingsSource): Found {
  const { explicit, configuration, environment } = source;
  const key = `browser-infra:${name}`;
  // A program without a stack must not be sent to one.
  const remedy = settingRemedy(name, configuration !== undefined);
  const given = explicit?.[name];
  if (given !== undefined) {
    return { value: given, origin: `argument ${name}`, remedy };
  }
  const provider = selectedProvider(source);
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
  const variable = places[name].environment.find((each) => environment[each]?.trim());
  return variable === undefined
    ? { value: undefined, origin: "not set", remedy }
    : { value: environment[variable], origin: `environment variable ${variable}`, remedy };
}

/** A project as it was found. Only some places may hold a name. */
interface FoundProject extends Found {
  readonly mayBeName: boolean;
}

function findProject(source: SettingsSource): FoundProject {
  const { projectOption, environment } = source;
  if (projectOption !== undefined) {
    const remedy = "Pass the id or the exact name of a project.";
    return { value: projectOption, origin: "option --project", remedy, mayBeName: true };
  }
  const found = find("projectId", source);
  if (found.value !== undefined || !environment[projectVariable]?.trim()) {
    return { ...found, mayBeName: false };
  }
  const remedy = `Set ${projectVariable} to the id or the exact name of a project, or unset it.`;
  const origin = `environment variable ${projectVariable}`;
  return { value: environment[projectVariable], origin, remedy, mayBeName: true };
}

/** Checks a project that was found. A name is never sent in a header, so it may have any letter. */
function checkProject(found: FoundProject): Pick<Settings, "projectId" | "projectName"> {
  const { value, mayBeName, ...place } = found;
  if (value === undefined) {
    return { projectId: undefined };
  }
  if (!mayBeName || idPattern.test(value)) {
    return { projectId: checkHeaderValue("projectId", value, projectIdCharactersMax, place) };
  }
  const bad = (why: string) =>
    new ConfigError("config_invalid", `The project from ${place.origin} ${why}. ${place.remedy}`);
  if (value.trim() === "") {
    throw bad("is empty");
  }
  if (value.length > projectIdCharactersMax) {
    throw bad(`is longer than ${projectIdCharactersMax} characters`);
  }
  if (/[\p{Cc}\p{Cs}]/u.test(value)) {
    throw bad("has a line break or another control character");
  }
  return { projectId: undefined, projectName: value };
}

/** The selected `Provider`, for a message. Undefined when it is the default one. */
function selectedProvider({ configuration }: SettingsSource): string | undefined {
  const name = configuration?.(providerInputs.name);
  return name === undefined ? undefined : `Provider "${name}"`;
}

/** The key of a `Provider` that names the place of it. Undefined when it names none. */
function findNamedKey(provider: string, source: SettingsSource): Found | undefined {
  const { configuration, environment } = source;
  const variable = configuration?.(providerInputs.keyVariable);
  if (variable !== undefined) {
    const value = environment[variable];
    const remedy = `Set ${variable} in the environment in which Pulumi runs.`;
    if (!value?.trim()) {
      const why = `It takes the key from the environment variable ${variable}, which is not set.`;
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
    const why = `It takes the key from the setting ${setting}, which this stack does not have.`;
    throw new ConfigError("config_missing", `No API key for ${provider}. ${why} ${remedy}`);
  }
  return { value, origin: `stack configuration ${setting}, named by ${provider}`, remedy };
}

function checkHeaderValue(
  name: "apiKey" | "projectId",
  value: string,
  charactersMax: number,
  place: Place,
): string {
  refuseEmpty(name, value, place);
  if (value.length > charactersMax) {
    throw invalid(name, place, `is longer than ${charactersMax} characters`);
  }
  if (/[^!-~]/.test(value)) {
    const why = "has a space, a line break, a control or a non-ASCII character; copy it again without them";
    throw invalid(name, place, why);
  }
  return value;
}

function refuseEmpty(name: SettingName, value: string, place: Place): void {
  if (typeof value !== "string") {
    throw invalid(name, place, "is not a string");
  }
  if (value.trim() === "") {
    throw invalid(name, place, "is empty; give a value or leave it out");
  }
}

function missing(name: SettingName, source: SettingsSource, why = ""): ConfigError {
  const { noun, environment } = places[name];
  const provider = selectedProvider(source);
  if (provider !== undefined) {
    const argument = name === "apiKey" ? "apiKeyFrom" : name;
    const remedy = `Give it "${argument}", or set ${environment[0]}.`;
    return new ConfigError("config_missing", `No ${noun} for ${provider}. ${remedy}${why}`);
  }
  const remedy = settingRemedy(name, source.configuration !== undefined);
  return new ConfigError("config_missing", `No ${noun}. ${remedy}${why}`);
}

function invalid(name: SettingName, { origin, remedy }: Place, why: string): ConfigError {
  return new ConfigError("config_invalid", `The ${places[name].noun} from ${origin} ${why}. ${remedy}`);
}

/** How to give a setting another value. Only a program of Pulumi has stack configuration. */
function settingRemedy(name: SettingName, hasConfiguration: boolean): string {
  const { command, environment } = places[name];
  return hasConfiguration ? `Run "${command}" or set ${environment[0]}.` : `Set ${environment[0]}.`;
}
