import { isDeepStrictEqual } from "node:util";
import {
  misspelledSetting,
  parseBaseUrl,
  providerInputs,
  resolveSettings,
  type Settings,
} from "../../config.js";
import { BrowserInfraError } from "../../errors.js";
import { Accounts } from "../../providers/call.js";
import { stackSetting, stackSettings } from "../../providers/inputs/stack-setting.js";
import type { CheckFailure, DiffResult } from "../../providers/lifecycle.js";
import { type PropertyMap, type PropertyValue, unknownValue } from "../../providers/properties.js";
import { secretPlaceProblem } from "../../text/secret-place.js";

type Environment = Readonly<Record<string, string | undefined>>;

const settingNames = ["apiKey", "baseUrl", "projectId", "apiKeyFromEnv", "apiKeyFromConfig"] as const;

/** Inputs that Pulumi adds to every provider. */
const pulumiInputs: readonly string[] = ["version", "pluginDownloadURL"];

/** Time limit for querying the owners of two keys, in milliseconds. */
const ownerQueryMsMax = 5_000;

/** Name and inputs of a provider, as sent by the engine. */
export interface ProviderSettings {
  /** Logical name of an explicit provider. Undefined for the default provider. */
  readonly name: string | undefined;
  readonly inputs: PropertyMap;
}

interface SettingsProcess {
  readonly environment: Environment;
  /** Settings from the engine's Configure; undefined before. */
  readonly configured: ProviderSettings | undefined;
}

/** Logical name of a provider declared by the program. Pulumi's own are called `default…`. */
export function explicitName(name: string | undefined): string | undefined {
  return name === undefined || /^default(?:_|$)/.test(name) ? undefined : name;
}

/**
 * Reports invalid inputs of a provider declared by the program. The values themselves are checked
 * on use by a resource or a function. The default provider has all settings of the namespace, also
 * those that a program names or, in a project called `browser-infra`, its own. So only a misspelled
 * setting is invalid there.
 */
export function settingsProblems({ name, inputs }: ProviderSettings): CheckFailure[] {
  if (name === undefined) {
    const reason = misspelledSetting(Object.keys(inputs).map((input) => `browser-infra:${input}`));
    return reason === undefined ? [] : [{ property: "", reason }];
  }
  const failures: CheckFailure[] = [];
  for (const [property, value] of Object.entries(inputs)) {
    if (property.startsWith("__") || pulumiInputs.includes(property)) {
      continue;
    }
    if (!(settingNames as readonly string[]).includes(property)) {
      const reason = `The provider has no setting "${property}". Its settings are ${settingNames.join(", ")}.`;
      failures.push({ property, reason });
    } else if (typeof value !== "string" && value !== unknownValue) {
      failures.push({ property, reason: `"${property}" of a provider must be a string.` });
    }
  }
  const variable = inputs.apiKeyFromEnv;
  const problem =
    typeof variable === "string" ? secretPlaceProblem("env", variable, "browser-infra") : undefined;
  if (problem !== undefined) {
    failures.push({ property: "apiKeyFromEnv", reason: `The "apiKeyFromEnv" of a provider ${problem}` });
  }
  const keys = settingNames.filter((each) => each.startsWith("apiKey") && inputs[each] !== undefined);
  const [, second] = keys;
  if (second !== undefined) {
    const given = keys.map((key) => `"${key}"`).join(" and ");
    failures.push({ property: second, reason: `${given} are given. Give only one.` });
  }
  return failures;
}

/**
 * Reads the configuration of a provider by the keys of the stack configuration, for
 * `resolveSettings`.
 *
 * For a refresh and a destroy, the engine configures the default provider with the key in the
 * state, which may have been rotated since. The environment of the process contains today's stack
 * configuration. Today's key wins if today's address is the address of the provider.
 */
export function configurationOf(
  { name, inputs }: ProviderSettings,
  environment: Environment,
): (key: string) => string | undefined {
  const given = (setting: string) => textOf(inputs[setting]);
  const currentSetting = (setting: string) => stackSetting(setting, environment);
  const isSameAddress = currentSetting("baseUrl") === given("baseUrl");
  return (key) => {
    const setting = key.replace(/^browser-infra:/, "");
    if (name === undefined) {
      // A project called "browser-infra" has its own settings in the same namespace.
      const isOurs = ["apiKey", "baseUrl", "projectId"].includes(setting);
      const rotated = setting === "apiKey" && isSameAddress ? currentSetting(setting) : undefined;
      return isOurs ? (rotated ?? given(setting)) : undefined;
    }
    switch (key) {
      case providerInputs.name:
        return name;
      case providerInputs.keyVariable:
        return given("apiKeyFromEnv");
      case providerInputs.keySetting:
        return given("apiKeyFromConfig");
      case given("apiKeyFromConfig"):
        return currentSetting(setting);
      default:
        return given(setting);
    }
  };
}

/** Keys of the stack configuration that the default provider reads today; none for an explicit one. */
export function configurationKeysOf({ name }: ProviderSettings, environment: Environment): readonly string[] {
  return name === undefined
    ? [...stackSettings(environment).keys()].map((setting) => `browser-infra:${setting}`)
    : [];
}

/**
 * Whether today's key would win over the key in the state, see {@link configurationOf}, but belongs to
 * a different organization. With today's key, a refresh would count every object as gone. False unless
 * the service reports both owners: the key in the state may be revoked.
 */
