import { ContractError, OutcomeUnknownError } from "../../../errors.js";
import { quote } from "../../../text/escape.js";
import { messageOf } from "../../../text/words.js";
import type { Call } from "../../call.js";
import { isNameFor, oneTimeName } from "../../names.js";
import type { DeclaredOfKnown } from "../declared.js";
import { type LostCreation, marksByError } from "../marks.js";
import { findBestEffort } from "../requests.js";
import type { Issued, LiveObject, Named } from "./declaration.js";
import type { OwnedObjects } from "./objects.js";

/** Maximum creation requests for one object. An object whose secret was lost is deleted first. */
const attemptsMax = 3;

/** Request for a new object, such as a key, with the means to find the object after a lost response. */
export interface IssueRequest {
  readonly send: () => Promise<LiveObject>;
  /** Finds the object after a lost response. Several results: candidates that cannot be told apart. */
  readonly find: () => Promise<readonly LiveObject[]>;
  readonly sent: LostCreation;
}

/** Creates objects that are useless if the response is lost, such as API keys. See {@link Issued}. */
export class Issuer {
  protected readonly issued: Issued<LiveObject>;
  protected readonly objects: OwnedObjects;

  constructor(issued: Issued<LiveObject>, objects: OwnedObjects) {
    this.issued = issued;
    this.objects = objects;
  }

  // Of kinds whose updates rotate objects. No other kind has these members.

  /** For the preview of an update: names of outputs that a rotation will change, such as the secret `key`. */
  unknownAfterUpdate?(state: Named, inputs: DeclaredOfKnown<Named>): readonly string[];
  /** Reason to rotate the object, as the end of a sentence: `"triggers" changed`. Undefined: no rotation. */
  whyRotate?(state: Named, inputs: DeclaredOfKnown<Named>): string | undefined;
  /** Changes or rotates the object. For a deleted object, creates a new object or throws `LookupError`. */
  update?(id: string, state: Named, inputs: Named, call: Call): Promise<Named>;
  /** Called before a deletion. Throws if an object must not be deleted, such as the deployment's own key. */
  beforeRemoval?(ids: readonly string[], state: Named, call: Call): Promise<void>;

  /** Creates the object of a resource. `wanted`: inputs to send, with settings inherited by a replacement. */
  async create(
    inputs: Named,
    call: Call,
    wanted = inputs,
  ): Promise<{ readonly id: string; readonly state: Named }> {
    try {
      const { live, unfinished } = await this.issue(wanted, [], call);
      const state = this.objects.resource.stateOf(live, inputs, undefined);
      return { id: live.id, state: { ...state, unfinished } };
    } catch (error) {
      const known = error instanceof OutcomeUnknownError ? marksByError.get(error) : undefined;
      throw known !== undefined && "request" in known
        ? this.objects.lostCreationFailure(error as OutcomeUnknownError, known.request, inputs, call)
        : error;
    }
  }

  /** Builds a creation under a unique one-time name, which identifies the object after a lost response. */
  protected creation(
    inputs: Named,
    call: Call,
    send = (once: string) => this.objects.resource.create(inputs, once, call),
  ): IssueRequest {
    const { projectId } = inputs;
    const name = oneTimeName(inputs.name ?? "");
    const find = () => this.issued.named({ name }, projectId, call);
    return { send: () => send(name), find, sent: { name, projectId } };
  }

