import { isDeepStrictEqual } from "node:util";
import type { ApiKey } from "../../client/index.js";
import { isNotFound } from "../../client/refusals.js";
import { LookupError } from "../../errors.js";
import { dateTimeMs } from "../../text/date-time.js";
import { quote } from "../../text/escape.js";
import { findKey, renameKey } from "../api-key-name/rename.js";
import { autoName } from "../auto-name.js";
import { Accounts, Call, claim } from "../call.js";
import { KeyedMutex } from "../core/keyed-mutex.js";
import { undoLeftovers } from "../leftovers.js";
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
  ResourceLifecycle,
  StoredResource,
} from "../lifecycle.js";
import { failuresFrom } from "../lifecycle.js";
import { settingsFailures } from "../look.js";
import { type PropertyMap, requireKnown, unknownValue } from "../properties.js";
import { createKey, wantedKey, wasRotated } from "./issue.js";
import { clearOrphans } from "./orphans.js";
import {
  type ApiKeyState,
  apiKeyFailures,
  apiKeyInputs,
  apiKeyMemo,
  apiKeyMemoVersion,
  apiKeyState,
  lifetimeDays,
  liveProperties,
  rotatedOutputs,
  withInputs,
  writeApiKeyState,
} from "./properties.js";
import { deleteAll, rememberPrevious, rotate, whyRotate } from "./rotation.js";

type Urn = string | undefined;

/**
 * The life cycle of an API key with its secret. The service shows the secret once, in the answer to
 * the creation or the rotation. So a key whose answer was lost is deleted and made again. Its
 * one-time name tells which one that is or, after a rotation, the time of that.
 *
 * A rotation is an update in place: the resource keeps the id of its first key, and its outputs
 * change to those of the new one.
 */
export class ApiKeyLifecycle implements ResourceLifecycle {
  readonly #accounts: Accounts;
  /** Resources that the program declares. */
  readonly #declared = new Set<Urn>();
  /** Names that the program gives, with the project, by resource. */
  readonly #claims = new Map<Urn, string>();
  /** Resources that left the program, or their former objects. */
  readonly #ended = new Set<Urn>();
  /** Keys that the state has, as far as this run has seen: of a renamed resource, for instance. */
  readonly #seen = new Set<string>();
  /** Names under which a call creates keys: two with one name must not take each other's. */
  readonly #names = new KeyedMutex();

  constructor(accounts = new Accounts()) {
    this.#accounts = accounts;
  }

