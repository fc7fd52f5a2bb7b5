import { type Call, ignoreNotFound } from "../../call.js";
import type { Entry } from "../entries.js";
import { sendNoted, untilGone } from "../requests.js";
import type { LiveObject, Named } from "./declaration.js";
import type { OwnedObjects } from "./objects.js";

/** Deletes objects of one kind, and notes what it sends. */
export class OwnedDeletions<In extends Named, St extends Named, Live extends LiveObject> {
  readonly #objects: OwnedObjects<In, St, Live>;

  constructor(objects: OwnedObjects<In, St, Live>) {
    this.#objects = objects;
  }

  /** What the entry of a removal says of what the object held, so that it can be made again. */
  async #save(id: string, state: St, call: Call): Promise<Pick<Entry, "archive" | "key">> {
    const entries = this.#objects.entries(call);
    const held = await this.#objects.resource.archive?.(id, state, call);
    if (held === undefined) {
      // An earlier run may have saved it, and deleted the object.
      const { archive, key } = entries.about(id) ?? {};
      return { archive, key };
    }
    return { ...entries.save(id, held.bytes), key: this.#objects.resource.state.write(held.state) };
  }

  /**
   * Deletes an object. One that is gone already counts as deleted. `makesRoom`: its replacement can
   * only be created when it is gone, so what it holds is saved first.
   */
  async remove(
    object: Pick<Live, "id" | "name">,
    state: St,
    call: Call,
    { makesRoom = false } = {},
  ): Promise<void> {
    const { id } = object;
    const { noun, find } = this.#objects.resource;
    const entries = this.#objects.entries(call);
    try {
      await this.#objects.run.objects.run(id, async () =>
        sendNoted(
          entries,
          {
            intent: { op: "remove", id, ...(makesRoom ? await this.#save(id, state, call) : {}) },
            isLeaving: !makesRoom,
            send: async () => {
              await ignoreNotFound(this.#objects.resource.remove(id, state, call));
            },
            answered: () => ({ answered: "removed" }),
            resolve: (outcome) =>
              untilGone(outcome, { noun, id, find: () => find(id, state.projectId, call) }, call),
          },
          call.context.report,
        ),
      );
    } catch (error) {
      const earlier = entries.about(id);
      if (this.#objects.resource.isInUse?.(error) === true && earlier?.op === "remove") {
        // It exists, so no deletion that an earlier run sent has happened.
        entries.drop(earlier);
      }
      throw (await this.#objects.resource.whyKept?.(object, state, error, call)) ?? error;
    }
    entries.gone(id);
  }
}
