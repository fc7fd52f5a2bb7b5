import type { ResourceKind } from "../../../src/bridges/kinds.js";
import type { StoredObject } from "../../bridges/played-resource.js";
import type { Bridge } from "../../bridges/provider-process.js";
import type { Properties } from "../../bridges/wire-messages.js";

/** What reaches the life cycles: nothing at all, or one of the two processes. */
export type DriverName = "in process" | Bridge;

/** A message on a resource's row, or an error. */
export interface Said {
  readonly isWarning: boolean;
  readonly message: string;
}

/** How a played engine reaches the life cycles. */
export interface Driver {
  readonly name: DriverName;
  /** What the run has said so far, in order. */
  readonly said: readonly Said[];
  /** Begins another run of the engine. */
  begin(): Promise<void>;
  /** Cancels the calls under way, as Ctrl-C does. */
  cancel(): Promise<void>;
  /** Ends the run at once, as SIGKILL does. */
  kill(): Promise<void>;
  /** Ends everything, after the last run. */
  stop(): Promise<void>;
  /** A resource of the run under way. */
  resource(kind: ResourceKind, logicalName: string): DrivenResource;
}

/** What the engine says of a check besides the properties. */
export interface CheckOptions {
  /** The program runs in a preview. Default false. */
  readonly isPreview?: boolean;
  /** The program gives the option `deleteBeforeReplace`. Default false. */
  readonly deletesFirst?: boolean;
}

/** The calls of the engine about one resource. */
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
  /** Undefined when it is gone. */
  read(stored: StoredObject): Promise<StoredObject | undefined>;
  update(stored: StoredObject, news: Properties): Promise<StoredObject>;
  delete(stored: StoredObject): Promise<void>;
  /** Reads what comes under management. Undefined when there is nothing. */
  import(id: string): Promise<StoredObject | undefined>;
  /** Reads what a program only looks up. Undefined when there is nothing. */
  lookUp(id: string): Promise<StoredObject | undefined>;
  /** What a preview refuses besides what its check has refused. */
  previewRefusals(old: StoredObject | undefined, inputs: Properties): Promise<readonly string[]>;
}
