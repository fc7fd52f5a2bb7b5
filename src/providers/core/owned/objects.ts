import { ignoreNotFound, isNotFound } from "../../../client/not-found.js";
import { ApiError, OutcomeUnknownError } from "../../../errors.js";
import { quote } from "../../../text/escape.js";
import { messageOf } from "../../../text/words.js";
import type { Call } from "../../call.js";
import type { DiffResult, PartiallyCreatedError } from "../../lifecycle.js";
import type { OwnedTexts } from "../../messages/owned-objects.js";
import { type LostCreation, type Named, storedFailure, type Unfinished, withSent } from "../marks.js";
import {
  continuesAdvice,
  findBestEffort,
  lookUpUntilFound,
  refreshAdvice,
  unknownOutcomeError,
} from "../requests.js";
import type { LostRequest, Run } from "../run.js";
import type { AnyObject, LiveObject, Subject } from "./declaration.js";
import { type Comparison, Finder, type ObjectKey } from "./finder.js";

/** Object for a create. If not `isNew`, the caller must still send the settings. */
interface Found {
  readonly live: LiveObject;
  readonly isNew: boolean;
  /** State of an object that an earlier request of the resource has made. Default: unknown. */
  readonly known?: Named & { readonly unfinished: Unfinished };
}

/** Creation without a response, as in the state. */
export type StoredLoss = LostRequest & Required<Pick<LostRequest, "stored">>;

/** Creates, changes and deletes the objects of a kind, such as browser pools, and resolves unknown outcomes. */
export class OwnedObjects {
  readonly resource: AnyObject;
  readonly finder: Finder;
  readonly texts: OwnedTexts;
  readonly run: Run;

  /** `comparison`: see {@link Finder}. */
  constructor(resource: AnyObject, comparison?: Comparison) {
    this.resource = resource;
    this.finder = new Finder(resource, comparison);
    this.texts = this.finder.texts;
    this.run = this.finder.run;
  }

  /**
   * Returns the object for a create: adopted, new, the result of an interrupted creation of the same resource, or
   * existing with the resource's automatic name. Throws `ConflictError` `name_taken` if a different object has the
   * name.
   */
  async findOrCreate(inputs: Named, name: string, call: Call): Promise<Found> {
    const { run } = this;
    const { lost, failed } = run.of(call.context.urn);
    const adopted = await this.finder.adopted(inputs, call);
    if (adopted !== undefined) {
      return { live: adopted, isNew: false };
    }
    const key = { name, projectId: inputs.projectId, identity: this.resource.identity?.(inputs) };
    const holder = await this.finder.findHolder(key, call);
    // An earlier attempt may still arrive.
    const earlier = failed && { sentAt: lost?.request.sentAt };
    if (holder === undefined) {
      return this.#create(inputs, key, earlier, call);
    }
    if (lost === undefined || !this.finder.isResult(holder, call)) {
      return this.#takeOver(holder, inputs, key, call);
    }
    const { sent } = lost;
    if (this.finder.comparison.canBecome(holder, inputs, sent)) {
      call.context.report.info(this.texts.finished(holder));
      const settings = Object.keys(sent).map((each) => ({ name: each }));
      return { live: holder, isNew: false, known: { ...sent, unfinished: { settings } } };
    }
    // No change leads to the inputs.
    await this.remove(holder, sent, call);
    call.context.report.info(this.texts.undone(holder));
    run.note(call.context.urn, { lost: undefined });
    return this.#create(inputs, key, earlier, call);
  }

