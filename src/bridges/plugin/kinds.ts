import { apiKeyInputs, apiKeyState } from "../../providers/api-key/properties.js";
import { apiKeyNameInputs, apiKeyNameState } from "../../providers/api-key-name/properties.js";
import { browserPoolInputs, browserPoolState } from "../../providers/browser-pool/properties.js";
import { extensionInputs, extensionState } from "../../providers/extension/properties.js";
import { loginFlowInputs, loginFlowState } from "../../providers/login-flow/properties.js";
import { projectInputs, projectState } from "../../providers/project/properties.js";
import { limitsInputs, limitsState } from "../../providers/project-limits/properties.js";
import type { Properties, PropertyMap } from "../../providers/properties.js";
import type { ResourceKind } from "../dynamic/contract.js";

/** What the plugin needs to know of a kind of resource besides its life cycle. */
export interface KindFacts {
  readonly inputs: Properties;
  /** Everything that the state keeps. */
  readonly state: Properties;
  /** Outputs that whoever sees them could misuse. The engine encrypts them and shows none. */
  readonly secretOutputs: readonly string[];
  /** Outputs that nobody knows before the resource exists. */
  readonly fromService: readonly string[];
  /** Members of the state that only the life cycle reads. They are no outputs. */
  readonly internal: readonly string[];
  /** The life cycle keeps the limit of a create itself, because it can say more when it passes. */
  readonly keepsCreateLimit: boolean;
}

/** The kinds of resource by the name that follows `browser-infra:index:` in their type token. */
export const kinds: Readonly<Record<ResourceKind, KindFacts>> = {
  Extension: {
    inputs: extensionInputs,
    state: extensionState,
    secretOutputs: [],
    // Without a name of its own, an adopted extension keeps the one that it has.
    fromService: ["createdAt", "name"],
    internal: ["path", "exclude", "adopt", "unfinished"],
    keepsCreateLimit: false,
  },
  ApiKeyName: {
    inputs: apiKeyNameInputs,
    state: apiKeyNameState,
    secretOutputs: [],
    fromService: namesBut(apiKeyNameState, apiKeyNameInputs),
    internal: ["setName"],
    keepsCreateLimit: false,
  },
  ApiKey: {
    inputs: apiKeyInputs,
    state: apiKeyState,
    secretOutputs: ["key"],
    fromService: namesBut(apiKeyState, apiKeyInputs),
    internal: ["daysToExpire", "rotateBeforeDays", "triggers", "keepOldKeyDays", "unfinished"],
    keepsCreateLimit: false,
  },
  LoginFlow: {
    inputs: loginFlowInputs,
    state: loginFlowState,
    secretOutputs: ["hostedUrl", "liveViewUrl"],
    fromService: namesBut(loginFlowState, loginFlowInputs),
    internal: ["timeout", "triggers", "onFailure"],
    keepsCreateLimit: true,
  },
  Project: {
    inputs: projectInputs,
    state: projectState,
    secretOutputs: [],
    fromService: namesBut(projectState, projectInputs),
    internal: [],
    keepsCreateLimit: false,
  },
  ProjectLimits: {
    inputs: limitsInputs,
    state: limitsState,
    secretOutputs: [],
    fromService: [],
    internal: ["previous", "set"],
    keepsCreateLimit: false,
  },
  BrowserPool: {
    inputs: browserPoolInputs,
    state: browserPoolState,
    secretOutputs: [],
    fromService: ["createdAt"],
    internal: [
      "rebuildIdleBrowsersOnUpdate",
      "forceDelete",
      "waitForAvailable",
      "serviceViewport",
      "unfinished",
    ],
    keepsCreateLimit: false,
  },
};

function namesBut(all: Properties, some: Properties): string[] {
  return Object.keys(all.types).filter((name) => !Object.hasOwn(some.types, name));
}

const tokenPattern = /^browser-infra:index:([A-Za-z]+)$/;

/** The name at the end of a token of this package; undefined for any other token. */
export function nameInToken(token: string): string | undefined {
  return tokenPattern.exec(token)?.[1];
}

/** The kind of resource that a token of this package names; undefined for any other token. */
export function kindIn(token: string): ResourceKind | undefined {
  const name = nameInToken(token);
  return name !== undefined && Object.hasOwn(kinds, name) ? (name as ResourceKind) : undefined;
}

/** The outputs of a kind: what a program can read of it. */
export function outputsOf({ state, internal }: KindFacts): string[] {
  return Object.keys(state.types).filter((name) => !internal.includes(name));
}

/**
 * The outputs of a resource type, with null for each that has no value: a program would see one
 * that is missing as unknown in every preview, and with it everything that depends on it.
 */
export function withEveryOutput(token: string, outputs: PropertyMap): PropertyMap {
  const kind = kindIn(token);
  const names = kind === undefined ? [] : outputsOf(kinds[kind]);
  return { ...Object.fromEntries(names.map((name) => [name, null])), ...outputs };
}

/** The outputs of a resource type that are secret. */
export function secretOutputsOf(token: string): readonly string[] {
  const kind = kindIn(token);
  return kind === undefined ? [] : kinds[kind].secretOutputs;
}
