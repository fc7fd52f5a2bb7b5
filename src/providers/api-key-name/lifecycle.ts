import type { ApiKey } from "../../client/index.js";
import { isNotFound } from "../../client/refusals.js";
import { dateTimeMs } from "../../text/date-time.js";
import { quote } from "../../text/escape.js";
import { Accounts, Call } from "../call.js";
import { KeyedMutex } from "../core/keyed-mutex.js";
import type { ChangeNote } from "../journal/change-notes.js";
import { undoChanges } from "../leftovers.js";
import type {
  CheckFailure,
  CheckRequest,
  CheckResult,
  Created,
  DiffRequest,
  DiffResult,
  LifecycleContext,
  PreviewRequest,
  ReadResult,
  Report,
  ResourceLifecycle,
  StoredResource,
} from "../lifecycle.js";
import { failuresFrom } from "../lifecycle.js";
import { readInPreview, settingsFailures } from "../look.js";
import { type PropertyMap, requireKnown, unknownValue } from "../properties.js";
import { ApiKeyClaims } from "./claims.js";
import { apiKeyNameFailures, apiKeyNameInputs, apiKeyNameState, liveProperties } from "./properties.js";
import {
  findKey,
  givenNames,
  nameBefore,
  noSuchKey,
  originalName,
  renameKey,
  restorePreviousName,
} from "./rename.js";

/**
 * The life cycle of the name of an existing API key. Keys are never created and never deleted:
 * creating the resource gives the key a name and remembers the one it had, deleting it restores
 * that one.
 */
export class ApiKeyNameLifecycle implements ResourceLifecycle {
  readonly #accounts: Accounts;
  readonly #claims = new ApiKeyClaims();
  /** Keys that a call is working on. */
  readonly #keys = new KeyedMutex();

  constructor(accounts = new Accounts()) {
    this.#accounts = accounts;
  }