  /** Takes over the holder of a name: only by the automatic name, or if the service has carried the name over. */
  #takeOver(holder: LiveObject, inputs: Named, key: ObjectKey, call: Call): Found {
    const { report, urn } = call.context;
    const { lost, replaces: replaced } = this.run.of(urn);
    if (holder.id === replaced?.id && this.resource.naturalName !== undefined) {
      return { live: holder, isNew: false };
    }
    const isOwnName = this.finder.hasOwnAutoName(holder, key, call);
    if (!isOwnName || !this.finder.comparison.canBecome(holder, inputs)) {
      // The old "object" of an interrupted creation is only a mark.
      const hasObject = replaced !== undefined && lost === undefined;
      throw this.finder.nameTakenError(key, holder, call, { hasObject, isOwnName, inputs });
    }
    if (this.resource.isArchived?.(holder) === true) {
      report.info(`The ${this.texts.object(holder)} already exists and is archived; reusing it.`);
    } else if (this.resource.identity !== undefined) {
      report.info(`The ${this.texts.object(holder)} already exists, exactly as declared; reusing it.`);
    } else {
      report.warning(this.texts.reused(holder, "update"));
    }
    return { live: holder, isNew: false };
  }

  /**
   * Sends a creation once. After a lost response, the object with the name is ours only without doubts. `earlier`:
   * earlier attempt of this run.
   */
  async #create(
    inputs: Named,
    key: ObjectKey,
    earlier: Pick<LostCreation, "sentAt"> | undefined,
    call: Call,
  ): Promise<Found> {
    const { name } = key;
    const { context, account } = call;
    await this.resource.beforeCreate?.(inputs, call);
    // After a lookup, whose response has told the time of the service.
    const { sentAt } = earlier ?? { sentAt: account.serviceTime() };
    const request = { ...key, sentAt };
    try {
      return { live: await this.resource.create(inputs, name, call), isNew: true };
    } catch (error) {
      if (!(error instanceof OutcomeUnknownError)) {
        throw await this.finder.explainConflict(error, inputs, name, call);
      }
      context.report.progress("no response to the creation; checking whether it succeeded");
      const look = () => this.finder.resultOf({ request, sent: inputs }, call);
      const live = await findBestEffort(look, context);
      const lost = { request: { ...request, gaveUpAt: account.serviceTime() }, sent: inputs };
      this.run.note(context.urn, { lost });
      if (live === undefined) {
        throw this.#lostCreation(error, lost, call);
      }
      if (!this.finder.isResult(live, call)) {
        return this.#takeOver(live, inputs, key, call);
      }
      const text = `The response to the creation was lost, but it succeeded: ${this.texts.object(live)} exists.`;
      context.report.info(text);
      return { live, isNew: false };
    }
  }

  #lostCreation(error: OutcomeUnknownError, lost: LostRequest, call: Call): PartiallyCreatedError {
    const { shortNoun } = this.texts;
    const interrupted = `The creation of ${this.resource.noun} ${quote(lost.request.name ?? "")} was interrupted, and the ${shortNoun} may exist now or appear later.`;
    const advice = `Run "pulumi up" again: it looks for this ${shortNoun}, and finishes or creates it.`;
    return this.lostCreationFailure(
      unknownOutcomeError(error, call.context, interrupted, advice),
      lost,
      call,
    );
  }

  /**
   * Builds the error of a creation without a response: the state gets `lost: {…}` in place of an object.
   */
  lostCreationFailure(
    outcome: OutcomeUnknownError,
    { request, sent }: LostRequest,
    { context }: Call,
  ): PartiallyCreatedError {
    const { name = "", identity } = request;
    const cause = outcome.withAdvice(
      `${this.texts.unprotectAdvice(context.urn)} ` +
        `If the resource is removed from the program with the option "retainOnDelete", delete the ${this.texts.shortNoun} ${quote(name)} yourself if it exists.`,
    );
    const outputs = this.resource.state.write({ ...identity, ...sent, lost: request, unfinished: undefined });
    return storedFailure(`lost-${name}`, outputs, cause);
  }

  /** Result of `diff` for a state with the mark `lost`: a replacement, whose create settles the creation. */
  replaceLost({ stored, ...lost }: StoredLoss, { urn, report }: Call["context"]): DiffResult {
    report.info(this.texts.unsettled(lost.request.name, urn));
    this.run.recordReplacement({ id: stored.id, name: undefined, projectId: undefined }, urn);
    this.run.note(urn, { lost: { ...lost, stored } });
    return { changes: true, replaces: [this.finder.nameInput], deleteBeforeReplace: true };
  }

  /**
   * Deletes the result of a creation without a response, if the program no longer wants the name. A warning
   * names an object with the name that is not proved to be the result. If the program still wants the name, the
   * create of this run settles the creation.
   */
  async settleLost(lost: StoredLoss, call: Call): Promise<void> {
    const { request, sent } = lost;
    const { report, urn } = call.context;
    if (this.finder.isClaimed(request, call)) {
      this.run.note(urn, { lost });
      return;
    }
    const holder = await this.finder.resultOf(lost, call);
    if (holder === undefined || this.run.holderOf(holder.id) !== undefined) {
      return;
    }
    const doubts = this.finder.doubts(holder, lost);
    if (doubts.length > 0) {
      report.warning(this.texts.doubtful({ ...holder, projectId: request.projectId }, doubts));
      return;
    }
    if ((await this.resource.keeps?.(holder, sent, call)) !== true) {
      await this.remove(holder, sent, call);
      report.info(this.texts.undone(holder));
    }
  }

  /** Before a replacement: names the undeclared settings of the old object, which the new object lacks. */
  reportUndeclared(live: LiveObject | undefined, state: Named, { context }: Call): void {
    const settings = (live && this.resource.undeclared?.(live, state)) ?? {};
    if (Object.keys(settings).length > 0) {
      context.report.info(this.texts.undeclared(settings));
    }
  }

  /** Gives an existing object the declared settings. Sends nothing if no setting can differ. */
  async change(live: LiveObject, inputs: Named, known: Named | undefined, call: Call): Promise<LiveObject> {
    const { id } = live;
    const isInDoubt = known === undefined || known.unfinished !== undefined;
    const send = this.resource.change(live, inputs, known && withSent(known), call, isInDoubt);
    try {
      return send === undefined ? live : await send();
    } catch (error) {
      if (error instanceof OutcomeUnknownError) {
        const interrupted = `The change of ${this.resource.noun} ${id} was interrupted, and the ${this.texts.shortNoun} has its old settings or the new ones.`;
        throw unknownOutcomeError(error, call.context, interrupted, continuesAdvice);
      }
      if (isNotFound(error) && (await this.resource.find(id, inputs.projectId, call)) === undefined) {
        throw this.texts.goneError(id);
      }
      const { name } = inputs;
      throw name === undefined ? error : await this.finder.explainConflict(error, inputs, name, call, id);
    }
  }

  /** Deletes an object, unless already gone. After a lost response, checks whether the object is gone. */
  async remove(object: Subject, state: Named, call: Call): Promise<void> {
    const { id } = object;
    const { explainRefusal } = this.resource;
    await this.run.turns.run(id, async () => {
      try {
        await ignoreNotFound(this.resource.remove(id, state, call));
      } catch (error) {
        if (!(error instanceof OutcomeUnknownError)) {
          throw (error instanceof ApiError && (await explainRefusal?.(object, state, error, call))) || error;
        }
        await this.#untilGone(error, id, state.projectId, call);
      }
      this.run.recordDeletion(id, call.context.urn);
    });
  }

  /** Checks for 15 s whether a deletion without a response succeeded. Otherwise throws `outcome`. */
  async #untilGone(outcome: OutcomeUnknownError, id: string, projectId: string | undefined, call: Call) {
    const { context } = call;
    const { noun, find } = this.resource;
    context.report.progress("no response to the deletion; checking whether it succeeded");
    const isGone = async () => (await find(id, projectId, call)) === undefined || undefined;
    let why = "";
    try {
      if ((await lookUpUntilFound(isGone, context)) === true) {
        return;
      }
    } catch (lookError) {
      why = context.signal.aborted ? "" : `Looking for it failed as well: ${messageOf(lookError)} `;
    }
    const interrupted = `The deletion of ${noun} ${id} was interrupted, and the ${this.texts.shortNoun} may be gone.`;
    throw unknownOutcomeError(outcome, context, interrupted, `${why}${refreshAdvice}`);
  }
}
