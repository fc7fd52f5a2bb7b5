import { ContractError, OutcomeUnknownError } from "../../../errors.js";
import { quote } from "../../../text/escape.js";
import { messageOf } from "../../../text/words.js";
import type { Call } from "../../call.js";
import { isNameFor, oneTimeName } from "../../names.js";
import type { PropertyMap, PropertyValue } from "../../properties.js";
import { addToMark, MarkedFailure, type Named, type Unfinished } from "../marks.js";
import { findBestEffort } from "../requests.js";
import type { LostRequest } from "../run.js";
import type { Issued, LiveObject, Results } from "./declaration.js";
import type { OwnedObjects } from "./objects.js";

/** Maximum creation requests for one object. An object whose secret was lost is deleted first. */
const attemptsMax = 3;

/** Reason of a mark with requests that may still arrive, after a successful further attempt. */
export const earlierReason = "An earlier request of the same deployment got no response.";

/** Data that find the results of a request, in the mark `unfinished`: at least a one-time name. */
type Sent = PropertyMap & { readonly name?: string; readonly projectId?: string };

/** Request for a new object, such as a key. */
export interface IssueRequest {
  readonly send: () => Promise<LiveObject>;
  readonly sent: Sent;
  /** Message if the outcome stays unknown. `how`: for instance `got no response`. Default: of a creation. */
  readonly unknownText?: (how: string) => string;
}

/** Creates objects that are useless if the response is lost, such as API keys. See {@link Issued}. */
export class Issuer {
  readonly #issued: Issued<LiveObject>;
  readonly #objects: OwnedObjects;

  constructor(issued: Issued<LiveObject>, objects: OwnedObjects) {
    this.#issued = issued;
    this.#objects = objects;
  }

  /** Creates the object of a resource. Earlier attempts of this run without a response are settled first. */
  async create(inputs: Named, call: Call): Promise<{ readonly id: string; readonly state: Named }> {
    const { run, resource } = this.#objects;
    const { urn } = call.context;
    const { lost } = run.of(urn);
    const open = await this.settleLost(lost, call);
    try {
      const { live, unfinished } = await this.issue(inputs, [], call);
      const earlier = open.length > 0 ? { reason: earlierReason, requests: open } : undefined;
      const state = resource.stateOf(live, inputs, undefined);
      return { id: live.id, state: { ...state, unfinished: addToMark(earlier, unfinished) } };
    } catch (error) {
      const [sent] = error instanceof MarkedFailure ? (error.mark.requests ?? []) : [];
      if (!(error instanceof MarkedFailure && error.failure instanceof OutcomeUnknownError)) {
        throw error;
      }
      const { name, projectId } = sent as Sent;
      const earlierNames = open.flatMap((each) => each.name ?? []);
      const gaveUpAt = call.account.serviceTime();
      const request = { name, projectId, gaveUpAt, ...(earlierNames.length > 0 && { earlierNames }) };
      const unknown = { request, sent: inputs };
      run.note(urn, { lost: unknown });
      throw this.#objects.lostCreationFailure(error.failure, unknown, call);
    }
  }

  /** Builds a creation under a unique one-time name, which identifies the object after a lost response. */
  creation(
    inputs: Named,
    call: Call,
    send = (once: string) => this.#objects.resource.create(inputs, once, call),
  ): IssueRequest {
    const { projectId } = inputs;
    const name = oneTimeName(inputs.name ?? "");
    return { send: () => send(name), sent: { name, ...(projectId === undefined ? {} : { projectId }) } };
  }

  /**
   * Sends `first`. After a lost response, deletes the useless object and sends a creation: three requests at
   * most. Then, or if no object is found, throws `MarkedFailure` with the request. Renames the new object as
   * declared. `kept`: ids of the objects that the resource has.
   */
  async issue(inputs: Named, kept: readonly string[], call: Call, first = this.creation(inputs, call)) {
    const { resource, texts, run } = this.#objects;
    const { report, urn } = call.context;
    const { name = "" } = inputs;
    await this.#reportNamesakes(inputs, kept, call);
    let request = first;
    for (let attempt = 1; ; attempt += 1) {
      try {
        const live = await request.send();
        run.recordCreateResult(live.id, urn);
        return await this.#rename(live, inputs, call);
      } catch (error) {
        if (!(error instanceof OutcomeUnknownError)) {
          throw error;
        }
        report.progress(`no response; checking whether the ${texts.shortNoun} was created`);
        const { sent, unknownText = (how) => this.#unknownText(inputs, how) } = request;
        const results = await findBestEffort(() => this.#resultsOf(sent, call), call.context);
        const unknown = () =>
          new MarkedFailure(error.withMessage(unknownText(howLost(error, call))), { requests: [sent] });
        if (results === undefined || attempt === attemptsMax) {
          throw unknown();
        }
        await this.#discard(results, sent, call).catch(() => {
          throw unknown();
        });
        report.info(
          `The response with ${resource.noun} ${quote(name)} was lost${texts.lostValueClause}. The provider now creates a new ${texts.shortNoun}.`,
        );
        // After a rotation, the old object is in the grace period. So the next request is a creation.
        request = this.creation(inputs, call);
      }
    }
  }

