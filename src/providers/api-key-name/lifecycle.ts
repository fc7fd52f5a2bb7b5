import type { ApiKey } from "../../client/index.js";
import { isNotFound } from "../../client/refusals.js";
import { ApiError, InputError } from "../../errors.js";
import { dateTimeMs } from "../../text/date-time.js";
import { quote } from "../../text/escape.js";
import type { Accounts, Call } from "../call.js";
import type { BorrowedSettings } from "../core/borrowed/declaration.js";
import { BorrowedLifecycle } from "../core/borrowed/lifecycle.js";
import type { Values } from "../core/entries.js";
import {
  type ApiKeyNameInputs,
  type ApiKeyNameState,
  apiKeyNameFailures,
  apiKeyNameInputs,
  apiKeyNameState,
  liveProperties,
} from "./properties.js";
import { findKey, nameKey, noSuchKey } from "./rename.js";

/** The name of an existing API key. Keys are never created and never deleted. */
const keyName: BorrowedSettings<ApiKeyNameInputs, ApiKeyNameState, ApiKey> = {
  resource: "ApiKeyName",
  kind: "api-key-name",
  idInput: "keyId",
  inputs: apiKeyNameInputs,
  state: apiKeyNameState,
  failures: apiKeyNameFailures,
  complete: (news) => {
    const inputs = apiKeyNameInputs.readDeclared(news);
    return { ...inputs, onDelete: inputs.onDelete ?? "restore" };
  },
  isPreviewed: (inputs, olds) => inputs.keyId === olds.keyId && inputs.name === olds.name,
  isSame: (state, inputs) => inputs.name === state.name && inputs.onDelete === state.onDelete,
  onDelete: ({ onDelete }) => onDelete,
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
  explained,
  live: ({ name }) => named(name),
  wanted: ({ name }) => named(name),
  values: ({ name }) => named(name),
  set: ({ name }) => named(name),
  previous: ({ previousName }) => named(previousName),
  isManaged: ({ name }) => name !== undefined,
  stateOf: (inputs, live, { name }) => ({ ...inputs, ...liveProperties(live), previousName: String(name) }),
  readState: (id, live, known, isImport) => ({
    state: {
      ...liveProperties(live),
      onDelete: known === undefined && !isImport ? undefined : (known?.onDelete ?? "restore"),
      previousName: isImport ? live.name : known?.previousName,
    },
    inputs: { keyId: id, name: live.name, onDelete: known?.onDelete ?? "restore" },
  }),
  texts: {
    rival: (id, rival) =>
      `Two resources of this program name the API key "${id}"; the other one is ${rival}. Remove one of them.`,
    unchanged: (id, { name }, previous) =>
      `API key ${id} already has the name ${quote(name)}; nothing was sent. ${
        previous.name === name
          ? "Deleting this resource will leave it as it is."
          : `Before this program named it, it was ${quote(String(previous.name))}.`
      }`,
    gone: (id, why) => `API key ${id} is gone: ${why}.`,
    goneBefore: (id, why) => `API key ${id} is gone, so its previous name was not restored: ${why}.`,
    drift: (id, known, { name }) =>
      known.name === undefined || known.name === name
        ? []
        : [`API key ${id} was renamed outside of this program: from ${quote(known.name)} to ${quote(name)}.`],
    handedOn: (id, { name }) =>
      `API key ${id} keeps its name: another resource of this program now sets its name.${name === undefined ? "" : ` Its previous name was ${quote(String(name))}.`}`,
    restored: (id, { name }) => `API key ${id} has its previous name again: ${quote(String(name))}.`,
    changedOutside: (id, _name, { set, now, before }) =>
      `API key ${id} was renamed outside of this program, from ${quote(String(set))} to ${quote(String(now))}. It keeps that name; its previous name, ${quote(String(before))}, was not restored.`,
    interrupted: (id) =>
      `The renaming of API key ${id} was interrupted, and the key has its old name or the new one.`,
    unnoted: (id) =>
      `API key ${id} had this name already, and the journal says nothing about it. If an interrupted deployment of this stack gave it and its journal is gone, it now passes for the previous name, and deleting this resource will not restore the original one. Otherwise nothing is wrong.`,
    unclaimed: (id, { name }) =>
      `An earlier deployment of this stack named API key ${id}, and this one does not declare that. If its resource is in the state, as with "--target", nothing is wrong. Otherwise nothing manages the name: before, it was ${quote(String(name))}.`,
    concern: ({ id, name, expiresAt }) =>
      (dateTimeMs(expiresAt ?? "") ?? Number.POSITIVE_INFINITY) > Date.now()
        ? undefined
        : `API key ${quote(name)} (${id}) expired on ${expiresAt}: requests with it are refused.`,
  },
};

async function explained(id: string, error: unknown, isLeaving: boolean, call: Call): Promise<unknown> {
  if (isNotFound(error)) {
    const { whyGone } = await findKey(id, call);
    return whyGone === undefined ? error : noSuchKey(id, whyGone, call);
  }
  return isLeaving && (error instanceof InputError || (error instanceof ApiError && error.status === 400))
    ? error.withAdvice(
        'Set "onDelete" to "keep" and deploy, then delete the resource: the key keeps its name.',
      )
    : error;
}

function named(name: string | undefined): Values {
  return name === undefined ? {} : { name };
}

/** The life cycle of the name of an existing API key. */
export class ApiKeyNameLifecycle extends BorrowedLifecycle<ApiKeyNameInputs, ApiKeyNameState, ApiKey> {
  constructor(accounts?: Accounts) {
    super(keyName, accounts);
  }
}
