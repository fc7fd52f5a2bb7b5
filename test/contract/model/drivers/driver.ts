import type { ResourceKind } from "../../../../src/bridges/kinds.js";
import type { StoredObject } from "../../../bridges/played-resource.js";
import type { Bridge } from "../../../bridges/provider-process.js";
import type { Properties } from "../../../bridges/wire-messages.js";

/** Access to the life cycles: in the process of the test, or through a provider process. */
export type DriverName = "in process" | Bridge;

/** Message on a resource's row, or an error. */
export interface Said {
  readonly isWarning: boolean;
  readonly message: string;
}

/** Access of a played engine to the life cycles. */
export interface Driver {
  readonly name: DriverName;
  /** Messages of the run so far, in order. */
  readonly said: readonly Said[];
  /** Begins a new run of the engine. */
  begin(): Promise<void>;
  /** Cancels the calls under way, as Ctrl-C does. */
  cancel(): Promise<void>;
  /** Ends the run at once, as SIGKILL does. */
  kill(): Promise<void>;
  /** Ends everything, after the last run. */
  stop(): Promise<void>;
  /** Resource of the run under way. */
  resource(kind: ResourceKind, logicalName: string): DrivenResource;
}

/** Options of a check besides the properties. */
export interface CheckOptions {
  /** Whether the program runs in a preview. Default: false. */
  readonly isPreview?: boolean;
  /** Whether the program sets the option `deleteBeforeReplace`. Default: false. */
  readonly deletesFirst?: boolean;
}

/** Calls of the engine about a resource. */
export interface DrivenResource {
  check(
    news: Properties,
    olds?: Properties,
    options?: CheckOptions,
  ): Promise<{
    readonly inputs: Properties;
    readonly failures: readonly { readonly property: string; readonly reason: string }[];
  }>;
  diff(
    stored: StoredObject,
    news: Properties,
  ): Promise<{
    readonly changes: "unknown" | "none" | "some";
    readonly replaces: readonly string[];
    readonly deleteBeforeReplace: boolean;
    readonly detailed?: unknown;
  }>;
  create(inputs: Properties): Promise<StoredObject>;
  /** Reads the object of a resource. Undefined if the object does not exist. */
  read(stored: StoredObject): Promise<StoredObject | undefined>;
  update(stored: StoredObject, news: Properties): Promise<StoredObject>;
  delete(stored: StoredObject): Promise<void>;
  /** Reads an object to manage. Undefined if the object does not exist. */
  import(id: string): Promise<StoredObject | undefined>;
  /** Reads an object that a program only looks up. Undefined if the object does not exist. */
  lookUp(id: string): Promise<StoredObject | undefined>;
  /** Failures of a preview, besides the failures of the check. */
  previewRefusals(old: StoredObject | undefined, inputs: Properties): Promise<readonly string[]>;
}
