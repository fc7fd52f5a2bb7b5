import { isNotFound } from "../../../client/refusals.js";
import { ApiError, type ConflictError, type OutcomeUnknownError } from "../../../errors.js";
import { quote } from "../../../text/escape.js";
import { unnotedWarning } from "../../auto-name.js";
import { type Call, ignoreNotFound } from "../../call.js";
import type { PropertyMap } from "../../properties.js";
import { digestOf, type Entries } from "../entries.js";
import { continuesAdvice, findUnlessItFails, sendNoted, stillUnknown, untilGone } from "../requests.js";
import type { Run } from "../run.js";
import { isOf, type Key, OwnedCreations, propertiesOf } from "./creations.js";
import type { LiveObject, Named, OwnedResource } from "./declaration.js";
import { OwnedTexts } from "./texts.js";

/** The objects of one kind: finds, creates, changes and deletes them, and notes what it sends. */
export class OwnedObjects<In extends Named, St extends Named, Live extends LiveObject> {
  readonly texts: OwnedTexts<Live>;
  /** What earlier runs created. */
  readonly creations: OwnedCreations<In, St, Live>;
  readonly #resource: OwnedResource<In, St, Live>;
  readonly #run: Run;

  constructor(resource: OwnedResource<In, St, Live>, run: Run) {
    this.#resource = resource;
    this.#run = run;
    this.texts = new OwnedTexts(resource);
    this.creations = new OwnedCreations(resource, run, this.texts, (...removed) => this.remove(...removed));
  }

  entries(call: Call): Entries {
    return call.entries(this.#resource.kind);
  }

  /** What of a state the journal compares. */
  settings(state: St): PropertyMap {
    const { incidental } = this.#resource;
    const settings = Object.entries(this.#resource.state.write(state));
    return Object.fromEntries(settings.filter(([name]) => !incidental.some((each) => each === name)));
  }

  /**
   * The object that this resource is to have. Looks before it sends: an earlier run may have created
   * it and lost the answer, or its state was not written. Then it is reused.
   */
  async findOrCreate(inputs: In, name: string, call: Call): Promise<{ live: Live; isNew: boolean }> {
    const { report } = call.context;
    const { projectId } = inputs;
    const own = await this.creations.findOwn(projectId, call);
    if (own !== undefined) {
      report.info(
        `The ${this.texts.object(own)} already exists; reusing it. An earlier deployment of this resource created it.`,
      );
      return { live: own, isNew: false };
    }
    const holder = await this.#resource.holderOf(name, projectId, call);
    if (holder === undefined) {
      return this.#create(inputs, { name, projectId }, call);
    }
    if (this.creations.ownershipOf(holder, { name, projectId }, call) === undefined) {
      throw this.nameTaken(name, holder, call);
    }
    if (this.#resource.isDormant?.(holder) === true) {
      report.info(`The ${this.texts.object(holder)} already exists and is archived; reusing it.`);
    } else {
      report.warning(this.unnoted(holder, "update"));
    }
    return { live: holder, isNew: false };
  }

  /** Sends the creation once. If its outcome is unknown, looking for the name decides. */
  async #create(inputs: In, key: Key, call: Call): Promise<{ live: Live; isNew: boolean }> {
    const entries = this.entries(call);
    // Names are unique, so what was sent earlier under this one has not arrived and never will.
    const outdated = entries.creations().filter((entry) => isOf(entry, key));
    let isNew = true;
    try {
      const live = await sendNoted(
        entries,
        {
          intent: { op: "create", key: propertiesOf(key) },
          send: () => this.#resource.create(inputs, key.name, call),
          answered: ({ id }) => ({ id, answered: "created" }),
          resolve: (outcome) => {
            isNew = false;
            return this.#resolveCreation(key, outcome, call);
          },
        },
        call.context.report,
      );
      for (const earlier of outdated) {
        entries.drop(earlier);
      }
      return { live, isNew };
    } catch (error) {
      throw await this.#explainConflict(error, key, call);
    }
  }

  async #resolveCreation({ name, projectId }: Key, outcome: OutcomeUnknownError, call: Call): Promise<Live> {
    const { context } = call;
    const { noun } = this.#resource;
    context.report.progress("no response to the creation; checking whether it succeeded");
    const found = await findUnlessItFails(async () => {
      const holder = await this.#resource.holderOf(name, projectId, call);
      // Another case or accent makes it that of somebody who was faster.
      return holder?.name === name ? holder : undefined;
    }, context);
    if (found !== undefined) {
      context.report.info(
        `The response to the creation was lost, but it succeeded: ${this.texts.object(found)} exists.`,
      );
      return found;
    }
    const { short } = this.texts;
    const interrupted = `The creation of ${noun} ${quote(name)} was interrupted, and the ${short} may exist now or appear later.`;
    const advice = `Run "pulumi up" again: it looks for this ${short} first and creates nothing twice.`;
    throw stillUnknown(outcome, context, interrupted, advice);
  }

