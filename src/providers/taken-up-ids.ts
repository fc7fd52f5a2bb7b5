import { join } from "node:path";
import { readRecoveryJson, recoveryFolder, removeRecoveryFiles, writeRecoveryFile } from "./journal.js";

/**
 * Ids of extensions that a create of this deployment found instead of uploading them, for the deployment's other provider processes:
 * a resource that is moved from one explicit provider to another is created by the process of the new one and deleted by that of
 * the old one, and with the same content both mean the same extension. Notes of other deployments do not count.
 */
export const takenUpIds = {
  note(id: string, deployment: string): void {
    writeRecoveryFile(fileOf(id), JSON.stringify(deployment));
  },

  /** Whether this deployment has taken the id up. */
  has(id: string, deployment: string): boolean {
    return readRecoveryJson(fileOf(id)) === deployment;
  },

  /** Forgets the id: the deployment that noted it is over, or has seen to the deletion that the note is about. */
  discard(id: string): void {
    removeRecoveryFiles(fileOf(id));
  },
};

function fileOf(id: string): string {
  return join(recoveryFolder, `taken-up-${id.replace(/[^A-Za-z0-9_-]/g, "-").slice(0, 100)}.json`);
}
