import { ContractError, OutcomeUnknownError } from "../../../errors.js";
import { quote } from "../../../text/escape.js";
import { messageOf } from "../../../text/words.js";
import type { Call } from "../../call.js";
import { isNameFor, oneTimeName } from "../../names.js";
import { isPropertyMap } from "../../properties.js";
import { requestOf, type Unfinished } from "../marks.js";
import { findUnlessItFails } from "../requests.js";
import type { AnyInputs, LiveObject, Named } from "./declaration.js";
import type { Issued } from "./issued.js";
import type { OwnedObjects } from "./objects.js";

/**
 * Maximum number of creation requests for an object. A further request follows only if the previous
 * request created an object and the answer was lost.
 */
const attemptsMax = 3;

/** Sent request, in the form of the mark `unfinished`. */
type Sent = NonNullable<Unfinished["request"]>;

/** Request for a new object. */
interface Request {
  readonly send: () => Promise<LiveObject>;
  /**
   * Finds the result after a lost answer. Several objects: candidates that cannot be distinguished.
   */
  readonly find: () => Promise<readonly LiveObject[]>;
  readonly sent: Sent & { readonly name: string };
  /** Builds a creation of the same object under a new one-time name. */
  readonly again: () => Request;
}

type Rotates = NonNullable<Issued<Named, Named, LiveObject>["rotates"]>;

/** Creates and rotates objects that cannot be reused after a lost answer: see {@link Issued}. */
export class Issuer {
  readonly #issued: Issued<Named, Named, LiveObject>;
  readonly #objects: OwnedObjects;

  constructor(issued: Issued<Named, Named, LiveObject>, objects: OwnedObjects) {
    this.#issued = issued;
    this.#objects = objects;
  }

  async create(inputs: AnyInputs, call: Call): Promise<{ readonly id: string; readonly state: Named }> {
    const wanted = await this.#inherited(inputs, call);
    const { live, unfinished } = await this.#issue(inputs, undefined, this.#creation(wanted, call), call);
    return {
      id: live.id,
      state: { ...this.#objects.resource.stateOf(live, inputs, undefined), unfinished },
    };
  }

  /** Updates an object to match the inputs: by a change, a rotation, or a new object. */
  async update(id: string, state: Named, inputs: AnyInputs, call: Call): Promise<Named> {
    await this.undo(state, call);
    const { resource, texts } = this.#objects;
    const { rotates } = this.#issued;
    const kept = [id, ...(rotates?.formerIdsOf(state) ?? [])];
    const why = rotates?.whyRotate(state, inputs);
    const present = await resource.find(id, state.projectId, call);
    if (present === undefined) {
      if (why === undefined) {
        throw texts.gone(id);
      }
      call.context.report.info(`${texts.subject({ id })} is gone, so a new ${texts.short} is created.`);
      const wanted = this.#issued.inherit?.(inputs, state, state) ?? inputs;
      const { live, unfinished } = await this.#issue(inputs, kept, this.#creation(wanted, call), call);
      return { ...resource.stateOf(live, inputs, state), unfinished };
    }
    // A rotation copies the name, so the rename comes first.
    const live = await this.#objects.change(present, inputs, state, call);
    const wasRotated = rotates?.wasRotated(live, state) === true;
    if (rotates === undefined || (why === undefined && !wasRotated)) {
      return { ...resource.stateOf(live, inputs, state), unfinished: undefined };
    }
    const wanted = this.#issued.inherit?.(inputs, live, state) ?? inputs;
    const request = wasRotated
      ? this.#creation(wanted, call)
      : await this.#rotation(rotates, live, wanted, call);
    const fresh = await this.#issue(inputs, kept, request, call);
    const after = await rotates.afterRotation(fresh.live, live, inputs, state, call);
    return { ...after, unfinished: fresh.unfinished };
  }

  /** Adds the undeclared settings of the object being replaced to the inputs. */
  async #inherited(inputs: AnyInputs, call: Call): Promise<AnyInputs> {
    const { resource, run } = this.#objects;
    const old = run.replacedBy(call.context.urn);
    if (this.#issued.inherit === undefined || old?.state === undefined) {
      return inputs;
    }
    const known = resource.state.read(old.state);
    const live = await resource.find(old.id, known.projectId, call);
    return this.#issued.inherit(inputs, live ?? known, known);
  }

