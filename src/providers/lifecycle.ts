import type { Accounts } from "../client/accounts.js";
import { checkProjectId } from "../config.js";
import { ArchiveError, ConfigError, InputError } from "../errors.js";
import { safeMessage } from "../text/escape.js";
import type { Properties, PropertyMap } from "./properties.js";

/**
 * Life cycle of a kind of resource, independent of Pulumi and called by a bridge. Inputs are the
 * result of `check`. Outputs describe the object in the service. The state file contains both.
 */
export interface ResourceLifecycle {
  /** Forms of the id of an import, such as `<id>`. Empty: there is nothing to import. */
  readonly importIds: readonly string[];
  /** Inputs for which null is a value. Only `check` gets null: in a state, it means undeclared. */
  readonly nullInputs?: readonly string[];
  /**
   * Validates the program's inputs, and fills in defaults and all values that a preview can know.
   * In a preview, also refuses inputs that the service would refuse. Sends no request in an update.
   */
  check(request: CheckRequest, context: LifecycleContext): Promise<CheckResult>;
  /**
   * For a preview: failures that the deployment of accepted inputs would report. Reads from the
   * service, but changes nothing. `check` calls this method if the request has `isPreview`.
   */
  preview(request: PreviewRequest, context: LifecycleContext): Promise<CheckFailure[]>;
  /** Compares the outputs in the state with new checked inputs. Sends no request. */
  diff(request: DiffRequest, context: LifecycleContext): DiffResult;
  /**
   * Creates the object. Throws {@link PartiallyCreatedError} for an object that is not as declared, or
   * that may exist after a lost response.
   */
  create(inputs: PropertyMap, context: LifecycleContext): Promise<Created>;
  /** Reads the live object; undefined if the object is gone. */
  read(request: StoredResource, context: LifecycleContext): Promise<ReadResult | undefined>;
  /** Changes the resource in place if `diff` returned no replacement. Returns complete outputs. */
  update(request: DiffRequest, context: LifecycleContext): Promise<PropertyMap>;
  /**
   * For the preview of an update: outputs whose new values are unknown until after the update.
   * Undefined: an update changes inputs alone. Sends no request.
   */
  unknownAfterUpdate?(request: DiffRequest): readonly string[];
  /** Removes the resource. Succeeds if the object is already gone. */
  delete(request: StoredResource, context: LifecycleContext): Promise<void>;
}

/** Kind of resource, for the bridges, the schema and the command line. */
export interface Kind {
  /** Inputs as returned by `check`. A program gives the inputs that are not `isFilledIn`. */
  readonly inputs: Properties;
  /** All properties in the state. Properties that are not `isInternal` are outputs. */
  readonly state: Properties;
  /** Creates a life cycle, with shared data, for the resources of a run. */
  readonly lifecycle: (accounts?: Accounts) => ResourceLifecycle;
  /** Whether the life cycle enforces the create timeout, with a better error. Default: false. */
  readonly enforcesCreateLimit?: true;
  /**
   * For a preview without failures: compares the resource with others of the program, and may warn.
   * `olds`: inputs in the state; undefined for a creation.
   */
  readonly compare?: (
    request: Pick<PreviewRequest, "inputs" | "olds">,
    context: LifecycleContext,
    accounts: Accounts,
  ) => Promise<void>;
  /** Paragraph of the schema, for languages whose classes set no options. Default: none. */
  readonly advice?: string;
}

export interface CheckRequest {
  /** Inputs returned by an earlier `check`; undefined for a resource that is new to the state. */
  readonly olds: PropertyMap | undefined;
  readonly news: PropertyMap;
  /** Memo returned by the earlier `check`. */
  readonly memo: PropertyMap | undefined;
  /** Whether a replacement deletes the old object first, and never retains the old object. */
  readonly deletesFirst?: boolean;
  /** Whether the program runs in a preview, which may send requests. Default: false. */
  readonly isPreview?: boolean;
}

export interface PreviewRequest {
  /** Inputs in the state; undefined for a creation, including a replacement. */
  readonly olds: PropertyMap | undefined;
  readonly inputs: PropertyMap;
  /** Memo returned by `check` with the inputs. */
  readonly memo: PropertyMap | undefined;
}