  /**
   * Deletes the results of a creation without a response. Returns the requests of this run that found nothing, and
   * may still arrive.
   */
  async settleLost(lost: LostRequest | undefined, call: Call): Promise<readonly Sent[]> {
    const { name, projectId, earlierNames = [] } = lost?.request ?? {};
    const names = [...earlierNames, ...(name === undefined ? [] : [name])];
    const place = projectId === undefined ? {} : { projectId };
    const open = await this.settle(
      names.map((each) => ({ name: each, ...place })),
      call,
    );
    const { run } = this.#objects;
    const { urn } = call.context;
    if (run.of(urn).failed !== undefined) {
      return open;
    }
    run.note(urn, { lost: undefined });
    return [];
  }

  /**
   * Deletes the results of requests without a response. Returns the requests of which nothing was found. `kept`:
   * ids of the objects that the resource has, in a destroy unknown to the run.
   */
  async settle(
    requests: readonly PropertyValue[] = [],
    call: Call,
    kept: readonly string[] = [],
  ): Promise<readonly Sent[]> {
    const open: Sent[] = [];
    for (const request of requests) {
      const results = await this.#resultsOf(request as Sent, call, kept);
      if (results === undefined) {
        open.push(request as Sent);
      } else {
        await this.#discard(results, request as Sent, call);
      }
    }
    return open;
  }

  /** Finds the objects that a request may have made, without the objects known to the run. Undefined: none. */
  async #resultsOf(
    sent: Sent,
    call: Call,
    kept: readonly string[] = [],
  ): Promise<Results<LiveObject> | undefined> {
    const { name = "", projectId } = sent;
    const { proved, possible } = (await this.#issued.resultsOf?.(sent, call)) ?? {
      // A one-time name proves the request.
      proved: await this.#issued.named({ name }, projectId, call),
      possible: [],
    };
    const isUnknown = ({ id }: LiveObject) => !kept.includes(id) && !this.#objects.run.isKnown(id);
    const results = { proved: proved.filter(isUnknown), possible: possible.filter(isUnknown) };
    return results.proved.length + results.possible.length === 0 ? undefined : results;
  }

  /**
   * Gives a new object the declared name in place of the one-time name. A failure is only a warning and
   * returns the mark `unfinished`, so the next run renames: an error would lose the object with the secret.
   */
  async #rename(
    live: LiveObject,
    inputs: Named,
    call: Call,
  ): Promise<{ live: LiveObject; unfinished?: Unfinished }> {
    const { resource, texts } = this.#objects;
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

  /**
   * Deletes the useless object of a request whose response was lost. A refused deletion is only a warning, and so
   * are several objects, or an object that the request is not proved to have made. Throws if the outcome of the
   * deletion is unknown: the state must keep the request for the next run.
   */
  async #discard({ proved, possible }: Results<LiveObject>, sent: Sent, call: Call): Promise<void> {
    const { texts, run } = this.#objects;
    const { report } = call.context;
    const place = sent.projectId === undefined ? {} : { projectId: sent.projectId };
    const [made, ...others] = proved;
    if (made === undefined || others.length > 0) {
      const all = [...proved, ...possible];
      report.warning(texts.indistinct(all.map((live) => ({ ...live, ...place }))));
      for (const { id } of all) {
        // Prevents a second warning of the object as a namesake.
        run.recordStored(id, undefined);
      }
      return;
    }
    try {
      await this.#objects.remove(made, place, call);
      report.info(texts.undone(made));
    } catch (error) {
      if (error instanceof OutcomeUnknownError || call.context.signal.aborted) {
        throw error;
      }
      report.warning(`${texts.unmanaged([{ ...made, ...place }])} ${messageOf(error)}`);
    }
  }

  /** Warns of objects with the declared or a one-time name, perhaps left by a killed deployment. */
  async #reportNamesakes(inputs: Named, kept: readonly string[], call: Call): Promise<void> {
    const { name = "", projectId } = inputs;
    const { run, texts, finder } = this.#objects;
    if (await finder.lacks((found) => isNameFor(name, found), projectId, call)) {
      return;
    }
    const look = () => this.#issued.named({ query: name }, projectId, call);
    const named = (await findBestEffort(look, call.context)) ?? [];
    const isUnknown = ({ id }: LiveObject) => !kept.includes(id) && !run.isKnown(id);
    const found = named.filter((live) => isNameFor(name, live.name) && isUnknown(live));
    if (found.length > 0) {
      call.context.report.warning(texts.namesakes(found.map((live) => ({ ...live, projectId }))));
    }
  }

  #unknownText({ name = "" }: Named, how: string): string {
    const { resource, texts } = this.#objects;
    const { shortNoun } = texts;
    const { shown } = this.#issued;
    const useless = shown === undefined ? shortNoun : `${shortNoun} whose ${shown} is lost`;
    return (
      `The creation of ${resource.noun} ${quote(name)} ${how}, and a ${useless} may exist now or appear later. ` +
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
