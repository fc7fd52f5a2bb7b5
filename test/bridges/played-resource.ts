import type { ResourceKind } from "../../src/bridges/kinds.js";
import { hiddenInput, loaderInput, loaderText, programInput } from "../../src/resources/dynamic-contract.js";
import { resourceType } from "../../src/resources/type-token.js";
import type { ProviderProcess } from "./provider-process.js";
import type { Properties, RequestDetails } from "./wire-messages.js";

/** Resource in the engine's state, including properties added by the bridges. */
export interface StoredObject {
  readonly id: string;
  readonly inputs: Properties;
  readonly outputs: Properties;
}

/** Options of a resource in a test, besides the inputs. */
export interface ResourceOptions {
  readonly kind: ResourceKind;
  /** Logical name. Default: `reader`. */
  readonly name?: string;
  /** Limits in `customTimeouts`. Seconds. */
  readonly timeouts?: Readonly<Partial<Record<"create" | "update" | "delete", number>>>;
  /**
   * Name of the engine's run, for the dynamic bridge, which opens a new life cycle per run. The
   * plugin has the runs of the process instead.
   */
  readonly run?: string;
}

/**
 * Resource of a program, with the engine's calls in a common form for both bridges. Adds the
 * details that a bridge needs besides the properties: in hidden inputs for dynamic resources, in
 * the requests for the plugin.
 */
export class PlayedResource {
  readonly urn: string;
  readonly #provider: ProviderProcess;
  readonly #type: string;
  readonly #text: string;
  readonly #timeouts: NonNullable<ResourceOptions["timeouts"]>;

  constructor(
    provider: ProviderProcess,
    { kind, name = "reader", timeouts = {}, run = "" }: ResourceOptions,
  ) {
    const isPlugin = provider.bridge === "plugin";
    this.#provider = provider;
    this.#type = isPlugin ? `browser-infra:index:${kind}` : resourceType(kind);
    this.urn = `urn:pulumi:dev::shop::${this.#type}::${name}`;
    this.#text = loaderText(kind).replace(`("${kind}")`, `("${kind}", "${run}")`);
    this.#timeouts = timeouts;
  }

