import { InputError } from "../../errors.js";
import { Accounts } from "../../providers/call.js";
import type {
  CheckFailure,
  CheckRequest,
  Created,
  DiffRequest,
  Kind,
  LifecycleContext,
  ReadResult,
  ResourceLifecycle,
  StoredResource,
} from "../../providers/lifecycle.js";
import {
  isPropertyMap,
  type PropertyMap,
  type PropertyValue,
  unknownValue,
} from "../../providers/properties.js";
import { type EngineCall, type ProviderProcess, runCall } from "../engine-call.js";
import { fromServiceOf, kinds, type ResourceKind, resourceKinds } from "../kinds.js";
import { detailedDiff, type PropertyChange } from "./detailed-diff.js";
import { askRead } from "./reads.js";
import { compareSettings, configurationOf, explicitName, settingsProblems } from "./settings.js";
import { kindIn, nameInToken } from "./tokens.js";

/** Which resource a request is about. */
export interface ResourceAddress {
  readonly urn: string;
  /** Type token, `browser-infra:index:Extension`. */
  readonly type: string;
  /** Limit of this operation in `customTimeouts`. Seconds; 0 means that there is none. */
  readonly timeoutSeconds?: number;
}

/** The answer to a comparison, with each property that changes. */
export interface ComparedResource {
  readonly changes: boolean;
  readonly replaces: readonly string[];
  readonly deleteBeforeReplace: boolean;
  readonly properties: ReadonlyMap<string, PropertyChange>;
}

/**
 * The input that keeps the memo of `check`, as JSON: the engine sends the inputs four times in a
 * preview, and one string costs it, gRPC and us less than a dozen values. The engine shows no name
 * that begins with `__`.
 */
const memoInput = "__memo";

/** Where the dynamic resources keep it, for a state that one of them wrote. */
const hiddenInputOfDynamic = "__browserInfra";

/**
 * The provider as the engine drives it through gRPC, in plain values: the life cycles in the terms
 * of Pulumi's provider protocol. One for each run of the engine: a process that a developer
 * attaches serves several, one after the other.
 */
export class PluginProvider {
  readonly #process: ProviderProcess;
  readonly #accounts: Accounts;
  /** By kind. All resources of a kind share one. */
  readonly #lifecycles = new Map<ResourceKind, ResourceLifecycle>();
  /** Whether a diff of this run has looked for what an interrupted deployment left. */
  #hasLookedForLeftovers = false;
  #configuration: EngineCall["configuration"];

  constructor(process: ProviderProcess, accounts = new Accounts()) {
    this.#process = process;
    this.#accounts = accounts;
    this.#configuration = configurationOf({ name: undefined, inputs: {} }, process.environment);
  }