export async function isForeignToState(
  provider: ProviderSettings,
  environment: Environment,
): Promise<boolean> {
  const { name, inputs } = provider;
  const apiKey = configurationOf(provider, environment)("browser-infra:apiKey");
  if (inputs.apiKey === undefined || apiKey === undefined || apiKey === inputs.apiKey) {
    return false;
  }
  const today = { name, inputs: { ...inputs, apiKey } };
  return hasOtherOwner(provider, today, { environment, configured: provider }, () => {});
}

/**
 * Compares the settings of a provider, and decides whether the resources must move. A different
 * address moves resources, and so do two keys of different organizations. Unset settings come from
 * the environment, which may differ from machine to machine, and therefore move nothing. A
 * different project moves nothing either: a resource stays in the project of its creation.
 *
 * `olds`: possibly the settings of the provider of dynamic resources, for a program that moves to
 * the plugin. `notCompared` is called if the owners of two keys stay unknown: {@link canSendKey}
 * forbids the query.
 */
export async function compareSettings(
  olds: PropertyMap,
  news: ProviderSettings,
  process: SettingsProcess,
  notCompared: () => void,
): Promise<DiffResult> {
  const before = { name: news.name, inputs: fromDynamicProvider(olds) };
  const changed = settingNames.filter((name) => !isDeepStrictEqual(before.inputs[name], news.inputs[name]));
  const replaces: string[] = [];
  const [oldAddress, newAddress] = [before, news].map(({ inputs }) => addressOf(inputs.baseUrl));
  if (oldAddress !== undefined && newAddress !== undefined && oldAddress !== newAddress) {
    replaces.push("baseUrl");
  } else if (
    changed.some((name) => name.startsWith("apiKey")) &&
    (await hasOtherOwner(before, news, process, notCompared))
  ) {
    replaces.push(changed.find((name) => name.startsWith("apiKey")) ?? "apiKey");
  }
  return { changes: changed.length > 0, replaces };
}

/**
 * Converts the inputs of the provider of dynamic resources to the names of our inputs. Such inputs
 * have the namespace, and come from the stack configuration or from our `Provider` class.
 */
function fromDynamicProvider(inputs: PropertyMap): PropertyMap {
  const prefix = "browser-infra:";
  if (!Object.keys(inputs).some((key) => key.startsWith(prefix))) {
    return inputs;
  }
  const own = Object.entries(inputs).filter(([key]) => key.startsWith(prefix));
  return Object.fromEntries(own.map(([key, value]) => [key.slice(prefix.length), value]));
}

function addressOf(value: PropertyValue | undefined): string | undefined {
  try {
    return typeof value === "string" ? parseBaseUrl(value) : undefined;
  } catch {
    return undefined;
  }
}

/** Whether two keys belong to different organizations. False unless the service reports both. */
async function hasOtherOwner(
  before: ProviderSettings,
  now: ProviderSettings,
  process: SettingsProcess,
  notCompared: () => void,
): Promise<boolean> {
  const sides = [before, now].map((provider) => comparedSettings(provider, process.environment));
  if (!sides.every((side) => side === undefined || canSendKey(side, process))) {
    notCompared();
    return false;
  }
  const accounts = new Accounts();
  const signal = AbortSignal.timeout(ownerQueryMsMax);
  const owners = await Promise.all(
    sides.map(async (side) => {
      try {
        return side && (await accounts.clientFor(side).authContext({ signal })).organizationId;
      } catch (error) {
        return ignoreOwnError(error);
      }
    }),
  );
  const [old, present] = owners;
  return old !== undefined && present !== undefined && old !== present;
}

/** Settings of a side of a comparison. */
interface ComparedSettings extends Settings {
  /** Whether the key is in the call of the engine itself, and not from the environment. */
  readonly isKeyFromCall: boolean;
}

/**
 * Resolves settings with the very key of the inputs: in a comparison, today's configuration must
 * not win. Undefined for incomplete or malformed settings.
 */
function comparedSettings(
  provider: ProviderSettings,
  environment: Environment,
): ComparedSettings | undefined {
  const apiKey = textOf(provider.inputs.apiKey);
  const explicit = apiKey === undefined ? {} : { apiKey };
  try {
    const configuration = configurationOf(provider, environment);
    const settings = resolveSettings({ explicit, configuration, environment });
    return { ...settings, isKeyFromCall: apiKey !== undefined };
  } catch (error) {
    return ignoreOwnError(error);
  }
}

/**
 * Whether a key may be sent to the address of its side. Not every system shows who calls the plugin,
 * and a call may contain any address. A key in the call is known to the caller. A key from the environment of the
 * process goes only to the address of the run. Before Configure, the address in the environment
 * counts, which no caller can choose.
 */
function canSendKey({ apiKey, baseUrl, isKeyFromCall }: ComparedSettings, process: SettingsProcess): boolean {
  if (isKeyFromCall) {
    return true;
  }
  const { environment, configured } = process;
  const ofStack = stackSetting("baseUrl", environment);
  const own: ProviderSettings = {
    name: undefined,
    inputs: ofStack === undefined ? {} : { baseUrl: ofStack },
  };
  const configuration = configurationOf(configured ?? own, environment);
  try {
    return resolveSettings({ explicit: { apiKey }, configuration, environment }).baseUrl === baseUrl;
  } catch (error) {
    return ignoreOwnError(error) ?? false;
  }
}

function textOf(value: PropertyValue | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Returns undefined for an error of this package. Throws any foreign error. */
function ignoreOwnError(error: unknown): undefined {
  if (!(error instanceof BrowserInfraError)) {
    throw error;
  }
}
