import type { BrowserInfraClient } from "../../../client/index.js";
import { isMissingOperation, isNotFound } from "../../../client/not-found.js";
import { ConflictError } from "../../../errors.js";
import { maskedKey } from "../../../text/redact.js";
import type { Call } from "../../call.js";

/** Id of the API key of the deployment, by account client. A run has clients of its own, one per account. */
const ownIds = new WeakMap<BrowserInfraClient, Promise<string | undefined>>();

/** Remedies by refused action, each as the end of a sentence. */
const remedies = {
  rotate: 'remove the inputs that cause the rotation ("triggers", "rotateBeforeDays" or "daysToExpire")',
  delete: 'remove the resource from the state with "pulumi state delete", which keeps the key',
  restrict: 'remove the change of "policy"',
};

/** Throws `own_api_key` for the key of this deployment, which the deployment needs to finish. */
export async function refuseOwnKey(
  key: { readonly id: string; readonly maskedKey?: string | null | undefined },
  what: keyof typeof remedies,
  call: Call,
): Promise<void> {
  if (!(await isOwnKey(key, call))) {
    return;
  }
  const { origins } = call.settings;
  throw new ConflictError(
    "own_api_key",
    `This deployment uses API key ${key.id} (${origins.apiKey}), so the key was not ${what.replace(/e?$/, "ed")}: ` +
      `the deployment would lose access. Deploy with another API key, or ${remedies[what]}.`,
  );
}

/** Compares ids, or without `GET /auth/context` the masked secrets. */
async function isOwnKey(
  { id, maskedKey: mask }: Parameters<typeof refuseOwnKey>[0],
  call: Call,
): Promise<boolean> {
  const { account } = call;
  let ownId = ownIds.get(account);
  if (ownId === undefined) {
    ownId = call
      .clientFor(undefined)
      .authContext(call.options)
      .then(({ credentialId }) => credentialId ?? undefined);
    ownIds.set(account, ownId);
    // The next caller repeats a failed read.
    ownId.catch(() => ownIds.delete(account));
  }
  try {
    return (await ownId) === id;
  } catch (error) {
    if (isMissingOperation(error) || isNotFound(error)) {
      return mask === maskedKey(call.settings.apiKey);
    }
    throw error;
  }
}