  async check(
    { olds, news, isPreview = false }: CheckRequest,
    context: LifecycleContext,
  ): Promise<CheckResult> {
    const call = new Call(context, this.#accounts);
    const failures = this.#failuresOf(news, olds === undefined, call);
    if (isPreview && failures.length === 0) {
      failures.push(...(await previewFailures(olds, news, call)));
    }
    if (failures.length > 0) {
      // Invalid inputs are not repeated: one of them may be a secret.
      return { inputs: {}, failures };
    }
    const inputs = apiKeyNameInputs.readDeclared(news);
    return {
      inputs: apiKeyNameInputs.write({ ...inputs, onDelete: inputs.onDelete ?? "restore" }),
      failures,
    };
  }

  preview({ olds, inputs }: PreviewRequest, context: LifecycleContext): Promise<CheckFailure[]> {
    return previewFailures(olds, inputs, new Call(context, this.#accounts));
  }

  diff({ id, olds, news }: DiffRequest, context: LifecycleContext): DiffResult {
    const state = apiKeyNameState.read(olds);
    const inputs = apiKeyNameInputs.readDeclared(news);
    this.#claims.remember(id, state);
    if (inputs.keyId === unknownValue) {
      return {};
    }
    if (inputs.keyId !== id) {
      return { replaces: ["keyId"] };
    }
    this.#claims.keep(id, context.urn);
    const call = new Call(context, this.#accounts);
    const notes = call.journal.changes("api-key");
    const given = { name: state.name ?? null };
    if (this.#claims.isDeclared(id)) {
      const { previousName } = state;
      if (previousName !== undefined && originalName(id, previousName, call) !== previousName) {
        return { changes: true };
      }
      notes.inheritanceSettled(id);
      notes.stateHas(id, given);
    }
    if (inputs.name !== state.name || inputs.onDelete !== state.onDelete) {
      return {};
    }
    return { changes: notes.isInDoubt(id, given) };
  }

  async create(declared: PropertyMap, context: LifecycleContext): Promise<Created> {
    const inputs = apiKeyNameInputs.read(declared);
    const keyId = requireKnown(inputs.keyId, "keyId", "ApiKeyName");
    const name = requireKnown(inputs.name, "name", "ApiKeyName");
    const call = new Call(context, this.#accounts);
    await this.#restoreOtherNames(keyId, call);
    return this.#keys.run(keyId, async () => {
      const { key, whyGone } = await findKey(keyId, call);
      if (key === undefined) {
        throw await noSuchKey(keyId, whyGone, call);
      }
      warnIfExpired(key, context.report);
      const notes = call.journal.changes("api-key");
      // Of a resource that a deployment has destroyed, for instance.
      notes.forgetAnswer(keyId);
      const previousName = this.#nameBefore(key, call);
      let named = key;
      if (key.name === name) {
        notes.answered(keyId, { name });
        context.report.info(alreadyNamed(key, previousName));
      } else {
        named = await renameKey({ keyId, name, previousName }, call);
      }
      this.#claims.create(keyId, context.urn);
      const state = { ...inputs, ...liveProperties(named), previousName };
      return { id: keyId, outputs: apiKeyNameState.write(state) };
    });
  }

  async read(stored: StoredResource, context: LifecycleContext): Promise<ReadResult | undefined> {
    const { id } = stored;
    const state = apiKeyNameState.read(stored.state);
    const call = new Call(context, this.#accounts);
    const { key, whyGone } = await findKey(id, call);
    if (key === undefined) {
      if (state.name === undefined) {
        // A lookup. If it were reported as gone, the engine would continue without its outputs.
        throw await noSuchKey(id, whyGone, call);
      }
      // The state forgets the resource, so nobody settles what it was still to inherit.
      call.journal.changes("api-key").settled(id);
      context.report.info(`API key ${id} is gone: ${whyGone}.`);
      return undefined;
    }
    warnIfExpired(key, context.report);
    if (state.name !== undefined && state.name !== key.name) {
      context.report.info(
        `API key ${id} was renamed outside of this program: from ${quote(state.name)} to ${quote(key.name)}.`,
      );
    }
    const isImport = stored.isImport === true;
    const { onDelete = "restore" } = state;
    return {
      id,
      outputs: apiKeyNameState.write({
        ...liveProperties(key),
        // For a lookup there is no resource that remembered or decided anything.
        onDelete: state.name === undefined && !isImport ? undefined : onDelete,
        previousName: isImport ? key.name : state.previousName,
      }),
      inputs: apiKeyNameInputs.write({ keyId: id, name: key.name, onDelete }),
    };
  }

  async update({ id, olds, news }: DiffRequest, context: LifecycleContext): Promise<PropertyMap> {
    const state = apiKeyNameState.read(olds);
    const inputs = apiKeyNameInputs.read(news);
    const name = requireKnown(inputs.name, "name", "ApiKeyName");
    const formerName = state.name;
    const call = new Call(context, this.#accounts);
    const previousName = originalName(id, state.previousName ?? formerName ?? name, call);
    return this.#keys.run(id, async () => {
      if (name === formerName && !call.journal.changes("api-key").isInDoubt(id, { name })) {
        return apiKeyNameState.write({ ...state, ...inputs, previousName });
      }
      try {
        const named = await renameKey({ keyId: id, name, formerName, previousName }, call);
        warnIfExpired(named, context.report);
        return apiKeyNameState.write({ ...inputs, ...liveProperties(named), previousName });
      } catch (error) {
        const { whyGone } = isNotFound(error) ? await findKey(id, call) : {};
        throw whyGone === undefined ? error : await noSuchKey(id, whyGone, call);
      }
    });
  }

  async delete({ id, state: stored }: StoredResource, context: LifecycleContext): Promise<void> {
    const state = apiKeyNameState.read(stored);
    const call = new Call(context, this.#accounts);
    this.#claims.remember(id, state);
    const notes = call.journal.changes("api-key");
    return this.#keys.run(id, async () => {
      const { name, previousName: found } = state;
      const previousName = found && originalName(id, found, call);
      if (this.#claims.isTaken(id, context.urn)) {
        const before = previousName === undefined ? "" : ` Its previous name was ${quote(previousName)}.`;
        context.report.info(
          `API key ${id} keeps its name: another resource of this program now sets its name.${before}`,
        );
        if (name !== undefined && previousName !== undefined && name !== previousName) {
          notes.inherits(id, { name }, { name: previousName });
        }
        return;
      }
      // If the resource replaces itself, its successor must find the previous name.
      if (state.onDelete !== "keep" || this.#claims.isToBeCreated(id)) {
        await restorePreviousName(id, { ...state, previousName }, call);
        notes.inheritanceSettled(id);
      } else {
        notes.settled(id);
      }
    });
  }

  hasLeftovers(context: LifecycleContext): boolean {
    const { journal } = new Call(context, this.#accounts);
    return journal.changes("api-key").hasToUndo((keyId) => this.#claims.isKnown(keyId));
  }

  end(isUpdate: boolean | undefined, context: LifecycleContext): Promise<void> {
    return undoChanges(new Call(context, this.#accounts), {
      kind: "api-key",
      knows: (keyId) => this.#claims.isKnown(keyId),
      isUpdate,
      undo: (note, theirs) => this.#restoreName(note, theirs),
    });
  }

  /** The name before this resource, which an interrupted run may have given its present name. */
  #nameBefore({ id, name }: ApiKey, call: Call): string {
    const pending = call.journal.changes("api-key").find(id);
    const stored = this.#claims.stored.get(id);
    const known = stored?.name === name ? stored.previousName : name;
    const isGiven = pending !== undefined && givenNames(pending).includes(name);
    return originalName(id, isGiven ? nameBefore(pending) : known, call);
  }

  /** Undoes what an interrupted run left on keys that this resource no longer names. */
  async #restoreOtherNames(keyId: string, call: Call): Promise<void> {
    const notes = call.journal.changes("api-key");
    for (const note of notes.ofOthers(keyId)) {
      if (!this.#claims.isDeclared(note.objectId)) {
        await this.#restoreName(note, call);
        notes.settled(note.objectId);
      }
    }
  }

  async #restoreName(note: ChangeNote, call: Call): Promise<void> {
    const keyId = note.objectId;
    const previousName = originalName(keyId, nameBefore(note), call);
    await this.#keys.run(keyId, () =>
      restorePreviousName(keyId, { name: givenNames(note).at(-1) ?? previousName, previousName }, call),
    );
  }

