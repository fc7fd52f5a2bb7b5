import { isDeepStrictEqual } from "node:util";
import { parseBaseUrl, providerInputs, resolveSettings, type Settings } from "../../config.js";
import { BrowserInfraError } from "../../errors.js";
import { Accounts } from "../../providers/call.js";
import type { CheckFailure, DiffResult } from "../../providers/lifecycle.js";
import { ownSetting } from "../../providers/own-setting.js";
import { type PropertyMap, type PropertyValue, unknownValue } from "../../providers/properties.js";

type Environment = Readonly<Record<string, string | undefined>>;

/** The inputs of a provider. */
const settingNames = ["apiKey", "baseUrl", "projectId", "apiKeyFromEnv", "apiKeyFromConfig"] as const;

/** Inputs that Pulumi adds to every provider. */
const pulumiInputs: readonly string[] = ["version", "pluginDownloadURL"];

/** How long the comparison of two keys may ask the service. Milliseconds. */
const askMsMax = 5_000;

/** A provider as the engine names it. */
export interface ProviderSettings {
  /** Logical name of an explicit provider. Undefined for the default one. */
  readonly name: string | undefined;
  readonly inputs: PropertyMap;
}

/** The process that compares settings. */
interface SettingsProcess {
  readonly environment: Environment;
  /** Settings that the engine configured the process with; undefined before Configure. */
  readonly configured: ProviderSettings | undefined;
}

/** The logical name of a provider that the program declares. Pulumi calls its own `default…`. */
export function explicitName(name: string | undefined): string | undefined {
  return name === undefined || /^default(?:_|$)/.test(name) ? undefined : name;
}

/**
 * What is wrong with the inputs of a provider that the program declares. The values themselves are
 * checked when a resource or a function uses them. The default provider may have inputs that are
 * not ours: all settings of a stack whose project is called `browser-infra`.
 */
export function settingsProblems({ name, inputs }: ProviderSettings): CheckFailure[] {
  if (name === undefined) {
    return [];
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
  const keys = settingNames.filter((each) => each.startsWith("apiKey") && inputs[each] !== undefined);
  const [, second] = keys;
  if (second !== undefined) {
    const given = keys.map((key) => `"${key}"`).join(" and ");
    failures.push({ property: second, reason: `${given} are given. Give one of them.` });
  }
  return failures;
}

/**
 * Reads the configuration of a provider by the names of the stack configuration, as
 * `resolveSettings` asks for it.
 *
 * For a refresh and a destroy, the engine configures the default provider with the key that the
 * state has, which may have been rotated since. Today's stack configuration is in the environment
 * of this process. Its key counts as long as it is for the same address.
 */
export function configurationOf(
  { name, inputs }: ProviderSettings,
  environment: Environment,
): (key: string) => string | undefined {
  const given = (setting: string) => textOf(inputs[setting]);
  const ofToday = (setting: string) => ownSetting(setting, environment);
  const isSameAddress = ofToday("baseUrl") === given("baseUrl");
  return (key) => {
    const setting = key.replace(/^browser-infra:/, "");
    if (name === undefined) {
      // A project that is called "browser-infra" has its own settings in the same namespace.
      const isOurs = ["apiKey", "baseUrl", "projectId"].includes(setting);
      const rotated = setting === "apiKey" && isSameAddress ? ofToday(setting) : undefined;
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
        return ofToday(setting);
      default:
        return given(setting);
    }
  };
}

/**
 * How the settings of a provider changed, and whether its resources must move. They must when the
 * address is another one, and when the two keys belong to different organizations. What is not set
 * comes from the environment, which may differ from machine to machine, so it moves nothing. Nor
 * does another project: a resource stays in the project that it was created in.
 *
 * `olds` may be those of the provider of dynamic resources, when a program comes over from there.
 * `notCompared` is called when the owners of two keys stay unknown, because {@link mayAsk} forbids
 * the question.
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
    (await isOtherOwner(before, news, process, notCompared))
  ) {
    replaces.push(changed.find((name) => name.startsWith("apiKey")) ?? "apiKey");
  }
  return { changes: changed.length > 0, replaces };
}

/**
 * The settings that the provider of dynamic resources had, by the names of ours. Its inputs are the
 * stack configuration with the namespace, or what our `Provider` class gave it.
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

/** Whether two keys belong to different organizations, as far as the service says so. */
async function isOtherOwner(
  before: ProviderSettings,
  now: ProviderSettings,
  process: SettingsProcess,
  notCompared: () => void,
): Promise<boolean> {
  const sides = [before, now].map((provider) => settingsAsWritten(provider, process.environment));
  if (!sides.every((side) => side === undefined || mayAsk(side, process))) {
    notCompared();
    return false;
  }
  const accounts = new Accounts();
  const signal = AbortSignal.timeout(askMsMax);
  const owners = await Promise.all(
    sides.map(async (side) => {
      try {
        return side && (await accounts.clientFor(side).authContext({ signal })).organizationId;
      } catch (error) {
        return ours(error);
      }
    }),
  );
  const [old, present] = owners;
  return old !== undefined && present !== undefined && old !== present;
}

/** Settings of one side of a comparison. */
interface SettingsAsWritten extends Settings {
  /** Whether the key is in the call of the engine itself. */
  readonly hasKeyOfCall: boolean;
}

/**
 * The settings with the very key of these inputs: here, today's configuration must not win.
 * Undefined when they are incomplete or malformed.
 */
function settingsAsWritten(
  provider: ProviderSettings,
  environment: Environment,
): SettingsAsWritten | undefined {
  const apiKey = textOf(provider.inputs.apiKey);
  const explicit = apiKey === undefined ? {} : { apiKey };
  try {
    const configuration = configurationOf(provider, environment);
    const settings = resolveSettings({ explicit, configuration, environment });
    return { ...settings, hasKeyOfCall: apiKey !== undefined };
  } catch (error) {
    return ours(error);
  }
}

/**
 * Whether a key may be sent to the address of its side. Anyone on the machine can call the plugin,
 * with any address. A key in the call is known to the caller. A key that this process reads from
 * its environment goes only to the address of the run. Before Configure, that is the address in the
 * environment itself, which no caller can choose.
 */
function mayAsk({ apiKey, baseUrl, hasKeyOfCall }: SettingsAsWritten, process: SettingsProcess): boolean {
  if (hasKeyOfCall) {
    return true;
  }
  const { environment, configured } = process;
  const ofStack = ownSetting("baseUrl", environment);
  const own: ProviderSettings = {
    name: undefined,
    inputs: ofStack === undefined ? {} : { baseUrl: ofStack },
  };
  const configuration = configurationOf(configured ?? own, environment);
  try {
    return resolveSettings({ explicit: { apiKey }, configuration, environment }).baseUrl === baseUrl;
  } catch (error) {
    return ours(error) ?? false;
  }
}

function textOf(value: PropertyValue | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Undefined for an error of this package. Throws any other. */
function ours(error: unknown): undefined {
  if (!(error instanceof BrowserInfraError)) {
    throw error;
  }
}
