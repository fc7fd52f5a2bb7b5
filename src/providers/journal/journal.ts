import { ExtensionNotes } from "./extension-notes.js";
import { JournalFiles, journalPlace } from "./files.js";
import type { JournalOwner } from "./notes.js";

/**
 * What one resource leaves on disk for the next run, should this one be killed or lose a response.
 *
 * Between the service's answer and the engine's write of the state, only the journal knows what was
 * done. So a note lives until a later run has seen its result in the state: a life cycle reports
 * what it is about to do, what the service answered, and what it finds in the state. Only the
 * journal decides what that means for the files.
 *
 * A note whose resource leaves the program is never seen in a state. The end of a deployment finds
 * it: if the deployment that wrote it ended by itself, the state had all answers, and the note is
 * dropped. If it was killed, the life cycle undoes what the note tells of.
 */
export class Journal {
  readonly extension: ExtensionNotes;

  constructor(owner: JournalOwner) {
    this.extension = new ExtensionNotes(new JournalFiles(journalPlace(owner)), owner);
  }
}
