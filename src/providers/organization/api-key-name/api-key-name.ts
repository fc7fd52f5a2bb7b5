import type { ApiKey } from "../../../client/index.js";
import { dateTimeMs } from "../../../text/date-time.js";
import { quote } from "../../../text/escape.js";
import type { BorrowedSettings, Values } from "../../core/borrowed/declaration.js";
import { borrowedKind } from "../../core/borrowed/lifecycle.js";
import {
  type ApiKeyNameInputs,
  type ApiKeyNameState,
  apiKeyNameFailures,
  apiKeyNameInputs,
  apiKeyNameState,
  liveProperties,
} from "./properties.js";
import { findKey, listedKeys, nameKey, noSuchKey } from "./rename.js";

/** The name of an existing API key. Keys are never created and never deleted. */
const keyName: BorrowedSettings<ApiKeyNameInputs, ApiKeyNameState, ApiKey> = {
  resource: "ApiKeyName",
  noun: "API key",
  settingsNoun: "name",
  describe: ({ name }) => quote(String(name)),
  idInput: "keyId",
  inputs: apiKeyNameInputs,
  state: apiKeyNameState,
  failures: apiKeyNameFailures,
  list: listedKeys,
  find: async (id, call) => {
    const { key, whyGone = "" } = await findKey(id, call);
    return key ?? whyGone;
  },
  require: async (id, call) => {
    const { key, whyGone = "" } = await findKey(id, call);
    if (key === undefined) {
      throw await noSuchKey(id, whyGone, call);
    }
    return key;
  },
  send: (id, { name }, call) => nameKey(id, String(name), call),
  liveValues: ({ name }) => nameValues(name),
  declaredValues: ({ name }) => nameValues(name),
  stateValues: ({ name }) => nameValues(name),
  assignedValues: (state) => nameValues(assignedName(state)),
  previousValues: ({ previousName }) => nameValues(previousName),
  stateOf: (inputs, live, { name }) => ({ ...inputs, ...liveProperties(live), previousName: String(name) }),
  readState: (id, live, known, isImport) => ({
    state: {
      ...liveProperties(live),
      previousName: isImport ? live.name : known?.previousName,
      // Without `setName`, a delete would take a name set outside of this program for ours.
      setName: known === undefined || assignedName(known) === live.name ? undefined : assignedName(known),
    },
    inputs: { keyId: id, name: live.name },
  }),
  readWarning: ({ id, name, expiresAt }) =>
    (dateTimeMs(expiresAt ?? "") ?? Number.POSITIVE_INFINITY) > Date.now()
      ? undefined
      : `API key ${quote(name)} (${id}) expired on ${expiresAt}: the service refuses requests with this key.`,
  advice:
    "Always set the resource option `deleteBeforeReplace` to true. Otherwise, a forced replacement " +
    "(`--replace`, `pulumi state taint`) records the name set by this resource as the previous " +
    "name. A warning shows the original name.",
};

function assignedName({ name, setName = name }: ApiKeyNameState): string | undefined {
  return setName;
}

function nameValues(name: string | undefined): Values {
  return name === undefined ? {} : { name };
}

/** Names of existing API keys, for the bridges. */
export const apiKeyNameKind = borrowedKind(keyName);
