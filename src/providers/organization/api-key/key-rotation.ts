import { dateTimeMs } from "../../../text/date-time.js";
import type { Call } from "../../call.js";
import { sentNames } from "../../core/marks.js";
import type { Results, Rotation } from "../../core/owned/declaration.js";
import { timePrecisionMs } from "../../core/owned/finder.js";
import type { IssueRequest, Issuer } from "../../core/owned/issuer.js";
import type { OwnedObjects } from "../../core/owned/objects.js";
import { Properties, type PropertyMap, t } from "../../properties.js";
import { inherit } from "./policy.js";
import {
  type ApiKeyInputs,
  type ApiKeyState,
  type DeclaredApiKey,
  expiry,
  hasOtherExpiry,
  idsOf,
  type LiveKey,
  stateOf,
} from "./properties.js";
import {
  afterRotation,
  keysNamed,
  rotatedAtMs,
  rotation,
  rotationReason,
  rotationTrace,
} from "./rotation.js";

/** Rotation of a key, in the mark `unfinished` of the resource. */
const sentRotation = new Properties({
  rotates: t.string,
  name: t.string,
  projectId: t.string,
  /** Ids of keys with the name before a rotation. */
  before: t.listOf(t.string),
  ...rotationTrace.types,
});

/**
 * Finds the keys that a rotation without a response may have made: with the name of the old key, and new since
 * the request. Undefined for a request that rotates no key. The rotation is proved to have made a key if the
 * service created the key in the second in which the service changed the expiry of the old key.
 */
export async function resultsOfRotation(
  request: PropertyMap,
  call: Call,
): Promise<Results<LiveKey> | undefined> {
  const { rotates, name = "", projectId, before = [], ...trace } = sentRotation.read(request);
  if (rotates === undefined) {
    return undefined;
  }
  const rotatedAt = await rotatedAtMs(rotates, trace, call);
  const named = rotatedAt === undefined ? [] : await keysNamed({ name }, projectId, call);
  const fresh = named.filter(({ id }) => !before.includes(id));
  const isProved = ({ createdAt }: LiveKey) =>
    Math.abs((dateTimeMs(createdAt ?? "") ?? Number.NaN) - (rotatedAt ?? Number.NaN)) <= timePrecisionMs;
  return { proved: fresh.filter(isProved), possible: fresh.filter((key) => !isProved(key)) };
}

/**
 * Rotates keys: the service shows the secret of a key once. A new key succeeds the old key, and the resource
 * keeps the id of the first key.
 */
export class KeyRotation implements Rotation {
  readonly #issuer: Issuer;
  readonly #objects: OwnedObjects;

  constructor(issuer: Issuer, objects: OwnedObjects) {
    this.#issuer = issuer;
    this.#objects = objects;
  }

  unknownAfterUpdate(state: ApiKeyState, inputs: DeclaredApiKey): readonly string[] {
    return rotationReason(state, inputs) === undefined
      ? []
      : ["keyId", "key", "maskedKey", "createdAt", "createdBy", "expiresAt", "previousKeys"];
  }

  whyRotate(state: ApiKeyState, inputs: DeclaredApiKey): string | undefined {
    return rotationReason(state, inputs);
  }

  async update(id: string, state: ApiKeyState, inputs: ApiKeyInputs, call: Call): Promise<ApiKeyState> {
    const { resource, texts } = this.#objects;
    const kept = idsOf(id, state);
    const why = rotationReason(state, inputs);
    const present = await resource.find(id, state.projectId, call);
    if (present === undefined) {
      if (why === undefined) {
        throw texts.goneError(id);
      }
      call.context.report.info(`${texts.subject({ id })} is gone, so a new key is created.`);
      const { live, unfinished } = await this.#issuer.issue(inherit(inputs, state, state), kept, call);
      return { ...stateOf(live as LiveKey, inputs, state), unfinished };
    }
    // A rotation copies the name, so the rename comes first.
    const live = (await this.#objects.change(present, inputs, state, call)) as LiveKey;
    const wasRotated = sentNames(state).includes(expiry) || hasOtherExpiry(live, state);
    if (why === undefined && !wasRotated) {
      return stateOf(live, inputs, state);
    }
    const wanted = inherit(inputs, live, state);
    const request = wasRotated ? undefined : await this.#rotation(live, wanted, call);
    const fresh = await this.#issuer.issue(wanted, kept, call, request);
    const after = await afterRotation(fresh.live as LiveKey, live, inputs, state, call);
    return { ...after, unfinished: fresh.unfinished };
  }

  async #rotation(live: LiveKey, inputs: ApiKeyInputs, call: Call): Promise<IssueRequest> {
    const { name = "", projectId } = inputs;
    const { trace, send } = await rotation(live, inputs, call);
    if (trace === undefined) {
      return this.#issuer.creation(inputs, call, send);
    }
    const before = (await keysNamed({ name }, projectId, call)).map((each) => each.id);
    const sent = sentRotation.write({ ...trace, rotates: live.id, name, projectId, before });
    return {
      send: () => send(name),
      sent,
      unknownText: (how) =>
        `The rotation of API key ${live.id} ${how}, and the key may expire soon, with a new key in its place whose secret is lost. ` +
        'Run "pulumi up" again: it checks what happened, and creates a key whose secret is known.',
    };
  }
}