  /** Makes a live object as declared. Sends nothing if it is so. */
  async change(live: Live, inputs: In, known: St | undefined, call: Call): Promise<Live> {
    const { id } = live;
    const entries = this.entries(call);
    const answered = (present: Live) => ({
      answered: digestOf(this.settings(this.#resource.stateOf(present, inputs, known))),
    });
    const send = this.#resource.change(live, inputs, known, call);
    if (send === undefined) {
      const earlier = entries.about(id);
      if (earlier !== undefined) {
        entries.takeOver(earlier, { op: "change", ...answered(live) });
      }
      return live;
    }
    try {
      return await this.#sendChange(id, send, answered, call);
    } catch (error) {
      if (isNotFound(error) && (await this.#resource.find(id, inputs.projectId, call)) === undefined) {
        throw this.texts.gone(id);
      }
      const { name, projectId } = inputs;
      throw name === undefined ? error : await this.#explainConflict(error, { name, projectId }, call, id);
    }
  }

  #sendChange(
    id: string,
    send: () => Promise<Live>,
    answered: (live: Live) => { readonly answered: string },
    call: Call,
  ): Promise<Live> {
    const { noun } = this.#resource;
    return sendNoted(
      this.entries(call),
      {
        intent: { op: "change", id },
        send,
        answered,
        resolve: (outcome) => {
          const interrupted = `The change of ${noun} ${id} was interrupted, and the ${this.texts.short} has its old settings or the new ones.`;
          throw stillUnknown(outcome, call.context, interrupted, continuesAdvice);
        },
      },
      call.context.report,
    );
  }

  /** Deletes an object. One that is gone already counts as deleted. */
  async remove(object: Pick<Live, "id" | "name">, state: St, call: Call): Promise<void> {
    const { id } = object;
    const { noun, find } = this.#resource;
    const entries = this.entries(call);
    try {
      await this.#run.objects.run(id, () =>
        sendNoted(
          entries,
          {
            intent: { op: "remove", id },
            isLeaving: true,
            send: async () => {
              await ignoreNotFound(this.#resource.remove(id, state, call));
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
      if (this.#resource.isInUse?.(error) === true && earlier?.op === "remove") {
        // It exists, so no deletion that an earlier run sent has happened.
        entries.drop(earlier);
      }
      throw (await this.#resource.whyKept?.(object, state, error, call)) ?? error;
    }
    entries.gone(id);
  }

  /** Retires an object in place of deleting it. */
  async retire(object: Pick<Live, "id" | "name">, state: St, call: Call): Promise<void> {
    const { report } = call.context;
    const live = await this.#resource.find(object.id, state.projectId, call);
    if (live === undefined) {
      report.info(`The ${this.texts.object(object)} is gone.`);
      return;
    }
    const send = this.#resource.retire?.(live, call);
    if (send === undefined) {
      report.info(`The ${this.texts.object(live)} is already archived.`);
      return;
    }
    try {
      await this.#sendChange(live.id, send, () => ({ answered: "retired" }), call);
    } catch (error) {
      throw (await this.#resource.whyKept?.(object, state, error, call)) ?? error;
    }
    report.info(`The ${this.texts.object(live)} is archived. It keeps its name and what is in it.`);
  }

  /** Why a name cannot be had. */
  nameTaken(name: string, holder: Live, { context }: Call): ConflictError {
    return this.texts.nameTaken(name, holder, this.#run.otherUser(holder.id, context.urn));
  }

  /** The warning of an object that is reused for its automatic name alone. */
  unnoted(live: Live, phase: "preview" | "update"): string {
    return unnotedWarning(this.texts.subject(live), this.texts.short, phase);
  }

  /** A name that another object has, as a conflict with it. */
  async #explainConflict(error: unknown, { name, projectId }: Key, call: Call, ownId?: string) {
    if (!(error instanceof ApiError && error.status === 409)) {
      return error;
    }
    const holder = await this.#resource.holderOf(name, projectId, call);
    return holder === undefined || holder.id === ownId ? error : this.nameTaken(name, holder, call);
  }
}