  #failuresOf(news: PropertyMap, isNew: boolean, call: Call): CheckFailure[] {
    return failuresFrom(() => {
      const failures = apiKeyNameFailures(news, call.settings.apiKey);
      const { keyId } = apiKeyNameInputs.read(news);
      const { urn } = call.context;
      if (failures.length > 0 || keyId === undefined || urn === undefined) {
        return failures;
      }
      const rival = this.#claims.declare(keyId, urn, isNew);
      call.journal.changes("api-key").declare(keyId);
      if (rival === undefined) {
        return [];
      }
      const reason = `Two resources of this program name the API key "${keyId}"; the other one is ${rival}. Remove one of them.`;
      return [{ property: "keyId", reason }];
    });
  }
}

/** For a preview: what the deployment would refuse about an ApiKeyName. */
async function previewFailures(
  olds: PropertyMap | undefined,
  news: PropertyMap,
  call: Call,
): Promise<CheckFailure[]> {
  const failures = await settingsFailures(undefined, call);
  const { keyId, name } = apiKeyNameInputs.read(news);
  const known = apiKeyNameInputs.read(olds ?? {});
  // What does not change sends nothing. A key that is gone is found by a refresh.
  if (failures.length > 0 || keyId === undefined || (known.keyId === keyId && known.name === name)) {
    return failures;
  }
  const problem = await readInPreview(call, async (limited) => {
    const { key, whyGone } = await findKey(keyId, limited);
    return key === undefined ? noSuchKey(keyId, whyGone, limited) : undefined;
  });
  return problem === undefined ? [] : [{ property: "keyId", reason: problem.message }];
}

/** An expired key can be renamed like any other, but whoever deploys should know. */
function warnIfExpired({ id, name, expiresAt }: ApiKey, report: Report): void {
  const expiry = expiresAt === null ? undefined : dateTimeMs(expiresAt);
  if (expiry !== undefined && expiry <= Date.now()) {
    report.warning(`API key ${quote(name)} (${id}) expired on ${expiresAt}: requests with it are refused.`);
  }
}

function alreadyNamed({ id, name }: ApiKey, previousName: string): string {
  const meaning =
    previousName === name
      ? "Deleting this resource will leave it as it is."
      : `Before this program named it, it was ${quote(previousName)}.`;
  return `API key ${id} already has the name ${quote(name)}; nothing was sent. ${meaning}`;
}
