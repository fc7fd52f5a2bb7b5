import { type ApiKey, type BrowserInfraClient, isNotFound } from "../client/index.js";
import { ConfigError, InputError } from "../errors.js";
import { quote } from "../text/escape.js";
import { ApiKeyClaims } from "./api-key-name-claims.js";
import { apiKeyNameFailures } from "./api-key-name-inputs.js";
import { findKey, noSuchKey } from "./api-key-name-lookup.js";
import { renameNotes } from "./api-key-name-notes.js";
import { liveOutputs, sayIfExpired } from "./api-key-name-outputs.js";
import { isInDoubt, putPreviousNameBack, renameKey } from "./api-key-name-rename.js";
import { Connections, settingsFor } from "./connections.js";
import type {
  CheckFailure,
  CheckRequest,
  CheckResult,
  Created,
  DiffRequest,
  DiffResult,
  LifecycleContext,
  ReadResult,
  ResourceLifecycle,
  StoredResource,
  UpdateRequest,
} from "./lifecycle.js";
import { type PropertyMap, textOf, unknownValue } from "./property-values.js";

/**
 * The life cycle of the name of an API key that exists. Keys are never made and never deleted: creating gives the key a name and
 * remembers the one it had, deleting puts that one back.
 */
export class ApiKeyNameLifecycle implements ResourceLifecycle {
  readonly #connections: Connections;
  readonly #claims = new ApiKeyClaims();

  constructor(connections = new Connections()) {
    this.#connections = connections;
  }

  async check({ olds, news }: CheckRequest, context: LifecycleContext): Promise<CheckResult> {
    const failures = this.#failuresOf(news, olds === undefined, context);
    // Inputs at fault are not repeated: one of them may be a secret.
    return failures.length > 0
      ? { inputs: {}, failures }
      : { inputs: { ...news, onDelete: news.onDelete ?? "restore" }, failures };
  }

  diff({ id, olds, news }: DiffRequest, context: LifecycleContext): DiffResult {
    this.#claims.remember(id, olds);
    if (news.keyId === unknownValue) {
      return {};
    }
    if (news.keyId !== id) {
      return { replaces: ["keyId"] };
    }
    this.#claims.keep(id, context.urn);
    if (news.name !== olds.name || news.onDelete !== olds.onDelete) {
      return {};
    }
    return { changes: isInDoubt(id, textOf(olds, "name"), context) };
  }

