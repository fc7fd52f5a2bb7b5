import { isDeepStrictEqual } from "node:util";
import {
  type CheckRequest,
  type CheckResponse,
  type ConfigureRequest,
  type CreateRequest,
  CreateResponse,
  type DeleteRequest,
  type DiffRequest,
  type DiffResponse,
  type InvokeRequest,
  InvokeResponse,
  type ListRequest,
  type ListResponse,
  type ReadRequest,
  ReadResponse,
  type UpdateRequest,
  UpdateResponse,
} from "@pulumi/pulumi/proto/provider_pb.js";
import { Empty } from "google-protobuf/google/protobuf/empty_pb.js";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb.js";
import { resolveSettings } from "../../config.js";
import { InputError, LocalError } from "../../errors.js";
import { checkNames, checkValues } from "../../functions/forms.js";
import { type ReadName, reads, sendRead } from "../../functions/reads.js";
import { Accounts, Call } from "../../providers/call.js";
import {
  type CheckFailure,
  type Kind,
  type LifecycleContext,
  PartiallyCreatedError,
  type ResourceLifecycle,
} from "../../providers/lifecycle.js";
import { type PropertyMap, t, unknownValue } from "../../providers/properties.js";
import { paragraph } from "../../text/words.js";
import { type EngineCall, type ProviderProcess, runCall } from "../engine-call.js";
import { completeOutputs, kinds, type ResourceKind, serviceOutputsOf } from "../kinds.js";
import { hasSecretOnWire } from "../wire-values.js";
import { detailedDiff } from "./detailed-diff.js";
import { ListPages } from "./list-pages.js";
import { lifecycleRequestOf, memoOf, ownProperties, withMemo } from "./own-properties.js";
import {
  compareSettings,
  configurationKeysOf,
  configurationOf,
  explicitName,
  isForeignToState,
  type ProviderSettings,
  settingsProblems,
} from "./settings.js";
import { checkResponse, diffResponse, InitFailure, propertiesOf, structOf } from "./wire.js";

interface ResourceRequest {
  getUrn(): string;
  /** Type token, `browser-infra:index:Extension`. */
  getType(): string;
  /** Limit of the operation in `customTimeouts`, in seconds. 0: no limit. */
  getTimeout?(): number;
  getPreview?(): boolean;
  /** Inputs of a creation, or the state. */
  getProperties?(): Struct | undefined;
  /** Inputs of an update. */
  getNews?(): Struct | undefined;
}

/** Kind, life cycle and context of a request about a resource. */
interface ResourceCall {
  readonly kind: Kind;
  readonly lifecycle: ResourceLifecycle;
  readonly context: LifecycleContext;
}

const tokenPrefix = "browser-infra:index:";

const keysNotCompared =
  "The API key of this provider now comes from a different source. The provider did not check whether " +
  "both keys belong to the same organization: a key from the environment is sent only to the " +
  "configured address. If the organization is different, rename the Provider in the program: the " +
  "resources are then created in the new organization.";

/**
 * Methods of Pulumi's provider protocol for resources, settings and functions: translates between
 * the engine and the life cycles. An instance serves a single run of the engine; a process attached
 * by a developer serves several runs in turn.
 */
export class PluginProvider {
  readonly #process: ProviderProcess;
  /** Clients of this run: keys of all that the run knows of an account, such as which names are free. */
  readonly #accounts = new Accounts();
  /** Life cycles, by kind. All resources of a kind share a life cycle. */
  readonly #lifecycles = new Map<ResourceKind, ResourceLifecycle>();
  readonly #listPages = new ListPages();
  /** Last comparisons that found a replacement, by URN. */
  readonly #replacements = new Map<
    string,
    { readonly news: PropertyMap; readonly inputs: readonly string[] }
  >();
  /** Settings from the engine's Configure. Undefined before. */
  #settings: ProviderSettings | undefined;
  #configuration: EngineCall["configuration"];
  #reference: string | undefined;

  constructor(process: ProviderProcess) {
    this.#process = process;
    this.#configuration = configurationOf({ name: undefined, inputs: {} }, process.environment);
  }

  /** Reference to this provider for children of a component, `<urn>::<id>`. Undefined before Configure. */
  get reference(): string | undefined {
    return this.#reference;
  }

