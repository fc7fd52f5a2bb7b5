import { BrowserInfraError, ContractError, type OutcomeUnknownError } from "../../../errors.js";
import { quote } from "../../../text/escape.js";
import { messageOf } from "../../../text/words.js";
import type { Call } from "../../call.js";
import type { DeclaredOfKnown } from "../declared.js";
import type { Entry, NotedEntry } from "../entry.js";
import { findUnlessItFails, sendNoted } from "../requests.js";
import { propertiesOf } from "./creations.js";
import type { LiveObject, Named } from "./declaration.js";
import type { Issued, Rotating } from "./issued.js";
import type { OwnedObjects } from "./objects.js";
import { isNameFor, oneTimeName } from "./one-time-name.js";

/** Most requests for one object. Each but the last one created one, and its answer was lost. */
const attemptsMax = 3;

/** A new object, and why it is not yet as declared. */
interface IssuedObject<Live> {
  readonly live: Live;
  readonly unfinished?: string;
}

/** The next request for an object, and what to note of it. */
interface IssueRequest<Live> {
  readonly intent: Omit<Entry, "sentAt" | "op">;
  readonly send: () => Promise<Live>;
}

/** Makes the objects of a kind that cannot be reused, and rotates them: see {@link Issued}. */
export class Issuer<In extends Named, St extends Named, Live extends LiveObject> {
  readonly #issued: Issued<In, St, Live>;
  readonly #objects: OwnedObjects<In, St, Live>;

  constructor(issued: Issued<In, St, Live>, objects: OwnedObjects<In, St, Live>) {
    this.#issued = issued;
    this.#objects = objects;
  }

  /** Why an update must see to the object although its inputs may be the same. */
  whyUpdate(id: string, state: St, inputs: DeclaredOfKnown<In>, mayBeGone: boolean): string | undefined {
    const why = this.#issued.rotates?.whyRotate(state, inputs);
    const object = this.#objects.texts.object({ id });
    if (why !== undefined) {
      return `This deployment rotates ${object}: ${why}.`;
    }
    return mayBeGone
      ? `An interrupted deployment may have deleted ${object}. This one checks whether it still exists.`
      : undefined;
  }