  /**
   * Sends `first`. After a lost response, deletes the useless object and sends a creation: three requests at
   * most. Then, or if no object is found, throws `OutcomeUnknownError` (see `marksByError`). Renames the new
   * object as declared. `kept`: ids of the objects that the resource has.
   */
  protected async issue(
    inputs: Named,
    kept: readonly string[],
    call: Call,
    first = this.creation(inputs, call),
  ) {
    const { resource, texts, run } = this.objects;
    const { report, urn } = call.context;
    const { name = "" } = inputs;
    await this.#reportNamesakes(inputs, kept, call);
    let { send, find, sent } = first;
    for (let attempt = 1; ; attempt += 1) {
      try {
        const live = await send();
        run.recordCreateResult(live.id, urn);
        return await this.#rename(live, inputs, call);
      } catch (error) {
        if (!(error instanceof OutcomeUnknownError)) {
          throw error;
        }
        report.progress(`no response; checking whether the ${texts.shortNoun} was created`);
        const lookUp = async () => {
          const found = await find();
          return found.length === 0 ? undefined : found;
        };
        const made = await findBestEffort(lookUp, call.context);
        if (made === undefined || attempt === attemptsMax) {
          const outcome = error.withMessage(this.unknownText(sent, inputs, howLost(error, call)));
          marksByError.set(outcome, { request: sent });
          throw outcome;
        }
        await this.discard(made, sent, call);
        report.info(
          `The response with ${resource.noun} ${quote(name)} was lost${texts.lostValueClause}. The provider now creates a new ${texts.shortNoun}.`,
        );
        // After a rotation, the old object is in the grace period. So the next request is a creation.
        ({ send, find, sent } = this.creation(inputs, call));
      }
    }
  }

  /**
   * Gives a new object the declared name in place of the one-time name. A failure is only a warning and
   * returns the mark `unfinished`, so the next run renames: an error would lose the object with the secret.
   */
  async #rename(live: LiveObject, inputs: Named, call: Call) {
    const { resource, texts } = this.objects;
    const send = resource.change(live, inputs, undefined, call, true);
    try {
      return { live: send === undefined ? live : await send() };
    } catch (error) {
      // The rename may have succeeded with a lost response.
      const lookUp = () => resource.find(live.id, inputs.projectId, call);
      const present = await findBestEffort(lookUp, call.context);
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

  /** Deletes useless objects of a creation whose response was lost. A failed deletion is only a warning. */
  protected async discard(
    made: readonly LiveObject[],
    { projectId }: LostCreation,
    call: Call,
  ): Promise<void> {
    const { texts } = this.objects;
    const { report } = call.context;
    for (const live of made) {
      try {
        await this.objects.remove(live, projectId === undefined ? {} : { projectId }, call);
        report.info(texts.undone(live));
      } catch (error) {
        report.warning(`${texts.unmanaged([{ ...live, projectId }])} ${messageOf(error)}`);
      }
    }
  }

  /** Warns of objects with the declared or a one-time name, perhaps left by a killed deployment. */
  async #reportNamesakes(inputs: Named, kept: readonly string[], call: Call): Promise<void> {
    const { name = "", projectId } = inputs;
    const { run, texts } = this.objects;
    const look = () => this.issued.named({ query: name }, projectId, call);
    const named = (await findBestEffort(look, call.context)) ?? [];
    const isUnknown = ({ id }: LiveObject) => !kept.includes(id) && !run.isKnown(id);
    const found = named.filter((live) => isNameFor(name, live.name) && isUnknown(live));
    if (found.length > 0) {
      call.context.report.warning(texts.namesakes(found.map((live) => ({ ...live, projectId }))));
    }
  }

  /** Message of the error if a creation has no known outcome. `what`: for instance `got no response`. */
  protected unknownText(_sent: LostCreation, { name = "" }: Named, what: string): string {
    const { resource, texts } = this.objects;
    const { shortNoun } = texts;
    const { shown } = this.issued;
    const useless = shown === undefined ? shortNoun : `${shortNoun} whose ${shown} is lost`;
    return (
      `The creation of ${resource.noun} ${quote(name)} ${what}, and a ${useless} may exist now or appear later. ` +
      `Run "pulumi up" again: it deletes exactly that ${shortNoun}, and creates a new ${shortNoun}.`
    );
  }
}

function howLost({ cause }: OutcomeUnknownError, { context }: Call): string {
  return context.signal.aborted
    ? "was interrupted"
    : cause instanceof ContractError
      ? `got an unusable response (${cause.message})`
      : "got no response";
}