  async check(
    { news, olds, memo, isPreview = false }: CheckRequest,
    context: LifecycleContext,
  ): Promise<CheckResult> {
    const call = new Call(context, this.#accounts);
    const { urn } = context;
    const failures = failuresFrom(() => apiKeyFailures(news, call.settings.apiKey));
    const declared = apiKeyInputs.readDeclared(news);
    const known = apiKeyMemo.read(memo ?? {}).autoName;
    const automatic = known ?? (urn === undefined ? undefined : autoName(urn));
    const inputs = apiKeyInputs.write({ ...declared, name: declared.name ?? automatic });
    if (failures.length === 0) {
      // A name that is refused may be a secret.
      failures.push(...this.#nameFailures(inputs, urn));
    }
    if (isPreview && failures.length === 0) {
      failures.push(...(await previewFailures(olds, inputs, call)));
    }
    if (failures.length > 0) {
      // Invalid inputs are not repeated: one of them may be a secret.
      return { inputs: {}, failures };
    }
    this.#declared.add(urn);
    call.journal.creations("api-key").declare();
    return {
      inputs,
      failures,
      memo: apiKeyMemo.write({ version: apiKeyMemoVersion, autoName: automatic }),
    };
  }

  preview({ olds, inputs }: PreviewRequest, context: LifecycleContext): Promise<CheckFailure[]> {
    return previewFailures(olds, inputs, new Call(context, this.#accounts));
  }

  diff({ id, olds, news }: DiffRequest, context: LifecycleContext): DiffResult {
    const state = apiKeyState.read(olds);
    const inputs = apiKeyInputs.readDeclared(news);
    const { keyId = id } = state;
    const replaces = (["projectId", "daysToExpire"] as const).filter((input) =>
      input === "projectId"
        ? inputs.projectId !== state.projectId
        : // A rotation cannot make a key that never expires.
          inputs.daysToExpire === undefined && state.daysToExpire !== undefined,
    );
    // A refresh compares without a declaration, with what it has just read.
    if (!this.#declared.has(context.urn)) {
      return replaces.length > 0 ? { replaces } : inputs.name === state.name ? { changes: false } : {};
    }
    const { journal } = new Call(context, this.#accounts);
    const { report } = context;
    const notes = journal.creations("api-key");
    this.#seen.add(keyId);
    // Also of a key that is replaced: otherwise its creation would pass for one that was lost.
    notes.stateHas(keyId);
    const renames = journal.changes("api-key");
    const given = { name: state.name ?? null };
    renames.declare(keyId);
    renames.stateHas(keyId, given);
    if (replaces.length > 0) {
      return { replaces };
    }
    const why = whyRotate(state, inputs);
    if (why !== undefined) {
      report.info(`This deployment rotates API key ${keyId}: ${why}.`);
      return { changes: true };
    }
    if (notes.mayHaveDeleted(keyId)) {
      report.info(
        `An interrupted deployment may have deleted API key ${keyId}. This one checks whether it still exists.`,
      );
      return { changes: true };
    }
    if (notes.hasToLook() || renames.isInDoubt(keyId, given)) {
      return { changes: true };
    }
    const isSame = Object.keys(apiKeyInputs.types).every((input) =>
      isDeepStrictEqual(inputs[input as keyof typeof inputs], state[input as keyof typeof inputs]),
    );
    return isSame ? { changes: false } : {};
  }

  unknownAfterUpdate({ olds, news }: DiffRequest): readonly string[] {
    const why = whyRotate(apiKeyState.read(olds), apiKeyInputs.readDeclared(news));
    return why === undefined ? [] : rotatedOutputs;
  }

  async create(declared: PropertyMap, context: LifecycleContext): Promise<Created> {
    const inputs = apiKeyInputs.read(declared);
    const name = requireKnown(inputs.name, "name", "ApiKey");
    if (declared.projectId === unknownValue) {
      requireKnown(inputs.projectId, "projectId", "ApiKey");
    }
    const call = new Call(context, this.#accounts);
    return this.#names.run(name, async () => {
      const key = await createKey(wantedKey(inputs, name), call, [...this.#seen]);
      const previousKeys = call.journal.creations("api-key").outlived;
      const state = { ...inputs, ...liveProperties(key), previousKeys };
      return { id: key.id, outputs: writeApiKeyState(state) };
    });
  }

  async read(stored: StoredResource, context: LifecycleContext): Promise<ReadResult | undefined> {
    const { id, isImport = false } = stored;
    const known = apiKeyState.read(stored.state);
    const call = new Call(context, this.#accounts);
    const { keyId = id } = known;
    const isLookup = known.keyId === undefined && !isImport;
    const { key, whyGone } = await findKey(keyId, call);
    if (key === undefined) {
      if (isLookup || isImport) {
        throw noSuchKey(keyId, whyGone);
      }
      context.report.warning(
        `API key ${keyId} is gone: ${whyGone}. "pulumi up" creates another one.${rememberPrevious(known, call)}`,
      );
      return undefined;
    }
    reportChanges(key, known, call);
    const live = liveProperties(key);
    const state: ApiKeyState = isImport
      ? { ...live, daysToExpire: lifetimeDays(key) }
      : { ...known, ...live };
    if (isImport) {
      context.report.warning(
        `The service shows the secret of a key only once, so "key" of API key ${keyId} has no value until the key is rotated.`,
      );
    }
    return {
      id,
      outputs: writeApiKeyState(state),
      inputs: apiKeyInputs.write(state),
      ...(isImport ? { memo: apiKeyMemo.write({ version: apiKeyMemoVersion, autoName: key.name }) } : {}),
    };
  }

  async update({ id, olds, news }: DiffRequest, context: LifecycleContext): Promise<PropertyMap> {
    const stored = apiKeyState.read(olds);
    const state = { ...stored, keyId: stored.keyId ?? id };
    const inputs = apiKeyInputs.read(news);
    const name = requireKnown(inputs.name, "name", "ApiKey");
    const call = new Call(context, this.#accounts);
    const notes = call.journal.creations("api-key");
    return this.#names.run(name, async () => {
      const { keyId } = state;
      const why = whyRotate(state, inputs);
      const known = [keyId, ...(state.previousKeys ?? []).flatMap((key) => key.id ?? [])];
      if (notes.mayHaveDeleted(keyId) && (await findKey(keyId, call)).key === undefined) {
        const key = await createKey(wantedKey(inputs, name), call, known);
        notes.deletionSettled(keyId);
        return writeApiKeyState({ ...withInputs(state, inputs), ...liveProperties(key) });
      }
      notes.deletionSettled(keyId);
      // A rotation copies the name.
      const named = await this.#rename(state, name, call);
      if (why !== undefined || (await wasRotated(keyId, known, call))) {
        return writeApiKeyState(await rotate({ ...state, ...named }, inputs, name, call));
      }
      await clearOrphans(notes.pending(), known, call);
      return writeApiKeyState(withInputs({ ...state, ...named }, inputs));
    });
  }

  async delete({ id, state: stored }: StoredResource, context: LifecycleContext): Promise<void> {
    const call = new Call(context, this.#accounts);
    const known = apiKeyState.read(stored);
    const state = { ...known, keyId: known.keyId ?? id };
    this.#ended.add(context.urn);
    const notes = call.journal.creations("api-key");
    if (!notes.isOfThisDeployment) {
      // What an interrupted run may have left goes as well.
      await clearOrphans(notes.pending(), [state.keyId], call);
    }
    await deleteAll(state, call);
    call.journal.changes("api-key").settled(state.keyId);
  }

  hasLeftovers(context: LifecycleContext): boolean {
    const { journal } = new Call(context, this.#accounts);
    return journal.creations("api-key").hasToUndo((urn) => this.#knows(urn));
  }

  end(isUpdate: boolean | undefined, context: LifecycleContext): Promise<void> {
    const notesOf = (call: Call) => call.journal.creations("api-key");
    return undoLeftovers(new Call(context, this.#accounts), {
      notesOf,
      knows: (urn) => this.#knows(urn),
      isUpdate,
      undo: (theirs) => clearOrphans(notesOf(theirs).pending(), [...this.#seen], theirs),
    });
  }

  #knows(urn: Urn): boolean {
    return this.#declared.has(urn) || this.#ended.has(urn);
  }

  /** The failure of a name that another ApiKey of the program has as well. */
  #nameFailures({ name, projectId }: PropertyMap, urn: Urn): CheckFailure[] {
    if (typeof name !== "string" || projectId === unknownValue) {
      return [];
    }
    const other = claim(this.#claims, `${String(projectId ?? "")}/${name}`, urn);
    const reason =
      `Two ApiKeys of this program have the name ${quote(name)}; the other one is ${other}. ` +
      'If the answer to a rotation is lost, their keys cannot be told apart. Give one of them another "name", or leave it out.';
    return other === undefined ? [] : [{ property: "name", reason }];
  }

  /** Gives the key its name, if it may have another. Returns the name that it has then. */
  async #rename({ keyId, name: formerName }: ApiKeyState & { keyId: string }, name: string, call: Call) {
    if (name === formerName && !call.journal.changes("api-key").isInDoubt(keyId, { name })) {
      return {};
    }
    try {
      const rename = { keyId, name, formerName, previousName: formerName ?? name };
      // The answer to a rename may leave out everything else, which it does not change.
      return { name: (await renameKey(rename, call)).name };
    } catch (error) {
      const { whyGone } = isNotFound(error) ? await findKey(keyId, call) : {};
      throw whyGone === undefined ? error : noSuchKey(keyId, whyGone);
    }
  }
}

/** For a preview: what the deployment would refuse about an ApiKey. */
function previewFailures(
  olds: PropertyMap | undefined,
  news: PropertyMap,
  call: Call,
): Promise<CheckFailure[]> {
  const { projectId } = apiKeyInputs.read(news);
  // The project of a key that exists is not asked for again.
  const isNew = apiKeyInputs.read(olds ?? {}).projectId !== projectId;
  return settingsFailures(isNew ? projectId : undefined, call, "projectId");
}

/** Says what somebody has changed outside of the program. */
function reportChanges({ id, name, expiresAt }: ApiKey, known: ApiKeyState, { context }: Call): void {
  if (known.name !== undefined && known.name !== name) {
    context.report.info(
      `API key ${id} was renamed outside of this program: from ${quote(known.name)} to ${quote(name)}.`,
    );
  }
  const expiry = dateTimeMs(expiresAt ?? "");
  if (known.keyId !== undefined && known.expiresAt !== (expiresAt ?? undefined)) {
    context.report.info(
      `The expiry of API key ${id} was changed outside of this program: from ${known.expiresAt ?? "never"} to ${expiresAt ?? "never"}. A rotation outside does that.`,
    );
  }
  if (expiry !== undefined && expiry <= Date.now()) {
    context.report.warning(
      `API key ${quote(name)} (${id}) expired on ${expiresAt}: requests with it are refused. Change "triggers" to rotate it.`,
    );
  }
}

function noSuchKey(keyId: string, whyGone: string | undefined): LookupError {
  return new LookupError(
    "api_key_not_found",
    `There is no API key "${keyId}": ${whyGone}. Run "pulumi up --refresh": it creates another one in its place.`,
  );
}