  async create(inputs: PropertyMap, context: LifecycleContext): Promise<Created> {
    const [keyId, name] = [knownText(inputs, "keyId"), knownText(inputs, "name")];
    const client = this.#client(context);
    await this.#putBackOtherNames(keyId, client, context);
    return this.#claims.inTurn(keyId, async () => {
      const { key, whyGone } = await findKey(keyId, client, context);
      if (key === undefined) {
        throw await noSuchKey(keyId, whyGone, client, context);
      }
      sayIfExpired(key, context.report);
      const previousName = this.#nameBefore(key, context);
      let named = key;
      if (key.name === name) {
        renameNotes.discard(keyId, settingsFor(context).baseUrl);
        context.report.info(alreadyNamed(key, previousName));
      } else {
        named = await renameKey({ keyId, name, previousName }, client, context);
      }
      this.#claims.create(keyId, context.urn);
      return { id: keyId, outputs: { ...inputs, ...liveOutputs(named), previousName } };
    });
  }

  async read({ id, state }: StoredResource, context: LifecycleContext): Promise<ReadResult | undefined> {
    const client = this.#client(context);
    const known = textOf(state, "name");
    const { key, whyGone } = await findKey(id, client, context);
    if (key === undefined) {
      if (known === undefined) {
        // A lookup; the engine would go on without its outputs.
        throw await noSuchKey(id, whyGone, client, context);
      }
      context.report.info(`API key ${id} is gone: ${whyGone}.`);
      return undefined;
    }
    sayIfExpired(key, context.report);
    if (known !== undefined && known !== key.name) {
      context.report.info(
        `API key ${id} was renamed outside of this program: from ${quote(known)} to ${quote(key.name)}.`,
      );
    }
    const { previousName, onDelete = "restore" } = state;
    return {
      id,
      outputs: {
        ...liveOutputs(key),
        // What is only looked up has no resource that would have remembered or decided anything.
        ...(known === undefined ? {} : { onDelete }),
        ...(previousName === undefined ? {} : { previousName }),
      },
      inputs: { keyId: id, name: key.name, onDelete },
    };
  }

  async update({ id, olds, news }: UpdateRequest, context: LifecycleContext): Promise<PropertyMap> {
    const name = knownText(news, "name");
    const formerName = textOf(olds, "name");
    const previousName = textOf(olds, "previousName") ?? formerName ?? name;
    const client = this.#client(context);
    return this.#claims.inTurn(id, async () => {
      if (name === formerName && !isInDoubt(id, name, context)) {
        return { ...olds, ...news };
      }
      try {
        const named = await renameKey({ keyId: id, name, formerName, previousName }, client, context);
        sayIfExpired(named, context.report);
        return { ...news, ...liveOutputs(named), previousName };
      } catch (error) {
        const { whyGone } = isNotFound(error) ? await findKey(id, client, context) : {};
        throw whyGone === undefined ? error : await noSuchKey(id, whyGone, client, context);
      }
    });
  }

  async delete(stored: StoredResource, context: LifecycleContext): Promise<void> {
    const { id, state } = stored;
    this.#claims.remember(id, state);
    return this.#claims.inTurn(id, async () => {
      if (this.#claims.isTaken(id, context.urn)) {
        const previousName = textOf(state, "previousName");
        const before = previousName === undefined ? "" : ` Its name had been ${quote(previousName)}.`;
        context.report.info(
          `API key ${id} stays as it is: a resource of this program names it now.${before}`,
        );
        return;
      }
      // What is replaced by itself gives the name back in any case: its successor finds it, and remembers it again.
      if (state.onDelete !== "keep" || this.#claims.isToBeCreated(id)) {
        await putPreviousNameBack(stored, this.#client(context), context);
      }
      renameNotes.discard(id, settingsFor(context).baseUrl);
    });
  }

  /** The name a key had before this resource, which may have given it its present name in a run that was interrupted. */
  #nameBefore({ id, name }: ApiKey, context: LifecycleContext): string {
    const note = renameNotes.find(id, settingsFor(context).baseUrl);
    if (note?.names.includes(name)) {
      return note.previousName;
    }
    const stored = this.#claims.stored(id);
    return stored?.name === name ? stored.previousName : name;
  }

  /** Undoes what an interrupted run of this resource has left on other keys: the program names another key now. */
  async #putBackOtherNames(
    keyId: string,
    client: BrowserInfraClient,
    context: LifecycleContext,
  ): Promise<void> {
    const { baseUrl } = settingsFor(context);
    for (const note of renameNotes.leftBy(context.urn, baseUrl, keyId)) {
      if (this.#claims.isDeclared(note.keyId)) {
        continue;
      }
      await this.#claims.inTurn(note.keyId, async () => {
        const state = { name: note.names.at(-1) ?? note.previousName, previousName: note.previousName };
        await putPreviousNameBack({ id: note.keyId, state }, client, context);
        renameNotes.discard(note.keyId, baseUrl);
      });
    }
  }

  #failuresOf(news: PropertyMap, isNew: boolean, context: LifecycleContext): CheckFailure[] {
    let apiKey: string;
    try {
      ({ apiKey } = settingsFor(context));
    } catch (error) {
      if (error instanceof ConfigError) {
        return [{ property: "", reason: error.message }];
      }
      throw error;
    }
    const failures = apiKeyNameFailures(news, apiKey);
    const keyId = textOf(news, "keyId");
    if (failures.length > 0 || keyId === undefined || context.urn === undefined) {
      return failures;
    }
    const rival = this.#claims.declare(keyId, context.urn, isNew);
    return rival === undefined
      ? []
      : [
          {
            property: "keyId",
            reason: `Two resources of this program name the API key "${keyId}"; the other one is ${rival}. Remove one of them.`,
          },
        ];
  }

  /** Keys belong to the organization: a project in the settings has no say in which of them can be seen. */
  #client(context: LifecycleContext): BrowserInfraClient {
    return this.#connections.clientFor(undefined, context);
  }
}

function alreadyNamed({ id, name }: ApiKey, previousName: string): string {
  const meaning =
    previousName === name
      ? "Deleting this resource will leave it."
      : `Before this program named it, it was ${quote(previousName)}.`;
  return `API key ${id} has the name ${quote(name)} already: nothing was sent. ${meaning}`;
}

function knownText(inputs: PropertyMap, name: string): string {
  const value = textOf(inputs, name);
  if (value === undefined) {
    throw new InputError(
      "input_unknown",
      name,
      `The "${name}" of this ApiKeyName is not known, so nothing was sent. Run "pulumi up" again.`,
    );
  }
  return value;
}
