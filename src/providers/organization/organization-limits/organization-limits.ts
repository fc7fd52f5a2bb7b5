import { isDeepStrictEqual } from "node:util";
import type { OrganizationLimits } from "../../../client/index.js";
import { LookupError } from "../../../errors.js";
import type { Call } from "../../call.js";
import type { BorrowedSettings, Values } from "../../core/borrowed/declaration.js";
import { borrowedKind } from "../../core/borrowed/lifecycle.js";
import { organizationOf } from "../../reads/lists.js";
import { forcedReplacementAdvice } from "../caps.js";
import {
  type OrganizationLimitsInputs,
  type OrganizationLimitsState,
  organizationLimitsFailures,
  organizationLimitsInputs,
  organizationLimitsState,
} from "./properties.js";

/** Cap in inputs, a state or a response. */
interface Cap {
  readonly defaultProjectMaxConcurrentSessions?: number | null | undefined;
}

const valuesOf = ({ defaultProjectMaxConcurrentSessions: cap = null }: Cap): Values => ({
  defaultProjectMaxConcurrentSessions: cap,
});
/** Cap in the form of the state file: no value means no cap. */
const stored = ({ defaultProjectMaxConcurrentSessions: cap }: Values) => ({
  defaultProjectMaxConcurrentSessions: (cap as number | null | undefined) ?? undefined,
});

/** The only cap of an organization that a request can change. */
const limits: BorrowedSettings<OrganizationLimitsInputs, OrganizationLimitsState, OrganizationLimits> = {
  resource: "OrganizationLimits",
  noun: "organization",
  settingsNoun: "limits",
  describe: ({ defaultProjectMaxConcurrentSessions: cap }) =>
    `defaultProjectMaxConcurrentSessions ${cap ?? "no cap"}`,
  inputs: organizationLimitsInputs,
  state: organizationLimitsState,
  failures: organizationLimitsFailures,
  find: (_id, call) => organizationOf(call).limits(call.options),
  require: requireLimits,
  send: (_id, changes, call) => organizationOf(call).setLimits(changes as Cap, call.options),
  liveValues: valuesOf,
  declaredValues: valuesOf,
  stateValues: valuesOf,
  assignedValues: (state) => valuesOf(state.set ?? state),
  previousValues: ({ previous }) => (previous === undefined ? {} : valuesOf(previous)),
  stateOf: (inputs, _live, previous) => ({ ...inputs, previous: stored(previous) }),
  readState: (_id, live, known, isImport) => {
    const caps = stored(valuesOf(live));
    const wasSet = stored(valuesOf(known?.set ?? known ?? {}));
    const isLookup = known === undefined && !isImport;
    return {
      state: {
        ...caps,
        // After an import, deleting the resource leaves the imported cap.
        previous: isLookup ? undefined : (known?.previous ?? caps),
        // Without `set`, a delete would take a cap set outside of this program for ours.
        set: known !== undefined && !isDeepStrictEqual(caps, wasSet) ? wasSet : undefined,
      },
      inputs: caps,
    };
  },
  advice: forcedReplacementAdvice,
};

/** Reads the limits of the only organization. Throws `LookupError` for any id but `organization`. */
async function requireLimits(id: string, call: Call): Promise<OrganizationLimits> {
  if (id !== limits.noun) {
    const message = `There are no OrganizationLimits with the id "${id}". The organization of the API key is the only one: give the id "${limits.noun}".`;
    throw new LookupError("id_not_found", message);
  }
  return organizationOf(call).limits(call.options);
}

/** Default cap of projects, for the bridges. */
export const organizationLimitsKind = borrowedKind(limits);