  /** The life cycles of all kinds, also of those that this run did not need so far. */
  get lifecycles(): ResourceLifecycle[] {
    return resourceKinds.map((kind) => this.#lifecycleOf(kind));
  }

  checkConfig(name: string | undefined, news: PropertyMap): CheckFailure[] {
    return settingsProblems({ name: explicitName(name), inputs: news });
  }

  async diffConfig(name: string | undefined, olds: PropertyMap, news: PropertyMap) {
    const { changes = true, replaces = [] } = await compareSettings(
      olds,
      { name: explicitName(name), inputs: news },
      this.#process.environment,
    );
    return { changes, replaces };
  }

  configure(name: string | undefined, inputs: PropertyMap): void {
    this.#configuration = configurationOf({ name: explicitName(name), inputs }, this.#process.environment);
  }

  /** Inputs of a type for which a program's null means something. */
  nullInputs({ type }: ResourceAddress): readonly string[] {
    return this.#lifecycleOf(kindOf(type)).nullInputs ?? [];
  }

  async check(address: ResourceAddress, olds: PropertyMap | undefined, news: PropertyMap) {
    this.#process.deployment.hasProgram = true;
    return this.#run(address, {}, async (lifecycle, context) => {
      const request: CheckRequest = {
        olds: olds && ownProperties(olds),
        news: ownProperties(news),
        // The program of an import has none, but what was imported has.
        memo: memoOf(olds ?? {}) ?? memoOf(news),
      };
      const { inputs, failures, memo } = await lifecycle.check(request, context);
      return { inputs: withMemo(inputs, memo), failures };
    });
  }

  diff(
    address: ResourceAddress,
    { id, olds, news }: DiffRequest,
    oldInputs: PropertyMap,
  ): Promise<ComparedResource> {
    return this.#run(address, {}, async (lifecycle, context) => {
      const declared = ownProperties(news);
      const request = { id, olds: ownProperties(olds), news: declared, memo: memoOf(news) };
      const { changes, replaces = [], deleteBeforeReplace = false } = lifecycle.diff(request, context);
      const properties = detailedDiff(ownProperties(oldInputs), declared, replaces);
      return {
        changes: (changes ?? properties.size > 0) || this.#asksForUpdate(context),
        replaces,
        deleteBeforeReplace,
        properties,
      };
    });
  }

  /** What a create will answer, as far as a preview can know it. Throws what it would refuse. */
  previewCreate(address: ResourceAddress, news: PropertyMap): Promise<PropertyMap> {
    this.#process.deployment.isUpdate ??= false;
    return this.#run(address, { limits: "create" }, async (lifecycle, context, kind) => {
      const inputs = ownProperties(news);
      refuse(await lifecycle.preview({ olds: undefined, inputs, memo: memoOf(news) }, context));
      const unknown = fromServiceOf(kind).filter((output) => inputs[output] === undefined);
      return { ...inputs, ...Object.fromEntries(unknown.map((each) => [each, unknownValue])) };
    });
  }

  create(address: ResourceAddress, news: PropertyMap): Promise<Created> {
    return this.#run(address, { limits: "create", isWrite: true }, (lifecycle, context) =>
      lifecycle.create(ownProperties(news), context),
    );
  }

  read(
    address: ResourceAddress,
    stored: StoredResource,
    inputs: PropertyMap,
  ): Promise<ReadResult | undefined> {
    return this.#run(address, {}, async (lifecycle, context) => {
      const result = await lifecycle.read({ ...stored, state: ownProperties(stored.state) }, context);
      return result && { ...result, inputs: withMemo(result.inputs, result.memo ?? memoOf(inputs)) };
    });
  }

  /** What an update will answer, as far as a preview can know it. */
  previewUpdate(
    address: ResourceAddress,
    { id, olds, news }: DiffRequest,
    oldInputs: PropertyMap,
  ): Promise<PropertyMap> {
    this.#process.deployment.isUpdate ??= false;
    return this.#run(address, { limits: "update" }, async (lifecycle, context, kind) => {
      const inputs = ownProperties(news);
      refuse(
        await lifecycle.preview({ olds: ownProperties(oldInputs), inputs, memo: memoOf(news) }, context),
      );
      const fromService = fromServiceOf(kind);
      const kept = Object.entries(ownProperties(olds)).filter(
        ([name]) => fromService.includes(name) || !Object.hasOwn(kind.inputs.types, name),
      );
      const unknown = lifecycle.unknownAfterUpdate?.({ id, olds: ownProperties(olds), news: inputs }) ?? [];
      return {
        ...Object.fromEntries(kept),
        ...inputs,
        ...Object.fromEntries(unknown.map((each) => [each, unknownValue])),
      };
    });
  }

  update(address: ResourceAddress, { id, olds, news }: DiffRequest): Promise<PropertyMap> {
    return this.#run(address, { limits: "update", isWrite: true }, (lifecycle, context) =>
      lifecycle.update({ id, olds: ownProperties(olds), news: ownProperties(news) }, context),
    );
  }

  delete(address: ResourceAddress, { id, state }: StoredResource): Promise<void> {
    return this.#run(address, { limits: "delete", isWrite: true }, (lifecycle, context) =>
      lifecycle.delete({ id, state: ownProperties(state) }, context),
    );
  }

  /** Answers a function. Throws `InputError` for arguments that it does not take. */
  invoke(token: string, args: PropertyMap): Promise<PropertyMap> {
    const call = { urn: undefined, configuration: this.#configuration, isWrite: false };
    return runCall(this.#process, call, (context) =>
      askRead(nameInToken(token) ?? token, args, context, this.#accounts),
    );
  }

  /**
   * Whether a resource that is unchanged is to be updated all the same, which sends nothing. The
   * engine does not tell a plugin whether the program runs in a preview, unless it creates or
   * updates something. But only an update may undo what an interrupted one left of resources that
   * have left the program. One update in a run is enough for that.
   */
  #asksForUpdate(context: LifecycleContext): boolean {
    const { hasProgram, isUpdate } = this.#process.deployment;
    if (this.#hasLookedForLeftovers || !hasProgram || isUpdate !== undefined) {
      return false;
    }
    // Once: the look reads files, and what this run leaves itself is not meant.
    this.#hasLookedForLeftovers = true;
    const asks = this.lifecycles.some((each) => each.hasLeftovers?.(context));
    if (asks) {
      context.report.info(
        "An interrupted deployment may have left something that the program does not declare. This deployment looks for it at its end, and undoes it.",
      );
    }
    return asks;
  }

  #lifecycleOf(kind: ResourceKind): ResourceLifecycle {
    const lifecycle = this.#lifecycles.get(kind) ?? kinds[kind].lifecycle(this.#accounts);
    this.#lifecycles.set(kind, lifecycle);
    return lifecycle;
  }

  #run<R>(
    { urn, type, timeoutSeconds = 0 }: ResourceAddress,
    {
      limits,
      isWrite = false,
    }: { readonly limits?: "create" | "update" | "delete"; readonly isWrite?: boolean },
    work: (lifecycle: ResourceLifecycle, context: LifecycleContext, kind: Kind) => Promise<R>,
  ): Promise<R> {
    const name = kindOf(type);
    const kind: Kind = kinds[name];
    const limit = timeoutSeconds > 0 ? `${timeoutSeconds}s` : undefined;
    const isOwn = limits === "create" && kind.keepsCreateLimit === true;
    const call: EngineCall = {
      urn,
      configuration: this.#configuration,
      isWrite,
      ...(isOwn ? { ownLimit: limit } : { limit }),
    };
    return runCall(this.#process, call, (context) => work(this.#lifecycleOf(name), context, kind));
  }
}

