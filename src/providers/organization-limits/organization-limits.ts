import { isDeepStrictEqual } from "node:util";
import type { OrganizationLimits } from "../../client/index.js";
import { LookupError } from "../../errors.js";
import type { Call } from "../call.js";
import { forcedReplacementAdvice } from "../caps.js";
import type { BorrowedSettings, Values } from "../core/borrowed/declaration.js";
import { BorrowedLifecycle } from "../core/borrowed/lifecycle.js";
import type { Kind } from "../lifecycle.js";
import {
  type OrganizationLimitsInputs,
  type OrganizationLimitsState,
  organizationLimitsFailures,
  organizationLimitsInputs,
  organizationLimitsState,
} from "./properties.js";

/** The cap as inputs, a state or an answer say it. */
interface Cap {
  readonly defaultProjectMaxConcurrentSessions?: number | null | undefined;
}

const valuesOf = ({ defaultProjectMaxConcurrentSessions: cap = null }: Cap): Values => ({
  defaultProjectMaxConcurrentSessions: cap,
});
/** The same in the form of the state file, in which no value is no cap. */
const stored = ({ defaultProjectMaxConcurrentSessions: cap }: Values) => ({
  defaultProjectMaxConcurrentSessions: (cap as number | null | undefined) ?? undefined,
});

/** The one cap of an organization that a request can change. */
const limits: BorrowedSettings<OrganizationLimitsInputs, OrganizationLimitsState, OrganizationLimits> = {
  resource: "OrganizationLimits",
  noun: "organization",
  settings: "limits",
  text: ({ defaultProjectMaxConcurrentSessions: cap }) =>
    `defaultProjectMaxConcurrentSessions ${cap ?? "no cap"}`,
  inputs: organizationLimitsInputs,
  state: organizationLimitsState,
  failures: organizationLimitsFailures,
  complete: (news) => {
    const inputs = organizationLimitsInputs.readDeclared(news);
    return { ...inputs, onDelete: inputs.onDelete ?? "restore" };
  },
  find: (_id, { account, options }) => account.organization.limits(options),
  require: requireLimits,
  send: (_id, changes, { account, options }) => account.organization.setLimits(changes as Cap, options),
  live: valuesOf,
  wanted: valuesOf,
  values: valuesOf,
  set: (state) => valuesOf(state.set ?? state),
  previous: ({ previous }) => (previous === undefined ? {} : valuesOf(previous)),
  stateOf: (inputs, _live, previous) => ({ ...inputs, previous: stored(previous) }),
  readState: (_id, live, known, isImport) => {
    const caps = stored(valuesOf(live));
    const wasSet = stored(valuesOf(known?.set ?? known ?? {}));
    const onDelete = known?.onDelete ?? "restore";
    const isLookup = known === undefined && !isImport;
    return {
      state: {
        ...caps,
        onDelete: isLookup ? undefined : onDelete,
        // Of an import, deleting the resource leaves what was there.
        previous: isLookup ? undefined : (known?.previous ?? caps),
        // Otherwise a cap set outside of this program would pass for ours when the resource goes.
        set: known !== undefined && !isDeepStrictEqual(caps, wasSet) ? wasSet : undefined,
      },
      inputs: { ...caps, onDelete },
    };
  },
};

/** There is one organization for each API key, so only a lookup or an import can name another. */
async function requireLimits(id: string, { account, options }: Call): Promise<OrganizationLimits> {
  if (id !== limits.noun) {
    const message = `There are no OrganizationLimits with the id "${id}". The organization of the API key is the only one: give the id "${limits.noun}".`;
    throw new LookupError("id_not_found", message);
  }
  return account.organization.limits(options);
}

/** The default cap of projects, as the bridges drive it. */
export const organizationLimitsKind: Kind = {
  inputs: organizationLimitsInputs,
  state: organizationLimitsState,
  lifecycle: (accounts) => new BorrowedLifecycle(limits, accounts),
  advice: forcedReplacementAdvice,
};
