import { quote } from "../../../text/escape.js";
import type { Call } from "../../call.js";
import { sentNames } from "../../core/marks.js";
import type { LiveObject } from "../../core/owned/declaration.js";
import { type IssueRequest, Issuer } from "../../core/owned/issuer.js";
import { Properties, type PropertiesOf, type PropertyMap, t } from "../../properties.js";
import { refuseOwnKey } from "./own-key.js";
import { inherit } from "./policy.js";
import {
  type ApiKeyInputs,
  type ApiKeyState,
  apiKeyState,
  expiry,
  hasOtherExpiry,
  idsOf,
  type LiveKey,
  stateOf,
} from "./properties.js";
import { afterRotation, resultOfRotation, rotation, rotationReason, rotationTrace } from "./rotation.js";

/** Request for a new key, in the mark `unfinished` of the resource. */
const sentRequest = new Properties({
  /** Id of the key that the request rotates; missing for a creation. */
  rotates: t.string,
  name: t.string,
  projectId: t.string,
  /** Ids of keys with the name before a rotation. */
  before: t.listOf(t.string),
  ...rotationTrace.types,
});
type Sent = PropertiesOf<typeof sentRequest>;

/**
 * Creates and rotates keys: the service shows the secret of a key once. A new key succeeds the old
 * key, and the resource keeps the id of the first key.
 */
export class KeyIssuer extends Issuer {
  override unknownAfterUpdate(state: ApiKeyState, inputs: ApiKeyInputs): readonly string[] {
    return rotationReason(state, inputs) === undefined
      ? []
      : ["keyId", "key", "maskedKey", "createdAt", "createdBy", "expiresAt", "previousKeys"];
  }

  override whyRotate(state: ApiKeyState, inputs: ApiKeyInputs): string | undefined {
    return rotationReason(state, inputs);
  }

  /** A replacement inherits the undeclared members of the policy. */
  override async create(inputs: ApiKeyInputs, call: Call) {
    const old = this.objects.run.of(call.context.urn).replaces;
    if (old?.state === undefined) {
      return super.create(inputs, call);
    }
    const state: ApiKeyState = apiKeyState.read(old.state);
    const live = (await this.objects.resource.find(old.id, state.projectId, call)) as LiveKey | undefined;
    return super.create(inputs, call, inherit(inputs, live ?? state, state));
  }

  override async update(
    id: string,
    state: ApiKeyState,
    inputs: ApiKeyInputs,
    call: Call,
  ): Promise<ApiKeyState> {
    await this.#undo(state, call);
    const { resource, texts } = this.objects;
    const kept = idsOf(id, state);
    const why = rotationReason(state, inputs);
    const present = await resource.find(id, state.projectId, call);
    if (present === undefined) {
      if (why === undefined) {
        throw texts.goneError(id);
      }
      call.context.report.info(`${texts.subject({ id })} is gone, so a new key is created.`);
      const { live, unfinished } = await this.issue(inherit(inputs, state, state), kept, call);
      return { ...stateOf(live as LiveKey, inputs, state), unfinished };
    }
    // A rotation copies the name, so the rename comes first.
    const live = (await this.objects.change(present, inputs, state, call)) as LiveKey;
    const wasRotated = sentNames(state).includes(expiry) || hasOtherExpiry(live, state);
    if (why === undefined && !wasRotated) {
      return stateOf(live, inputs, state);
    }
    const wanted = inherit(inputs, live, state);
    const request = wasRotated ? undefined : await this.#rotation(live, wanted, call);
    const fresh = await this.issue(wanted, kept, call, request);
    const after = await afterRotation(fresh.live as LiveKey, live, inputs, state, call);
    return { ...after, unfinished: fresh.unfinished };
  }

  override async beforeRemoval(
    [presentId = "", ...formerIds]: readonly string[],
    state: ApiKeyState,
    call: Call,
  ): Promise<void> {
    await refuseOwnKey({ id: presentId, maskedKey: state.maskedKey }, "delete", call);
    for (const id of formerIds) {
      await refuseOwnKey({ id }, "delete", call);
    }
    await this.#undo(state, call);
  }

  async #rotation(live: LiveKey, inputs: ApiKeyInputs, call: Call): Promise<IssueRequest> {
    const { name = "", projectId } = inputs;
    const { trace, send } = await rotation(live, inputs, call);
    if (trace === undefined) {
      return this.creation(inputs, call, send);
    }
    const before = (await this.issued.named({ name }, projectId, call)).map((each) => each.id);
    const sent = { ...trace, rotates: live.id, name, projectId, before };
    return { send: () => send(name), find: () => this.#resultOf(sent, call), sent };
  }

  /** Finds the keys that a request may have made. */
  async #resultOf(sent: Sent, call: Call): Promise<readonly LiveObject[]> {
    const { rotates, name = "", projectId, before = [] } = sent;
    const named = (await this.issued.named({ name }, projectId, call)) as readonly LiveKey[];
    const fresh = named.filter(({ id }) => !before.includes(id) && !this.objects.run.isKnown(id));
    return rotates === undefined ? fresh : resultOfRotation(rotates, sent, fresh, call);
  }

  /** Deletes the key that a request of an earlier run created, if the response was lost. */
  async #undo({ unfinished }: ApiKeyState, call: Call): Promise<void> {
    if (unfinished?.request !== undefined) {
      const sent = sentRequest.read(unfinished.request as PropertyMap);
      await this.discard(await this.#resultOf(sent, call), sent, call);
    }
  }

  /** Deletes the key of a lost response, but only warns of several candidates. */
  protected override async discard(made: readonly LiveObject[], sent: Sent, call: Call): Promise<void> {
    if (made.length < 2) {
      return super.discard(made, sent, call);
    }
    const name = quote(sent.name ?? "");
    const commands = made.map(({ id }) => `"${this.objects.resource.deleteCommand} ${id}"`).join(" or ");
    const what =
      sent.rotates === undefined ? `a creation of API key ${name}` : `a rotation of API key ${sent.rotates}`;
    call.context.report.warning(
      `The response to ${what} was lost, and a key that it made cannot be distinguished from others with the name ${name}, so it was not deleted. ` +
        `Check which one is not in use, and delete that one: ${commands}.`,
    );
    for (const { id } of made) {
      // Prevents a second warning of the key as a namesake.
      this.objects.run.recordStored(id, undefined);
    }
  }

  protected override unknownText(sent: Sent, inputs: ApiKeyInputs, what: string): string {
    return sent.rotates === undefined
      ? super.unknownText(sent, inputs, what)
      : `The rotation of API key ${sent.rotates} ${what}, and the key may expire soon, with a new key in its place whose secret is lost. ` +
          'Run "pulumi up" again: it checks what happened, and creates a key whose secret is known.';
  }
}