/** Failure of an input. The engine shows the failure at the property, before any change is sent. */
export interface CheckFailure {
  /** Name of the input; empty if no input is at fault but, for instance, a missing setting. */
  readonly property: string;
  /** Problem, cause and remedy. */
  readonly reason: string;
  /** Input at fault, where the engine must not print the value. Default: `property`. */
  readonly input?: string;
}

/** Turns an error that the program, its files or the settings can fix into a failure. Throws other errors. */
export function failureOf(error: unknown): CheckFailure {
  if (error instanceof ArchiveError) {
    const property = error.code === "app_entrypoint_missing" ? "entrypoint" : "path";
    return { property, reason: error.message };
  }
  if (error instanceof InputError || error instanceof ConfigError) {
    return { property: error instanceof InputError ? error.property : "", reason: error.message };
  }
  throw error;
}

/** Failures returned by `find`. Unusable settings are a failure as well, without a property. */
export function failuresFrom(find: () => CheckFailure[]): CheckFailure[] {
  try {
    return find();
  } catch (error) {
    return [failureOf(error)];
  }
}

/** Result of `check` for the program's inputs. If there are failures, nothing else counts. */
export interface CheckResult {
  /** Complete inputs, as stored in the state. */
  readonly inputs: PropertyMap;
  readonly failures: readonly CheckFailure[];
  /** Data in the state for the next `check`, hidden and never compared. */
  readonly memo?: PropertyMap;
}

/** Result of a check, in a preview of the deployment, too. Omits invalid inputs, maybe secrets. */
export async function checkResult(
  { olds, isPreview = false }: CheckRequest,
  { inputs, failures, memo }: CheckResult,
  preview: (request: PreviewRequest) => Promise<CheckFailure[]>,
): Promise<CheckResult> {
  const all = isPreview && failures.length === 0 ? await preview({ olds, inputs, memo }) : failures;
  return all.length > 0
    ? { inputs: {}, failures: all }
    : { inputs, failures: [], ...(memo === undefined ? {} : { memo }) };
}

/**
 * Failures of inputs that a resource (`An Extension`) does not have. Only the message contains the
 * input name: the engine prints the value of the property of a failure.
 */
export function undeclaredInputs(news: PropertyMap, { types }: Properties, resource: string): CheckFailure[] {
  const inputs = Object.keys(types).filter((name) => types[name]?.isFilledIn !== true);
  return Object.keys(news)
    .filter((property) => !Object.hasOwn(types, property))
    .map((property) => ({
      property: "",
      reason: `${resource} has no input "${property}". Its inputs are ${inputs.join(", ")}.`,
    }));
}

/** State and declaration of a resource, to compare. */
export interface DiffRequest {
  readonly id: string;
  readonly olds: PropertyMap;
  readonly news: PropertyMap;
  /** Memo returned by `check` with the inputs. */
  readonly memo?: PropertyMap | undefined;
}

export interface DiffResult {
  /**
   * False: there is nothing to do. Undefined: inputs differ; the engine then compares the inputs
   * itself and shows every change, unlike for a plain `true`. True: there is something to do
   * although the inputs are equal.
   */
  readonly changes?: boolean;
  /** Inputs whose change replaces the resource. */
  readonly replaces?: readonly string[];
  /** Whether the old object must be deleted before the new one can exist. */
  readonly deleteBeforeReplace?: boolean;
}

/** Resource as stored in the state file. */
export interface StoredResource {
  readonly id: string;
  /** Outputs in the state; for a lookup, only the values given by the program. */
  readonly state: PropertyMap;
  /** Whether the read imports the resource, with only an id, or `<project>/<id>`. Default: false. */
  readonly isImport?: boolean;
}

/** Forms of the id of an import, for the documentation: the forms that {@link splitImportId} reads. */
export function importIdForms({ noun, isInProject = false }: { noun: string; isInProject?: boolean }) {
  return [`<${noun} id>`, ...(isInProject ? [`<project id>/<${noun} id>`] : [])];
}

