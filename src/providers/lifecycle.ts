import type { PropertyMap } from "./properties.js";

/**
 * The life cycle of one kind of resource, free of Pulumi: what the bridge in `../dynamic` (and any later adapter) drives.
 * Inputs are what `check` returned; outputs are what the service made of them and what the state file keeps.
 */
export interface ResourceLifecycle {
  /** Validates the program's inputs, fills defaults and everything a preview can know. Sends no request. */
  check(request: CheckRequest, context: LifecycleContext): Promise<CheckResult>;
  /** Compares the outputs in the state with new checked inputs. Sends no request. */
  diff(request: DiffRequest, context: LifecycleContext): DiffResult;
  /** Makes the resource. Throws {@link PartiallyCreatedError} when something exists but is not as declared. */
  create(inputs: PropertyMap, context: LifecycleContext): Promise<Created>;
  /** Reads the live object; undefined when it is gone. */
  read(request: StoredResource, context: LifecycleContext): Promise<ReadResult | undefined>;
  /** Changes the resource in place and returns its complete outputs. */
  update(request: UpdateRequest, context: LifecycleContext): Promise<PropertyMap>;
  /** Removes the resource. Succeeds when it is gone already. */
  delete(request: StoredResource, context: LifecycleContext): Promise<void>;
}

/** What a resource's `check` is given. */
export interface CheckRequest {
  /** Inputs that an earlier `check` returned; undefined for a resource that is new to the state. */
  readonly olds: PropertyMap | undefined;
  readonly news: PropertyMap;
  /** What the earlier `check` returned as memo. */
  readonly memo: PropertyMap | undefined;
}

/** A fault of one input. Shown by the engine at that property, before anything is sent. */
export interface CheckFailure {
  /** Name of the input at fault; empty when the fault is not in an input (a missing setting, for instance). */
  readonly property: string;
  /** What is wrong, why, and what to do. */
  readonly reason: string;
}

/** What `check` makes of the program's inputs. With failures, nothing else of it counts. */
export interface CheckResult {
  /** Complete inputs, as the state keeps them. */
  readonly inputs: PropertyMap;
  readonly failures: readonly CheckFailure[];
  /** Kept in the state for the next `check`, out of sight: what only saves work, and nobody should compare. */
  readonly memo?: PropertyMap;
}

/** What the state has, and what the program declares. */
export interface DiffRequest {
  readonly id: string;
  /** Outputs in the state. */
  readonly olds: PropertyMap;
  /** Checked inputs. */
  readonly news: PropertyMap;
}

export interface DiffResult {
  /**
   * False when nothing is to be done. Left undefined when something differs: the engine then compares the inputs
   * itself and shows each property that changed, which it does not do on a plain `true`. True only when the inputs are
   * equal and something is to be done all the same, which the engine would otherwise drop.
   */
  readonly changes?: boolean;
  /** Inputs whose change makes the resource be replaced. */
  readonly replaces?: readonly string[];
  /** Whether the old object has to go before the new one can exist. */
  readonly deleteBeforeReplace?: boolean;
}

/** A resource as the state file keeps it. */
export interface StoredResource {
  readonly id: string;
  /** Outputs in the state; for a resource that a program looks up by id, only what it gave as known state. */
  readonly state: PropertyMap;
}

/** What `diff` compared before, when it found something to do that replaces nothing. */
export interface UpdateRequest extends DiffRequest {}

/** A resource that exists as declared. */
export interface Created {
  readonly id: string;
  /** What the state keeps of it, complete: what is left out is lost. */
  readonly outputs: PropertyMap;
}

export interface ReadResult extends Created {
  /** The inputs rebuilt from the live object, in the shape `check` returns them. */
  readonly inputs: PropertyMap;
}

/** What a life cycle may use of the world around it. */
export interface LifecycleContext {
  /** The resource's URN; undefined when the program that wrote the state did not say. */
  readonly urn: string | undefined;
  /** Names the deployment: the same in every provider process of one, and another in the next. */
  readonly deployment: string;
  /** Value of a setting in the stack configuration, by full name: `browser-infra:apiKey`. */
  readonly configuration: (key: string) => string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Aborted when the engine cancels the deployment. */
  readonly signal: AbortSignal;
  /** Says something on the resource's own row. */
  readonly report: Report;
}

/** Messages on the resource's own row, for the person who watches the deployment. */
export interface Report {
  /** What is going on now; replaced by the next one. Send few: outside a terminal each is a line of its own. */
  progress(message: string): void;
  /** Stays in the output of the deployment. */
  info(message: string): void;
  /** Stays, and is marked as a warning. */
  warning(message: string): void;
}

/**
 * Something exists under `id`, but not as declared. The engine keeps it in the state together with the reasons,
 * and the next deployment tries again.
 */
export class PartiallyCreatedError extends Error {
  override readonly name = "PartiallyCreatedError";
  readonly id: string;
  readonly outputs: PropertyMap;
  /** Why, one sentence each; the only text the engine shows. */
  readonly reasons: readonly string[];

  constructor(id: string, outputs: PropertyMap, reasons: readonly string[]) {
    super(reasons.join(" "));
    this.id = id;
    this.outputs = outputs;
    this.reasons = reasons;
  }
}