function kindOf(type: string): ResourceKind {
  const kind = kindIn(type);
  if (kind === undefined) {
    const known = resourceKinds.map((each) => `browser-infra:index:${each}`);
    const message = `This version of the provider has no resource type "${type}". Its types are ${known.join(", ")}.`;
    throw new InputError("type_unknown", "type", message);
  }
  return kind;
}

/** Without what a bridge or the engine adds, whose names all begin with `__`. */
function ownProperties(properties: PropertyMap): PropertyMap {
  return Object.fromEntries(Object.entries(properties).filter(([name]) => !name.startsWith("__")));
}

function memoOf(properties: PropertyMap): PropertyMap | undefined {
  const ofDynamic = properties[hiddenInputOfDynamic];
  const stored = properties[memoInput] ?? (isPropertyMap(ofDynamic) ? ofDynamic.memo : undefined);
  const memo = typeof stored === "string" ? parsedOrUndefined(stored) : stored;
  return isPropertyMap(memo) ? memo : undefined;
}

function withMemo(inputs: PropertyMap, memo: PropertyMap | undefined): PropertyMap {
  return memo === undefined ? inputs : { ...inputs, [memoInput]: JSON.stringify(memo) };
}

function parsedOrUndefined(json: string): PropertyValue | undefined {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** Fails a preview with what the deployment would refuse. */
function refuse(failures: readonly CheckFailure[]): void {
  const [first] = failures;
  if (first !== undefined) {
    throw new InputError("preview_refused", first.property, failures.map(({ reason }) => reason).join("\n"));
  }
}