  /** Creates an object. What earlier runs created for the resource is settled afterwards. */
  async create(inputs: In, call: Call): Promise<{ readonly id: string; readonly state: St }> {
    await this.#warnOfUnnoted(inputs, call);
    const wanted = await this.#inherited(inputs, call);
    const next = async () => this.#creation(wanted, call);
    const { live, unfinished } = await this.#issue(inputs, [], next, call);
    return { id: live.id, state: { ...this.#objects.resource.stateOf(live, inputs, undefined), unfinished } };
  }

  /** Gives the resource what it declares: a change of its object, or another one in its place. */
  async update(id: string, state: St, inputs: In, call: Call): Promise<St> {
    const entries = this.#objects.entries(call);
    const { rotates } = this.#issued;
    const kept = [id, ...(rotates?.formerIdsOf(state) ?? [])];
    const why = rotates?.whyRotate(state, inputs);
    const deletion = entries.removalOf(id);
    const present = await this.#objects.resource.find(id, state.projectId, call);
    if (present === undefined) {
      if (rotates === undefined || (why === undefined && deletion === undefined)) {
        throw this.#objects.texts.gone(id);
      }
      call.context.report.info(
        `${this.#objects.texts.subject({ id })} is gone, so another one is created in its place.`,
      );
      const wanted = this.#objects.resource.inherit?.(inputs, state, state) ?? inputs;
      const next = async () => this.#creation(wanted, call);
      const { live, unfinished } = await this.#issue(inputs, kept, next, call);
      entries.drop(deletion);
      return { ...this.#objects.resource.stateOf(live, inputs, state), unfinished };
    }
    entries.exists(id);
    // A rotation copies the name.
    const live = await this.#objects.change(present, inputs, state, call);
    const isRotated = await this.#wasRotated(id, call);
    if (rotates === undefined || (why === undefined && !isRotated)) {
      await this.#objects.creations.settleAll(kept, call);
      return this.#objects.resource.stateOf(live, inputs, state);
    }
    return this.#rotate(rotates, live, inputs, state, isRotated, call);
  }

  /** The inputs with what the object has that this run replaces, as the service has it now. */
  async #inherited(inputs: In, call: Call): Promise<In> {
    const { inherit, state } = this.#objects.resource;
    const old = this.#objects.run.replacedBy(call.context.urn);
    if (inherit === undefined || old?.state === undefined) {
      return inputs;
    }
    const known = state.read(old.state);
    const live = await this.#objects.resource.find(old.id, known.projectId, call);
    return inherit(inputs, live ?? known, known);
  }

  /** `wasRotated`: an earlier request has rotated it, and its answer was lost. */
  async #rotate(
    rotates: Rotating<In, St, Live>,
    live: Live,
    inputs: In,
    state: St,
    wasRotated: boolean,
    call: Call,
  ): Promise<St> {
    const { name = "", projectId } = inputs;
    const kept = [live.id, ...rotates.formerIdsOf(state)];
    const wanted = this.#objects.resource.inherit?.(inputs, live, state) ?? inputs;
    const rotation = await rotates.rotation(live, wanted, call);
    let isRotated = wasRotated;
    const next = async () => {
      if (isRotated || rotation.trace === undefined) {
        const send = isRotated ? undefined : rotation.send;
        return this.#creation(wanted, call, send);
      }
      // It is asked for again only if it happened, and then the object before has its grace.
      isRotated = true;
      const existing = await this.#issued.named({ name }, projectId, call);
      return {
        intent: {
          key: propertiesOf({ name, projectId }),
          replaces: live.id,
          existing: [...existing.map((each) => each.id), ...kept],
          trace: rotation.trace,
        },
        send: () => rotation.send(name),
      };
    };
    const { live: fresh, unfinished } = await this.#issue(inputs, kept, next, call);
    return { ...(await rotates.afterRotation(fresh, live, inputs, state, call)), unfinished };
  }

  /**
   * Whether an earlier request has rotated an object, and its answer was lost: then the object is
   * about to expire, and what was shown of the one in its place is lost.
   */
  async #wasRotated(id: string, call: Call): Promise<boolean> {
    for (const entry of this.#objects.entries(call).creations()) {
      const isOfIt = entry.replaces === id && (entry.id !== undefined || entry.trace !== undefined);
      if (isOfIt && (await this.#objects.creations.resultOf(entry, call)) !== undefined) {
        return true;
      }
    }
    return false;
  }

  /** A creation under a name that no other request has, so its object can be found by it. */
  #creation(
    inputs: In,
    call: Call,
    send: (name: string) => Promise<Live> = (once) => this.#objects.resource.create(inputs, once, call),
  ): IssueRequest<Live> {
    const { name = "", projectId } = inputs;
    const once = oneTimeName(name);
    const key = propertiesOf({ name: once, projectId });
    return { intent: { key }, send: () => send(once) };
  }

