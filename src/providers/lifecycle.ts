import type { Accounts } from "../client/accounts.js";
import { checkProjectId } from "../config.js";
import { ConfigError, InputError } from "../errors.js";
import { safeMessage } from "../text/escape.js";
import type { Properties, PropertyMap } from "./properties.js";

/**
 * The life cycle of one kind of resource, free of Pulumi: what a bridge drives. Inputs are what
 * `check` returned. Outputs are what the service made of them; the state file keeps both.
 */
export interface ResourceLifecycle {
  /**
   * Inputs for which a program's null means something, and not that they are left out. Only `check`
   * sees such a null: in a state file it would look like an input that is left out.
   */
  readonly nullInputs?: readonly string[];
  /**
   * Validates the program's inputs, and fills in defaults and everything that a preview can know.
   * In a preview it also reads what the service would refuse. In an update it sends no request.
   */
  check(request: CheckRequest, context: LifecycleContext): Promise<CheckResult>;
  /**
   * For a preview: what the deployment would refuse of inputs that `check` accepted. Asks the
   * service, but changes nothing. `check` itself calls it where its request says `isPreview`.
   */
  preview(request: PreviewRequest, context: LifecycleContext): Promise<CheckFailure[]>;
  /** Compares the outputs in the state with new checked inputs. Sends no request. */
  diff(request: DiffRequest, context: LifecycleContext): DiffResult;
  /** Creates it. Throws {@link PartiallyCreatedError} if something exists, but not as declared. */
  create(inputs: PropertyMap, context: LifecycleContext): Promise<Created>;
  /** Reads the live object. Undefined means that it is gone. */
  read(request: StoredResource, context: LifecycleContext): Promise<ReadResult | undefined>;
  /** Changes the resource in place, when `diff` wants no replacement. Returns complete outputs. */
  update(request: DiffRequest, context: LifecycleContext): Promise<PropertyMap>;
  /**
   * For the preview of an update: outputs whose new values are unknown until it has happened.
   * Undefined: it changes inputs alone. Sends no request.
   */
  unknownAfterUpdate?(request: DiffRequest): readonly string[];
  /** Removes the resource. Succeeds when it is gone already. */
  delete(request: StoredResource, context: LifecycleContext): Promise<void>;
}

/** A kind of resource: what the bridges, the schema and the command line know of it. */
export interface Kind {
  /** What `check` returns. A program gives those that are not `isFilledIn`. */
  readonly inputs: Properties;
  /** Everything that the state keeps. What is not `isInternal` is an output. */
  readonly state: Properties;
  /** A life cycle for the resources of one run, which share what it knows. */
  readonly lifecycle: (accounts?: Accounts) => ResourceLifecycle;
  /** It keeps the limit of a create itself: when that passes, it can say more. Default false. */
  readonly keepsCreateLimit?: true;
  /** A paragraph of the schema, for the languages whose classes set no options. Default: none. */
  readonly advice?: string;
}

export interface CheckRequest {
  /** Inputs that an earlier `check` returned; undefined for a resource that is new to the state. */
  readonly olds: PropertyMap | undefined;
  readonly news: PropertyMap;
  /** What the earlier `check` returned as its memo. */
  readonly memo: PropertyMap | undefined;
  /** If this is replaced, the engine deletes the old object first, and keeps it in no case. */
  readonly deletesFirst?: boolean;
  /** The program runs in a preview, which may ask the service. Default false. */
  readonly isPreview?: boolean;
}

export interface PreviewRequest {
  /** Inputs in the state; undefined for what is created, also by a replacement. */
  readonly olds: PropertyMap | undefined;
  /** Inputs that `check` returned. */
  readonly inputs: PropertyMap;
  /** What `check` returned with them as its memo. */
  readonly memo: PropertyMap | undefined;
}

/** What is wrong with one input. The engine shows it at that property, before anything is sent. */
export interface CheckFailure {
  /** Name of the input; empty when no input is at fault, but a missing setting, for instance. */
  readonly property: string;
  /** What is wrong, why, and what to do. */
  readonly reason: string;
}

/** An error that the program or its settings can fix, at the input it names. Throws any other. */
export function failureOf(error: unknown): CheckFailure {
  if (error instanceof InputError || error instanceof ConfigError) {
    return { property: error instanceof InputError ? error.property : "", reason: error.message };
  }
  throw error;
}

/** What `find` finds wrong. Settings that it cannot use are a failure too, of no input. */
export function failuresFrom(find: () => CheckFailure[]): CheckFailure[] {
  try {
    return find();
  } catch (error) {
    return [failureOf(error)];
  }
}

/** What `check` makes of the program's inputs. If there are failures, nothing else counts. */
export interface CheckResult {
  /** Complete inputs, as the state keeps them. */
  readonly inputs: PropertyMap;
  readonly failures: readonly CheckFailure[];
  /** Kept in the state for the next `check`, out of sight: it only saves work. Never compared. */
  readonly memo?: PropertyMap;
}

