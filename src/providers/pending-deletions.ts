import {
  type RecoveryOwner,
  readRecoveryJson,
  recoveryFile,
  removeRecoveryFiles,
  writeRecoveryFile,
} from "./journal.js";

/**
 * A note of each deletion under way, in a file. When its end is never seen, because the process is killed or the deployment is
 * canceled, the state still has an extension that may be gone, and no unchanged program would ever ask.
 */
export const pendingDeletions = {
  /** Notes that the deletion of an id is about to be sent. */
  note(owner: RecoveryOwner, id: string): void {
    writeRecoveryFile(fileOf(owner), JSON.stringify(id));
  },

  /** Whether nobody knows how the deletion of this id has ended. */
  has(owner: RecoveryOwner, id: string): boolean {
    return readRecoveryJson(fileOf(owner)) === id;
  },

  /** How it ended is known, or no longer of interest. */
  discard(owner: RecoveryOwner): void {
    removeRecoveryFiles(fileOf(owner));
  },
};

function fileOf(owner: RecoveryOwner): string {
  return recoveryFile(owner, "delete.json");
}