  checkConfig(request: CheckRequest): CheckResponse {
    const inputs = propertiesOf(request.getNews());
    const failures = settingsProblems({ name: explicitName(request.getName()), inputs });
    return checkResponse(structOf(inputs, { apiKey: { ...t.string, isSecret: true } }), failures);
  }

  async diffConfig(request: DiffRequest): Promise<DiffResponse> {
    const { environment, log } = this.#process;
    const report = log.reportFor(request.getUrn());
    const { changes = true, replaces = [] } = await compareSettings(
      propertiesOf(request.getOldInputs() ?? request.getOlds()),
      { name: explicitName(request.getName()), inputs: propertiesOf(request.getNews()) },
      { environment, configured: this.#settings },
      () => report.warning(keysNotCompared),
    );
    await report.flush();
    return diffResponse(changes, replaces);
  }

  /**
   * Stores the settings of the run. Not every system shows who calls, and a caller could otherwise
   * have the key sent to an address of choice. Rejects with `LocalError` `plugin_taken` if the settings
   * differ from the first settings, which stay.
   */
  async configure(request: ConfigureRequest): Promise<void> {
    const provider = { name: explicitName(request.getName()), inputs: propertiesOf(request.getArgs()) };
    this.#settings ??= provider;
    if (!isDeepStrictEqual(provider, this.#settings)) {
      const why =
        "This process of the provider plugin is already configured, and accepts no second configuration.";
      const remedy =
        "If you attached the process with PULUMI_DEBUG_PROVIDERS, keep only one provider of this package in the program.";
      throw new LocalError("plugin_taken", `${why} ${remedy}`);
    }
    const [urn, id] = [request.getUrn(), request.getId()];
    this.#reference = urn === "" || id === "" ? undefined : `${urn}::${id}`;
    const { environment } = this.#process;
    const isForeign = await isForeignToState(provider, environment);
    const ofState = { ...environment, PULUMI_CONFIG: undefined };
    this.#configuration = configurationOf(provider, isForeign ? ofState : environment);
  }

  check(request: CheckRequest): Promise<CheckResponse> {
    this.#process.deployment.hasProgram = true;
    return this.#run(request, undefined, async ({ lifecycle, context, kind }) => {
      const olds = propertiesOf(request.getOlds());
      const news = propertiesOf(request.getNews(), lifecycle.nullInputs);
      const checked = {
        // For a resource that is new to the state, the engine sends an empty object.
        olds: Object.keys(olds).length === 0 ? undefined : ownProperties(olds),
        news: ownProperties(news),
        // After an import, only the imported inputs have a memo, and the inputs of the program have
        // none.
        memo: memoOf(olds) ?? memoOf(news),
      };
      const { inputs, failures, memo } = await lifecycle.check(checked, context);
      return checkResponse(structOf(withMemo(inputs, memo), kind.inputs.types, request.getNews()), failures);
    });
  }