  /** Sends requests until one is answered, so that exactly one object exists besides `kept`. */
  async #issue(
    inputs: In,
    kept: readonly string[],
    next: () => Promise<IssueRequest<Live>>,
    call: Call,
  ): Promise<IssuedObject<Live>> {
    const entries = this.#objects.entries(call);
    const { report } = call.context;
    for (let attempt = 1; ; attempt += 1) {
      const { intent, send } = await next();
      this.#supersede(intent, call);
      const live = await sendNoted<Live | undefined>(
        entries,
        {
          intent: { op: "create", ...intent },
          send,
          answered: (made) => (made === undefined ? {} : { id: made.id, answered: "created" }),
          resolve: async (outcome, entry) => {
            if (attempt === attemptsMax || !(await this.#wasCreated(entry, call))) {
              throw this.#stillUnknown(outcome, intent, inputs, call);
            }
            return undefined;
          },
        },
        report,
      );
      if (live !== undefined) {
        this.#objects.run.create(live.id, call.context.urn);
        const named = await this.#named(live, inputs, call);
        await this.#settleOthers([...kept, live.id], call);
        return named;
      }
      report.info(
        `The answer with ${this.#objects.resource.noun} ${quote(inputs.name ?? "")} was lost${this.#objects.texts.withIt}. Another one is created, and that one deleted.`,
      );
    }
  }

  /** An earlier rotation of the same object has not happened yet, and this one hides its trace. */
  #supersede({ replaces, existing = [] }: IssueRequest<Live>["intent"], call: Call): void {
    const entries = this.#objects.entries(call);
    for (const earlier of entries.creations()) {
      if (replaces !== undefined && earlier.replaces === replaces && earlier.id === undefined) {
        const others = [...(earlier.existing ?? []), ...existing];
        entries.update(earlier, { existing: others, trace: undefined });
      }
    }
  }

  /** Whether a request without an answer has created an object that can be found. */
  async #wasCreated(entry: NotedEntry | undefined, call: Call): Promise<boolean> {
    const { context } = call;
    context.report.progress(`no response; checking whether the ${this.#objects.texts.short} was created`);
    const look = async () => entry && (await this.#objects.creations.resultOf(entry, call));
    return (await findUnlessItFails(look, context)) !== undefined;
  }

  /**
   * Names a new object. A failure is only a warning, or what the object shows would be lost. It
   * needs no entry besides that of its creation, and the state says when it lacks its name.
   */
  async #named(live: Live, inputs: In, call: Call): Promise<IssuedObject<Live>> {
    const send = this.#objects.resource.change(live, inputs, undefined, call, true);
    try {
      return { live: send === undefined ? live : await send() };
    } catch (error) {
      // The rename may have been done, and its answer lost.
      const look = () => this.#objects.resource.find(live.id, inputs.projectId, call);
      const present = await findUnlessItFails(look, call.context);
      if (present !== undefined && !this.#objects.resource.change(present, inputs, undefined, call, true)) {
        return { live: { ...live, name: present.name } };
      }
      const why = messageOf(error);
      call.context.report.warning(
        `${this.#objects.texts.subject({ id: live.id })} was created, but is still called ${quote(live.name ?? "")}: it could not be renamed. The next "pulumi up" renames it. ${why}`,
      );
      return { live, unfinished: why };
    }
  }

  /** Settles what earlier requests made. A failure is left to the next run: the object exists. */
  async #settleOthers(kept: readonly string[], call: Call): Promise<void> {
    try {
      await this.#objects.creations.settleAll(kept, call);
    } catch (error) {
      const why = messageOf(error);
      call.context.report.warning(
        `A ${this.#objects.texts.short} of this resource whose ${this.#issued.shown ?? "answer"} was lost could not be deleted. The next deployment tries again. ${why}`,
      );
    }
  }

  #stillUnknown(
    outcome: OutcomeUnknownError,
    { replaces }: IssueRequest<Live>["intent"],
    { name = "" }: In,
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
      replaces === undefined
        ? `The creation of ${noun} ${quote(name)} ${what}, and a ${useless} may exist now or appear later. ` +
            `Run "pulumi up" again: it deletes exactly that ${short}, and creates another.`
        : `The rotation of ${noun} ${replaces} ${what}, and the ${short} may expire soon, with a new one in its place whose ${shown} is lost. ` +
            `Run "pulumi up" again: it checks what happened, and creates a ${short} whose ${shown} is known.`,
    );
  }

  /**
   * Without the journal, what a killed deployment has created has no entry. It has the automatic
   * name of the resource, so a warning names it. It may also be that of a stack in another backend.
   */
  async #warnOfUnnoted({ name, projectId }: In, call: Call): Promise<void> {
    const { urn, report } = call.context;
    if (
      name === undefined ||
      urn === undefined ||
      name !== this.#objects.creations.autoName(urn, projectId)
    ) {
      return;
    }
    const noted = this.#objects.entries(call).creations();
    const named = await readOrNothing(() => this.#issued.named({ query: name }, projectId, call), call);
    const found = named.filter((live) => {
      const isNoted = noted.some(({ id, key }) => id === live.id || key?.name === live.name);
      return isNameFor(name, live.name) && !isNoted && !this.#objects.run.isUsed(live.id);
    });
    if (found.length > 0) {
      report.warning(this.#objects.texts.unnotedIssue(found));
    }
  }
}

/** A list of which nothing depends but a warning. */
async function readOrNothing<T>(list: () => Promise<readonly T[]>, { context }: Call): Promise<readonly T[]> {
  try {
    return await list();
  } catch (error) {
    if (error instanceof BrowserInfraError && !context.signal.aborted) {
      return [];
    }
    throw error;
  }
}
