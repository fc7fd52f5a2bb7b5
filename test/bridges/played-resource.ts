import { hiddenInput, loaderInput, loaderText, resourceType } from "../../src/bridges/dynamic/contract.js";
import type { ResourceKind } from "../../src/bridges/kinds.js";
import type { ProviderProcess } from "./provider-process.js";
import type { Properties, RequestDetails } from "./wire-messages.js";

/** A resource as the engine keeps it in the state, with what the bridges add. */
export interface StoredObject {
  readonly id: string;
  readonly inputs: Properties;
  readonly outputs: Properties;
}

/** What a test says of a resource besides its inputs. */
export interface ResourceOptions {
  readonly kind: ResourceKind;
  /** Logical name. Default: `reader`. */
  readonly name?: string;
  /** Limits in `customTimeouts`. Seconds. */
  readonly timeouts?: Readonly<Partial<Record<"create" | "update" | "delete", number>>>;
  /**
   * Names the run of the engine for the dynamic bridge, which opens a life cycle of its own for
   * each. The plugin's runs are those of its process.
   */
  readonly run?: string;
}

/**
 * One resource of a program, with the engine's calls in a form that is the same for both bridges.
 * What each bridge needs besides the properties, it gets here: dynamic resources in hidden inputs,
 * the plugin in its requests.
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
   * `olds`: inputs in the state. `isPreview`: the program runs in a preview. `deletesFirst`: it
   * gives the option `deleteBeforeReplace`.
   */
  check(news: Properties, olds: Properties = {}, { isPreview = false, deletesFirst = false } = {}) {
    return this.#provider.check(
      Object.keys(olds).length === 0 ? olds : this.#sent(olds),
      this.#declared(news, {
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

  /** `inputs` are those that `check` returned. */
  async create(inputs: Properties): Promise<StoredObject> {
    const timeoutSeconds = this.#timeouts.create ?? 0;
    const { id, properties } = await this.#provider.create(
      this.#sent(inputs),
      this.#details({ timeoutSeconds }),
    );
    return { id, inputs, outputs: properties };
  }

  /** Undefined when it is gone. */
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

  /** The checked inputs, which have no failures. */
  async accepted(news: Properties, olds?: Properties): Promise<Properties> {
    const { inputs, failures } = await this.check(news, olds);
    if (failures.length > 0) {
      throw new Error(JSON.stringify(failures));
    }
    return inputs;
  }

  /**
   * What a preview refuses. For dynamic resources it is a failure of `check`. The plugin's create
   * and update are previewed, so there it is an error.
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

  /** What the preview of a create, or of the update of `old`, refuses. The plugin's alone. */
  async refusals(old: StoredObject | undefined, inputs: Properties): Promise<string[]> {
    try {
      await (old === undefined ? this.previewCreate(inputs) : this.previewUpdate(old, inputs));
      return [];
    } catch (error) {
      return [(error as { details: string }).details];
    }
  }

  /** The outputs that a preview shows. The plugin's alone. */
  async previewCreate(inputs: Properties): Promise<Properties> {
    return (await this.#provider.create(inputs, this.#details({ isPreview: true }))).properties;
  }

  /** The outputs that a preview shows. The plugin's alone. */
  previewUpdate({ id, inputs, outputs }: StoredObject, news: Properties): Promise<Properties> {
    return this.#provider.update(id, outputs, news, this.#details({ isPreview: true, oldInputs: inputs }));
  }

  /** Reads what is to come under management, of which only the id is known. The plugin's alone. */
  async import(id: string): Promise<StoredObject> {
    const read = await this.#provider.read(id, undefined, undefined, this.#details());
    return { id: read.id, outputs: read.properties, inputs: read.inputs ?? {} };
  }

  /** Reads what a program only looks up. */
  async lookUp(id: string): Promise<StoredObject> {
    const read = await this.#provider.read(id, this.#sent({}), this.#sent({}), this.#details());
    return { id: read.id, outputs: read.properties, inputs: read.inputs ?? {} };
  }

  #details(more: RequestDetails = {}) {
    return { urn: this.urn, type: this.#type, ...more };
  }

  #declared(news: Properties, said: Properties): Properties {
    if (this.#provider.bridge === "plugin") {
      return news;
    }
    const timeouts = Object.fromEntries(
      Object.entries(this.#timeouts).map(([operation, seconds]) => [operation, `${seconds}s`]),
    );
    const hidden = { urn: this.urn, timeouts, ...said };
    return this.#sent({ ...news, [hiddenInput]: hidden });
  }

  #sent(properties: Properties): Properties {
    return this.#provider.bridge === "plugin" ? properties : { ...properties, [loaderInput]: this.#text };
  }
}

/** The properties without those that a bridge adds, whose names begin with `__`. */
export function own(properties: Properties): Properties {
  return Object.fromEntries(Object.entries(properties).filter(([name]) => !name.startsWith("__")));
}