  diff(request: DiffRequest): Promise<DiffResponse> {
    return this.#run(request, undefined, async ({ lifecycle, context }) => {
      const change = lifecycleRequestOf(request);
      const { changes, replaces = [], deleteBeforeReplace = false } = lifecycle.diff(change, context);
      this.#replacements.delete(request.getUrn());
      if (replaces.length > 0) {
        this.#replacements.set(request.getUrn(), { news: change.news, inputs: replaces });
      }
      const oldInputs = ownProperties(propertiesOf(request.getOldInputs()));
      const properties = detailedDiff(oldInputs, change.news, replaces);
      const isUpdated = changes ?? properties.size > 0;
      const response = diffResponse(isUpdated, replaces, properties);
      response.setDeletebeforereplace(deleteBeforeReplace);
      return response;
    });
  }

  create(request: CreateRequest): Promise<CreateResponse> {
    return this.#run(request, "create", async (call) => {
      const given = request.getProperties();
      const news = propertiesOf(given);
      const response = new CreateResponse();
      if (request.getPreview()) {
        response.setProperties(outputStruct(call.kind, await previewCreate(call, news), given));
        return response;
      }
      const { id, outputs } = await call.lifecycle.create(ownProperties(news), call.context);
      response.setId(id);
      response.setProperties(outputStruct(call.kind, outputs, given));
      return response;
    });
  }

  read(request: ReadRequest): Promise<ReadResponse> {
    return this.#run(request, undefined, async ({ lifecycle, context, kind }) => {
      const state = propertiesOf(request.getProperties());
      // For an import, the engine has only the id. For a lookup, the request has inputs, possibly
      // empty.
      const isImport = !request.hasInputs() && Object.keys(state).length === 0;
      const stored = { id: request.getId(), state: ownProperties(state), isImport };
      const found = await lifecycle.read(stored, context);
      const response = new ReadResponse();
      // A response without an id means that the resource is gone.
      if (found !== undefined) {
        const memo = found.memo ?? memoOf(propertiesOf(request.getInputs()));
        response.setId(found.id);
        response.setProperties(outputStruct(kind, found.outputs, request.getProperties()));
        response.setInputs(structOf(withMemo(found.inputs, memo), kind.inputs.types, request.getInputs()));
      }
      return response;
    });
  }

  update(request: UpdateRequest): Promise<UpdateResponse> {
    return this.#run(request, "update", async (call) => {
      this.#refuseReplacement(request);
      const outputs = request.getPreview()
        ? await previewUpdate(call, request)
        : await call.lifecycle.update(lifecycleRequestOf(request), call.context);
      const response = new UpdateResponse();
      response.setProperties(outputStruct(call.kind, outputs, request.getNews()));
      return response;
    });
  }

  /** Refuses an update that the comparison called a replacement: the engine sends none, `pulumi do patch` does. */
  #refuseReplacement(request: UpdateRequest): void {
    const { news, inputs: [input = ""] = [] } = this.#replacements.get(request.getUrn()) ?? {};
    if (isDeepStrictEqual(news, lifecycleRequestOf(request).news)) {
      const message = `A change of "${input}" replaces the object, which an update cannot. Create a new object, and delete this one.`;
      throw new InputError("replacement_needed", input, message);
    }
  }

  delete(request: DeleteRequest): Promise<Empty> {
    return this.#run(request, "delete", async ({ lifecycle, context }) => {
      const state = ownProperties(propertiesOf(request.getProperties()));
      await lifecycle.delete({ id: request.getId(), state }, context);
      return new Empty();
    });
  }

  /** Answers a function. Throws `InputError` for an unknown function and for invalid arguments. */
  invoke(request: InvokeRequest): Promise<InvokeResponse> {
    const call = { urn: undefined, ...this.#settingsOfCall() };
    return runCall(this.#process, call, async (context) => {
      const name = readNameIn(request.getTok());
      const args = propertiesOf(request.getArgs());
      checkNames(args, reads[name].rules);
      checkValues(args, reads[name].rules);
      const settings = resolveSettings(context);
      const found = await sendRead(name, args, settings, this.#accounts.clientFor(settings));
      const response = new InvokeResponse();
      // As in programs: what a secret argument leads to is secret.
      const isSecret = hasSecretOnWire(request.getArgs()?.toJavaScript());
      const types = Object.keys(found).map((name) => [name, { schema: {}, isSecret }]);
      response.setReturn(structOf(found as PropertyMap, Object.fromEntries(types)));
      return response;
    });
  }

  /** Lists a page of the objects of a kind. Throws as `ListPages.read`. */
  list(request: ListRequest): Promise<ListResponse[]> {
    const kind = kindIn(request.getToken());
    return runCall(this.#process, { urn: undefined, ...this.#settingsOfCall() }, async (context) => {
      const call = new Call(context, this.#accounts);
      return this.#listPages.read(kind, request, call).catch(async (error) => {
        throw await call.account.explainRefusal(error, call.options);
      });
    });
  }

  #settingsOfCall(): Pick<EngineCall, "configuration" | "configurationKeys"> {
    const provider = this.#settings ?? { name: undefined, inputs: {} };
    return {
      configuration: this.#configuration,
      configurationKeys: () => configurationKeysOf(provider, this.#process.environment),
    };
  }

  #lifecycleOf(kind: ResourceKind): ResourceLifecycle {
    const lifecycle = this.#lifecycles.get(kind) ?? kinds[kind].lifecycle(this.#accounts);
    this.#lifecycles.set(kind, lifecycle);
    return lifecycle;
  }

  /** `limited`: name of the limit in `customTimeouts`, if the call has a limit. */
  async #run<R>(
    request: ResourceRequest,
    limited: "create" | "update" | "delete" | undefined,
    work: (call: ResourceCall) => Promise<R>,
  ): Promise<R> {
    const name = kindIn(request.getType());
    const kind: Kind = kinds[name];
    const seconds = request.getTimeout?.() ?? 0;
    const limit = limited !== undefined && seconds > 0 ? `${seconds}s` : undefined;
    const isOwn = limited === "create" && kind.enforcesCreateLimit === true;
    const call: EngineCall = {
      urn: request.getUrn(),
      ...this.#settingsOfCall(),
      ...(isOwn ? { ownLimit: limit } : { limit }),
    };
    try {
      return await runCall(this.#process, call, (context) =>
        work({ kind, lifecycle: this.#lifecycleOf(name), context }),
      );
    } catch (error) {
      throw error instanceof PartiallyCreatedError
        ? new InitFailure(
            error.id,
            outputStruct(kind, error.outputs, request.getProperties?.() ?? request.getNews?.()),
            error.reasons,
          )
        : error;
    }
  }
}

/** Outputs of a create as far as known. Throws `preview_refused` for expected failures. */
async function previewCreate({ lifecycle, context, kind }: ResourceCall, news: PropertyMap) {
  const inputs = ownProperties(news);
  requireNoFailures(await lifecycle.preview({ olds: undefined, inputs, memo: memoOf(news) }, context));
  const unknown = serviceOutputsOf(kind).filter((output) => inputs[output] === undefined);
  return { ...inputs, ...withUnknown(unknown) };
}

/** Outputs of an update as far as known. Throws `preview_refused` for expected failures. */
async function previewUpdate({ lifecycle, context, kind }: ResourceCall, request: UpdateRequest) {
  const change = lifecycleRequestOf(request);
  const oldInputs = ownProperties(propertiesOf(request.getOldInputs()));
  requireNoFailures(
    await lifecycle.preview({ olds: oldInputs, inputs: change.news, memo: change.memo }, context),
  );
  const fromService = serviceOutputsOf(kind);
  const kept = Object.entries(change.olds).filter(
    ([name]) => fromService.includes(name) || !Object.hasOwn(kind.inputs.types, name),
  );
  const unknown = lifecycle.unknownAfterUpdate?.(change) ?? [];
  return { ...Object.fromEntries(kept), ...change.news, ...withUnknown(unknown) };
}

function withUnknown(names: readonly string[]): PropertyMap {
  return Object.fromEntries(names.map((name) => [name, unknownValue]));
}

/** Converts the outputs of a kind for a response. `given`: properties in the request, see `structOf`. */
function outputStruct(kind: Kind, outputs: PropertyMap, given: Struct | undefined): Struct {
  return structOf(completeOutputs(kind, outputs), kind.state.types, given);
}

/** Name at the end of a token of this package; empty for any other token. */
function nameIn(token: string): string {
  return token.startsWith(tokenPrefix) ? token.slice(tokenPrefix.length) : "";
}

function tokensOf(named: object): string {
  return Object.keys(named)
    .map((name) => `${tokenPrefix}${name}`)
    .join(", ");
}

function kindIn(token: string): ResourceKind {
  const name = nameIn(token);
  if (!Object.hasOwn(kinds, name)) {
    const message = `This version of the provider has no resource type "${token}". Its types are ${tokensOf(kinds)}.`;
    throw new InputError("type_unknown", "type", message);
  }
  return name as ResourceKind;
}

function readNameIn(token: string): ReadName {
  const name = nameIn(token);
  if (!Object.hasOwn(reads, name)) {
    const message = `This version of the provider has no function "${token}". Its functions are ${tokensOf(reads)}.`;
    throw new InputError("function_unknown", "tok", message);
  }
  return name as ReadName;
}

/** Fails a preview with the expected failures of the deployment, if any. */
function requireNoFailures(failures: readonly CheckFailure[]): void {
  const [first] = failures;
  if (first !== undefined) {
    throw new InputError(
      "preview_refused",
      first.property,
      paragraph(...failures.map(({ reason }) => reason)),
    );
  }
}