  /**
   * Checks inputs. `olds`: inputs in the state. `isPreview`: the program runs in a preview.
   * `deletesFirst`: the program sets the option `deleteBeforeReplace`.
   */
  check(news: Properties, olds: Properties = {}, { isPreview = false, deletesFirst = false } = {}) {
    return this.#provider.check(
      Object.keys(olds).length === 0 ? olds : this.#sent(olds),
      this.#declared(news, olds, {
        ...(isPreview ? {} : { isUpdate: true }),
        ...(deletesFirst ? { deletesFirst } : {}),
      }),
      this.#details(),
    );
  }

  diff({ id, inputs, outputs }: StoredObject, news: Properties) {
    const details = this.#details({ oldInputs: inputs });
    return this.#provider.diff(id, this.#sent(outputs), this.#sent(news), details);
  }

  /** Creates the object. `inputs`: result of `check`. */
  async create(inputs: Properties): Promise<StoredObject> {
    const timeoutSeconds = this.#timeouts.create ?? 0;
    const { id, properties } = await this.#provider.create(
      this.#sent(inputs),
      this.#details({ timeoutSeconds }),
    );
    return { id, inputs, outputs: properties };
  }

  /** Reads the object. Undefined if the object does not exist. */
  async read({ id, inputs, outputs }: StoredObject): Promise<StoredObject | undefined> {
    const read = await this.#provider.read(id, this.#sent(outputs), this.#sent(inputs), this.#details());
    return read.id === ""
      ? undefined
      : { id: read.id, outputs: read.properties, inputs: read.inputs ?? inputs };
  }

  async update({ id, inputs, outputs }: StoredObject, news: Properties): Promise<StoredObject> {
    const details = this.#details({ timeoutSeconds: this.#timeouts.update ?? 0, oldInputs: inputs });
    const updated = await this.#provider.update(id, this.#sent(outputs), this.#sent(news), details);
    return { id, inputs: news, outputs: updated };
  }

  delete({ id, outputs }: StoredObject): Promise<void> {
    const timeoutSeconds = this.#timeouts.delete ?? 0;
    return this.#provider.delete(id, this.#sent(outputs), this.#details({ timeoutSeconds }));
  }

  /** Checks without failures, and creates. */
  async deploy(news: Properties): Promise<StoredObject> {
    return this.create(await this.accepted(news));
  }

  /** Checked inputs. Throws the failures of the check, if any. */
  async accepted(news: Properties, olds?: Properties): Promise<Properties> {
    const { inputs, failures } = await this.check(news, olds);
    if (failures.length > 0) {
      throw new Error(JSON.stringify(failures));
    }
    return inputs;
  }

  /**
   * Reasons why a preview refuses the inputs. For dynamic resources: failures of `check`. For the
   * plugin, create and update are previewed, so also their errors.
   */
  async previewRefusals(news: Properties, old?: StoredObject): Promise<string[]> {
    const { inputs, failures } = await this.check(news, old?.inputs, { isPreview: true });
    const reasons = failures.map(({ reason }) => reason);
    if (this.#provider.bridge === "dynamic" || reasons.length > 0) {
      return reasons;
    }
    const replaces = old !== undefined && (await this.diff(old, inputs)).replaces.length > 0;
    return this.refusals(replaces ? undefined : old, inputs);
  }

  /** Refusals in the preview of a create, or of the update of `old`. Plugin only. */
  async refusals(old: StoredObject | undefined, inputs: Properties): Promise<string[]> {
    try {
      await (old === undefined ? this.previewCreate(inputs) : this.previewUpdate(old, inputs));
      return [];
    } catch (error) {
      return [(error as { details: string }).details];
    }
  }

  /** Outputs in the preview of a creation. Plugin only. */
  async previewCreate(inputs: Properties): Promise<Properties> {
    return (await this.#provider.create(inputs, this.#details({ isPreview: true }))).properties;
  }

  /** Outputs in the preview of an update. Plugin only. */
  previewUpdate({ id, inputs, outputs }: StoredObject, news: Properties): Promise<Properties> {
    return this.#provider.update(id, outputs, news, this.#details({ isPreview: true, oldInputs: inputs }));
  }

  /** Reads an object for an import, by id only. Plugin only. */
  async import(id: string): Promise<StoredObject> {
    const read = await this.#provider.read(id, undefined, undefined, this.#details());
    return { id: read.id, outputs: read.properties, inputs: read.inputs ?? {} };
  }

  /** Reads an object that a program only looks up. */
  async lookUp(id: string): Promise<StoredObject> {
    const read = await this.#provider.read(id, this.#sent({}), this.#sent({}), this.#details());
    return { id: read.id, outputs: read.properties, inputs: read.inputs ?? {} };
  }

  #details(more: RequestDetails = {}) {
    return { urn: this.urn, type: this.#type, ...more };
  }

  #declared(news: Properties, olds: Properties, said: Properties): Properties {
    if (this.#provider.bridge === "plugin") {
      return news;
    }
    const timeouts = Object.fromEntries(
      Object.entries(this.#timeouts).map(([operation, seconds]) => [operation, `${seconds}s`]),
    );
    // The engine ignores changes of the hidden input: it sends the old value.
    const { [hiddenInput]: hidden } = olds;
    const ignored = hidden === undefined ? {} : { [hiddenInput]: hidden };
    const program = JSON.stringify({ urn: this.urn, timeouts, ...said });
    return this.#sent({ ...news, ...ignored, [programInput]: program });
  }

  #sent(properties: Properties): Properties {
    return this.#provider.bridge === "plugin" ? properties : { ...properties, [loaderInput]: this.#text };
  }
}

/** Properties without the additions of a bridge, whose names begin with `__`. */
export function own(properties: Properties): Properties {
  return Object.fromEntries(Object.entries(properties).filter(([name]) => !name.startsWith("__")));
}
