import type { Call } from "./call.js";
import type { NoteOrigin } from "./journal/schemas.js";

/** The notes of one kind of resource, about what it created. */
interface CreatorNotes {
  leftovers(): readonly { readonly note: NoteOrigin }[];
  forgetAnswers(): void;
  undone(): void;
  conclude(): void;
}

/** The end of a deployment, for one kind of resource. */
interface EndOfDeployment {
  /** The notes of the resource that a call is about. */
  readonly notesOf: (call: Call) => CreatorNotes;
  /** Whether this deployment has met the resource. What earlier ones noted of it then stays. */
  readonly knows: (urn: string | undefined) => boolean;
  /** Undefined when nobody knows whether it was a preview or a deployment. */
  readonly isUpdate: boolean | undefined;
  /** Deletes what earlier deployments created of the resource that the call is about. */
  readonly undo: (theirs: Call) => Promise<void>;
}

/**
 * Ends a deployment: its notes say that it ended by itself, and an update undoes what earlier
 * deployments left of resources that the program no longer declares.
 */
export async function undoLeftovers(
  call: Call,
  { notesOf, knows, isUpdate, undo }: EndOfDeployment,
): Promise<void> {
  await concludeNotes(notesOf(call), isUpdate, async (note) => {
    if (knows(note.urn)) {
      return;
    }
    const theirs = call.about(note.urn);
    if (note.concluded === true) {
      notesOf(theirs).forgetAnswers();
    }
    if (isUpdate === true) {
      await undo(theirs);
      notesOf(theirs).undone();
    }
  });
}

/** Notes that a deployment ended by itself. Unless it was a preview, settles what others left. */
async function concludeNotes<Note>(
  notes: { leftovers(): readonly { readonly note: Note }[]; conclude(): void },
  isUpdate: boolean | undefined,
  settle: (note: Note) => Promise<void>,
): Promise<void> {
  const leftovers = notes.leftovers();
  notes.conclude();
  if (isUpdate === false) {
    return;
  }
  for (const { note } of leftovers) {
    await settle(note);
  }
  // What was noted meanwhile is this deployment's as well.
  notes.conclude();
}
