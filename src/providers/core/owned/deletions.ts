import { ignoreNotFound } from "../../../client/refusals.js";
import { ApiError } from "../../../errors.js";
import type { Call } from "../../call.js";
import type { Entry } from "../entry.js";
import { sendNoted, untilGone } from "../requests.js";
import type { LiveObject, Named } from "./declaration.js";
import type { OwnedKind } from "./kind.js";

/** Deletes objects of one kind, and notes what it sends. */
export class OwnedDeletions<In extends Named, St extends Named, Live extends LiveObject> {
  readonly #kind: OwnedKind<In, St, Live>;

  constructor(kind: OwnedKind<In, St, Live>) {
    this.#kind = kind;
  }

  /** What the entry of a removal says of what the object held, so that it can be recreated. */
  async #save(id: string, state: St, call: Call): Promise<Pick<Entry, "archive" | "key">> {
    const entries = this.#kind.entries(call);
    const held = await this.#kind.resource.archive?.(id, state, call);
    if (held === undefined) {
      // An earlier run may have saved it, and deleted the object.
      const { archive, key } = entries.about(id) ?? {};
      return { archive, key };
    }
    return { ...entries.save(id, held.bytes), key: this.#kind.resource.state.write(held.state) };
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
    const { noun, find } = this.#kind.resource;
    const entries = this.#kind.entries(call);
    try {
      await this.#kind.run.inTurn(id, async () =>
        sendNoted(
          entries,
          {
            intent: { op: "remove", id, ...(makesRoom ? await this.#save(id, state, call) : {}) },
            isLeaving: !makesRoom,
            send: async () => {
              await ignoreNotFound(this.#kind.resource.remove(id, state, call));
            },
            answered: () => ({ answered: "removed" }),
            resolve: (outcome) =>
              untilGone(outcome, { noun, id, find: () => find(id, state.projectId, call) }, call),
          },
          call.context.report,
        ),
      );
    } catch (error) {
      if (this.isInUse(error)) {
        entries.exists(id);
      }
      throw await this.whyKept(object, state, error, call);
    }
    entries.gone(id);
  }

  /** Whether the service did not delete an object because something uses it. */
  isInUse(error: unknown): error is ApiError {
    const { inUseCode } = this.#kind.resource;
    return error instanceof ApiError && inUseCode !== undefined && error.serviceCode === inUseCode;
  }

  /** What to throw when an object was neither deleted nor retired. */
  async whyKept(object: Pick<Live, "id" | "name">, state: St, error: unknown, call: Call): Promise<unknown> {
    const { whyKept } = this.#kind.resource;
    return error instanceof ApiError && whyKept !== undefined ? whyKept(object, state, error, call) : error;
  }
}