/**
 * The result of a check, in a preview with what the deployment would refuse. Invalid inputs are not
 * repeated: one of them may be a secret.
 */
export async function checked(
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
 * A failure for each input that a resource (`An Extension`) does not have. It names the input only
 * in the text: the engine prints the value of a property that a failure names.
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

/** What the state has, and what the program declares. */
export interface DiffRequest {
  readonly id: string;
  /** Outputs in the state. */
  readonly olds: PropertyMap;
  /** Checked inputs. */
  readonly news: PropertyMap;
  /** What `check` returned with them as its memo. */
  readonly memo?: PropertyMap | undefined;
}

export interface DiffResult {
  /**
   * False when there is nothing to do. Undefined when inputs differ: the engine then compares them
   * itself and shows each one that changed, which it does not do on a plain `true`. True when there
   * is something to do although they are equal.
   */
  readonly changes?: boolean;
  /** Inputs whose change replaces the resource. */
  readonly replaces?: readonly string[];
  /** Whether the old object must be deleted before the new one can exist. */
  readonly deleteBeforeReplace?: boolean;
}

/** A resource as the state file keeps it. */
export interface StoredResource {
  readonly id: string;
  /** Outputs in the state; of a resource that a program looks up, only what the program gave. */
  readonly state: PropertyMap;
  /**
   * It comes under management by this read, for which there is only its id: `<id>`, or where it has
   * a project `<project>/<id>`. Default false.
   */
  readonly isImport?: boolean;
}

/**
 * The parts of the id that an import names: `<id>`, or `<project>/<id>` for an object of another
 * project than that of the settings. `noun`: what it is, such as `extension`. Throws `InputError`
 * `import_id_invalid`, `ConfigError`.
 */
export function splitImportId(
  importId: string,
  noun: string,
): { readonly id: string; readonly projectId?: string } {
  const [first = "", second, ...others] = importId.split("/");
  if (first === "" || second === "" || others.length > 0) {
    const article = /^[aeiou]/i.test(noun) ? "an" : "a";
    const message = `To import ${article} ${noun}, give its id, or "<project id>/<${noun} id>". "${importId}" is neither.`;
    throw new InputError("import_id_invalid", "id", message);
  }
  return second === undefined
    ? { id: first }
    : { id: second, projectId: checkProjectId(first, "the id to import") };
}

/** A resource that exists as declared. */
export interface Created {
  readonly id: string;
  /** Everything that the state keeps of it: what is left out is lost. */
  readonly outputs: PropertyMap;
}

export interface ReadResult extends Created {
  /** The inputs rebuilt from the live object, in the form in which `check` returns them. */
  readonly inputs: PropertyMap;
  /** Of an import: what the next `check` needs as its memo. */
  readonly memo?: PropertyMap;
}

/** What a life cycle may use of the world around it. */
export interface LifecycleContext {
  /** The resource's URN; undefined when the program that wrote the state did not give it. */
  readonly urn: string | undefined;
  /** Absolute path of the program's folder. Relative paths in inputs start there. */
  readonly programFolder: string;
  /** Value of a setting in the stack configuration, by its full name: `browser-infra:apiKey`. */
  readonly configuration: (key: string) => string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Namespace of the settings that the process gets in its environment. Default: pulumi-nodejs. */
  readonly settingsNamespace?: string | undefined;
  /** Aborted when the engine cancels the deployment. */
  readonly signal: AbortSignal;
  /** A limit in `customTimeouts`, such as `"30s"`, that the life cycle itself must keep. */
  readonly timeLimit?: string;
  /** Writes messages on the resource's own row. */
  readonly report: Report;
}

/** Messages on the resource's own row, for the person who watches the deployment. */
export interface Report {
  /** What is happening now. Send few: outside a terminal each one is a line in the log. */
  progress(message: string): void;
  /**
   * A row of its own that says `what`, with `message` next to it: at 80 columns the resource's row
   * has no room for a message. It stays until the end of the deployment and cannot change, so send
   * one at most. `what`: at most 71 characters, plain ASCII without "::" and "$".
   */
  row(what: string, message: string): void;
  /** Stays in the output of the deployment. */
  info(message: string): void;
  /** Stays, and is marked as a warning. */
  warning(message: string): void;
  /** Details, such as names. Shown only with `--debug`. */
  debug(message: string): void;
}

/**
 * Something exists under `id`, but not as declared. The engine keeps it in the state together with
 * the reasons, and the next deployment tries again.
 */
export class PartiallyCreatedError extends Error {
  override readonly name = "PartiallyCreatedError";
  readonly id: string;
  readonly outputs: PropertyMap;
  /** Why, one sentence each. This is the only text that the engine shows. */
  readonly reasons: readonly string[];

  constructor(id: string, outputs: PropertyMap, reasons: readonly string[]) {
    const safe = reasons.map(safeMessage);
    super(safe.join(" "));
    this.id = id;
    this.outputs = outputs;
    this.reasons = safe;
  }
}