/**
 * Parts of the id of an import: `<id>`, or `<project>/<id>` for an object outside of the project in
 * the settings. `noun`: kind of object, such as `extension`. Throws `InputError`
 * `import_id_invalid`, `ConfigError`.
 */
export function splitImportId(
  importId: string,
  noun: string,
): { readonly id: string; readonly projectId?: string } {
  const [first = "", second, ...others] = importId.split("/");
  if (first === "" || second === "" || others.length > 0) {
    const article = /^[aeiou]/i.test(noun) ? "an" : "a";
    const message = `To import or look up ${article} ${noun}, give its id, or "<project id>/<${noun} id>". "${importId}" is neither.`;
    throw new InputError("import_id_invalid", "id", message);
  }
  return second === undefined
    ? { id: first }
    : { id: second, projectId: checkProjectId(first, "the id to import") };
}

/** A resource that exists as declared. */
export interface Created {
  readonly id: string;
  /** All values for the state. Omitted values are lost. */
  readonly outputs: PropertyMap;
}

export interface ReadResult extends Created {
  /** Inputs rebuilt from the live object, in the form of a `check` result. */
  readonly inputs: PropertyMap;
  /** Imports only: memo for the next `check`. */
  readonly memo?: PropertyMap;
}

/** Surroundings of a life cycle: settings, cancellation and messages. */
export interface LifecycleContext {
  /** URN of the resource; undefined if the program that wrote the state gave none. */
  readonly urn: string | undefined;
  /** Absolute path of the program's folder, the base of relative paths in inputs. */
  readonly programFolder: string;
  /** Value of a setting in the stack configuration, by its full name: `browser-infra:apiKey`. */
  readonly configuration: (key: string) => string | undefined;
  /** Keys of the stack configuration, as far as known. */
  readonly configurationKeys?: (() => readonly string[]) | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Namespace of the settings in the environment of the process. Default: pulumi-nodejs. */
  readonly settingsNamespace?: string | undefined;
  /**
   * Whether the caller may have the process read a variable, a setting or a folder named in the
   * inputs. Default: yes.
   */
  readonly mayRead?: ((place: string) => boolean) | undefined;
  /** Aborted when the engine cancels the deployment. */
  readonly signal: AbortSignal;
  /** Limit in `customTimeouts`, such as `"30s"`, that the life cycle itself must enforce. */
  readonly timeLimit?: string;
  /** Writes messages on the resource's own row. */
  readonly report: Report;
}

/** Reason and remedy for a place that `LifecycleContext.mayRead` keeps unread. */
export const notMayRead =
  "No check of this deployment has named it, and the system does not show whether Pulumi or another program " +
  "makes this call. Run the command again.";

/** Messages on the resource's own row, for the person who watches the deployment. */
export interface Report {
  /** Shows the current step. Use rarely: outside a terminal, every message is a line in the log. */
  progress(message: string): void;
  /**
   * Adds a row with `what`, followed by `message`: at 80 columns, the resource's row has no room
   * for a message. The row stays until the end of the deployment and cannot change, so add at most
   * a single row. `what`: at most 71 characters, plain ASCII without "::" and "$".
   */
  row(what: string, message: string): void;
  /** Shows a message that stays in the output of the deployment, below the table. */
  info(message: string): void;
  /** Shows a warning that stays in the output. */
  warning(message: string): void;
  /** Shows details, such as names, only with `--debug`. */
  debug(message: string): void;
}

/**
 * Error whose `outputs` the engine stores under `id`, with the reasons: for an object that is not as
 * declared, or that may exist after a lost response (`id`: `lost-<name>`). The next deployment tries
 * again.
 */
export class PartiallyCreatedError extends Error {
  override readonly name = "PartiallyCreatedError";
  readonly id: string;
  readonly outputs: PropertyMap;
  /** Reasons, as full sentences. The engine shows no other text. */
  readonly reasons: readonly string[];

  constructor(id: string, outputs: PropertyMap, reasons: readonly string[]) {
    const safe = reasons.map(safeMessage);
    super(safe.join(" "));
    this.id = id;
    this.outputs = outputs;
    this.reasons = safe;
  }
}