  /** Builds a creation under a one-time name. The name finds the object after a lost answer. */
  #creation(
    inputs: AnyInputs,
    call: Call,
    send = (once: string) => this.#objects.resource.create(inputs, once, call),
  ): Request {
    const { projectId } = inputs;
    const name = oneTimeName(inputs.name ?? "");
    const find = () => this.#issued.named({ name }, projectId, call);
    const again = () => this.#creation(inputs, call);
    return { send: () => send(name), find, sent: { name, projectId, before: [] }, again };
  }

  async #rotation(rotates: Rotates, live: LiveObject, inputs: AnyInputs, call: Call): Promise<Request> {
    const { name = "", projectId } = inputs;
    const { trace, send } = await rotates.rotation(live, inputs, call);
    if (trace === undefined) {
      return this.#creation(inputs, call, send);
    }
    const before = (await this.#issued.named({ name }, projectId, call)).map((each) => each.id);
    const sent = { rotates: live.id, name, projectId, before, trace };
    const again = () => this.#creation(inputs, call);
    return { send: () => send(name), find: () => this.#resultOf(sent, call), sent, again };
  }

  async #resultOf(
    { rotates: rotatedId, name = "", projectId, before = [], trace }: Sent,
    call: Call,
  ): Promise<readonly LiveObject[]> {
    const named = await this.#issued.named({ name }, projectId, call);
    const fresh = named.filter(({ id }) => !before.includes(id) && !this.#objects.run.isKnown(id));
    const { rotates } = this.#issued;
    if (rotates === undefined || rotatedId === undefined || !isPropertyMap(trace)) {
      return fresh;
    }
    return [(await rotates.resultOfRotation(rotatedId, trace, fresh, call)) ?? []].flat();
  }

  /** Deletes the object that a request of an earlier run created, if the answer was lost. */
  async undo({ unfinished }: Named, call: Call): Promise<void> {
    const sent = unfinished?.request;
    const made = sent === undefined ? [] : await this.#resultOf(sent, call);
    if (sent !== undefined && made.length > 0) {
      await this.#discard(made, sent, call);
    }
  }

  /**
   * Sends requests until the service answers, and deletes the object of every lost answer. `kept`:
   * ids of the objects of the resource; undefined for a new resource.
   */
  async #issue(inputs: AnyInputs, kept: readonly string[] | undefined, first: Request, call: Call) {
    const { resource, texts, run } = this.#objects;
    const { report, urn } = call.context;
    const { name = "" } = inputs;
    await this.#reportNamesakes(inputs, kept ?? [], call);
    let request = first;
    for (let attempt = 1; ; attempt += 1) {
      try {
        const live = await request.send();
        run.create(live.id, urn);
        return await this.#named(live, inputs, call);
      } catch (error) {
        if (!(error instanceof OutcomeUnknownError)) {
          throw error;
        }
        const { find, sent } = request;
        report.progress(`no response; checking whether the ${texts.short} was created`);
        const look = async () => {
          const found = await find();
          return found.length === 0 ? undefined : found;
        };
        const made = await findUnlessItFails(look, call.context);
        if (made === undefined || attempt === attemptsMax) {
          const outcome = this.#stillUnknown(error, sent, inputs, call);
          requestOf.set(outcome, sent);
          // In an update, the state keeps the present object.
          throw kept === undefined ? this.#objects.lost(outcome, sent, inputs, call) : outcome;
        }
        await this.#discard(made, sent, call);
        report.info(
          `The answer with ${resource.noun} ${quote(name)} was lost${texts.lostValueClause}. The provider creates a new ${texts.short} and deletes the useless ${texts.short}.`,
        );
        // The rotation has happened, and the old object is in the grace period. So the next request
        // is a creation.
        request = first.again();
      }
    }
  }

  /**
   * Renames a new object from the one-time name to the declared name. A failure is a warning,
   * because an error would lose the value shown once. The next deployment renames the object.
   */
  async #named(live: LiveObject, inputs: AnyInputs, call: Call) {
    const { resource, texts } = this.#objects;
    const send = resource.change(live, inputs, undefined, call, true);
    try {
      return { live: send === undefined ? live : await send() };
    } catch (error) {
      // The rename may have succeeded with a lost answer.
      const look = () => resource.find(live.id, inputs.projectId, call);
      const present = await findUnlessItFails(look, call.context);
      if (present !== undefined && !resource.change(present, inputs, undefined, call, true)) {
        return { live: { ...live, name: present.name } };
      }
      const reason = messageOf(error);
      call.context.report.warning(
        `${texts.subject({ id: live.id })} was created, but is still called ${quote(live.name ?? "")}: it could not be renamed. The next "pulumi up" renames it. ${reason}`,
      );
      return { live, unfinished: { reason } };
    }
  }

  /** Deletes the object of a lost answer. Warns of several candidates, and of a failed deletion. */
  async #discard(made: readonly LiveObject[], { rotates, projectId }: Sent, call: Call): Promise<void> {
    const { texts } = this.#objects;
    const { report } = call.context;
    const [live, ...others] = made;
    if (live === undefined || others.length > 0) {
      report.warning(texts.indistinguishable(rotates, made));
      for (const { id } of made) {
        // Prevents a second warning of the object as a namesake.
        this.#objects.run.store(id, undefined);
      }
      return;
    }
    try {
      await this.#objects.remove(live, projectId === undefined ? {} : { projectId }, call);
      report.info(texts.undone(live));
    } catch (error) {
      report.warning(`${texts.unmanaged([{ ...live, projectId }])} ${messageOf(error)}`);
    }
  }

  /**
   * Warns of objects with the declared name, or with a one-time name made from the declared name. A
   * killed deployment or a different stack may have created the objects.
   */
  async #reportNamesakes(inputs: AnyInputs, kept: readonly string[], call: Call): Promise<void> {
    const { name = "", projectId } = inputs;
    const { run, texts } = this.#objects;
    const look = () => this.#issued.named({ query: name }, projectId, call);
    const named = (await findUnlessItFails(look, call.context)) ?? [];
    const isUnknown = ({ id }: LiveObject) => !kept.includes(id) && !run.isKnown(id);
    const found = named.filter((live) => isNameFor(name, live.name) && isUnknown(live));
    if (found.length > 0) {
      call.context.report.warning(texts.namesakes(found.map((live) => ({ ...live, projectId }))));
    }
  }

  #stillUnknown(
    outcome: OutcomeUnknownError,
    { rotates }: Sent,
    { name = "" }: AnyInputs,
    { context }: Call,
  ): OutcomeUnknownError {
    const { noun } = this.#objects.resource;
    const { short } = this.#objects.texts;
    const { shown } = this.#issued;
    const useless = shown === undefined ? short : `${short} whose ${shown} is lost`;
    const { cause } = outcome;
    const what = context.signal.aborted
      ? "was interrupted"
      : cause instanceof ContractError
        ? `got an answer that cannot be right (${cause.message})`
        : "got no answer";
    return outcome.withMessage(
      rotates === undefined
        ? `The creation of ${noun} ${quote(name)} ${what}, and a ${useless} may exist now or appear later. ` +
            `Run "pulumi up" again: it deletes exactly that ${short}, and creates a new ${short}.`
        : `The rotation of ${noun} ${rotates} ${what}, and the ${short} may expire soon, with a new ${short} in its place whose ${shown} is lost. ` +
            `Run "pulumi up" again: it checks what happened, and creates a ${short} whose ${shown} is known.`,
    );
  }
}
