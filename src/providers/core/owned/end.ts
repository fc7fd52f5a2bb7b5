import type { Call } from "../../call.js";
import { isOpen, isToSeek, type NotedEntry } from "../entries.js";
import type { Run } from "../run.js";
import type { LiveObject, Named } from "./declaration.js";
import type { OwnedObjects } from "./objects.js";

/**
 * Whether an update must undo an entry of a resource that nobody declares any more: what a killed
 * deployment created, and what got no answer. No state can have that.
 */
function isToUndo(entry: NotedEntry): boolean {
  return entry.op === "create" && isOpen(entry) && isToSeek(entry);
}

/** Whether an update must undo something at its end that its program does not declare. */
export function hasLeftovers<In extends Named, St extends Named, Live extends LiveObject>(
  run: Run,
  objects: OwnedObjects<In, St, Live>,
  call: Call,
): boolean {
  return objects
    .entries(call)
    .leftovers()
    .some((entry) => isToUndo(entry) && !run.knows(entry.urn));
}

/**
 * Ends a deployment. An update undoes what killed deployments left of resources that nobody
 * declares any more, and tells what others left.
 */
export async function endOwned<In extends Named, St extends Named, Live extends LiveObject>(
  isUpdate: boolean | undefined,
  run: Run,
  objects: OwnedObjects<In, St, Live>,
  call: Call,
): Promise<void> {
  const entries = objects.entries(call);
  const leftovers = entries.leftovers().filter(({ urn }) => !run.knows(urn));
  entries.conclude();
  if (isUpdate !== true) {
    return;
  }
  entries.forgetRemoved();
  // What is deleted gets an entry in place of that of an earlier change.
  for (const entry of leftovers.filter((each) => !isToUndo(each))) {
    await tell(entry, objects, call.about(entry.urn));
  }
  for (const entry of leftovers.filter(isToUndo)) {
    await objects.clear(entry, [], call.about(entry.urn));
  }
  // What was noted meanwhile is this deployment's as well.
  entries.conclude();
}

/**
 * An entry that this update did not meet. Its resource may be in the state all the same, which a
 * run with `--target` does not show. The second such update forgets the entry.
 */
async function tell<In extends Named, St extends Named, Live extends LiveObject>(
  entry: NotedEntry,
  objects: OwnedObjects<In, St, Live>,
  call: Call,
): Promise<void> {
  const entries = objects.entries(call);
  if (entry.isUnclaimed === true) {
    entries.drop(entry);
    return;
  }
  const live =
    entry.op === "create" && entry.id !== undefined ? await objects.findCreated(entry, call) : undefined;
  if (live !== undefined) {
    call.context.report.warning(objects.texts.unclaimed(live));
  }
  entries.update(entry, { isUnclaimed: true });
}
