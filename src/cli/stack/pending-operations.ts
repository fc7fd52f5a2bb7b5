/** Pending operations of a stack, and the objects that they may have left in the service. */
import { isDeepStrictEqual } from "node:util";
import { logicalNameOf } from "../../providers/names.js";
import { runPulumi, type Stack } from "./stack.js";

/** Type tokens of this package, by bridge. The group is the kind. */
const ownToken = /^(?:browser-infra:index:|pulumi-nodejs:dynamic\/browser-infra:)(\w+)$/;

/** Operations of Pulumi that an interruption can leave pending. */
export type Operation = "creating" | "updating" | "deleting" | "reading" | "importing";

/** Resource in the output of `pulumi stack export`. */
export interface ExportedResource {
  readonly urn: string;
  readonly type: string;
  /** Absent before the resource exists. */
  readonly id?: string;
  /** Whether the program only looks the resource up. */
  readonly external?: boolean;
  readonly inputs?: Readonly<Record<string, unknown>>;
  readonly outputs?: Readonly<Record<string, unknown>>;
  readonly parent?: string;
  /** URN and id of the provider, joined by `::`. */
  readonly provider?: string;
}

interface ExportedStack {
  readonly deployment: {
    readonly resources?: readonly ExportedResource[];
    readonly pending_operations?: readonly {
      readonly type: Operation;
      readonly resource: ExportedResource;
    }[];
  };
}

/** An operation that an interruption cut off, on a resource of this package. */
export interface PendingOperation {
  readonly urn: string;
  readonly name: string;
  readonly type: string;
  /** Name of the class, such as `BrowserPool`. */
  readonly kind: string;
  readonly operation: Operation;
  /** Undefined for a creation. */
  readonly id: string | undefined;
  /** Ids of the resource in the state. Not empty for a creation: a later deployment has repeated it. */
  readonly stateIds: readonly string[];
  /** Inputs of the operation. Secrets are encrypted. */
  readonly inputs: Readonly<Record<string, unknown>>;
  /** Names of the inputs that a creation or an update may have sent. Empty for other operations. */
  readonly sent: readonly string[];
  /** URN of the parent, unless the parent is the stack. */
  readonly parent: string | undefined;
  readonly provider: string | undefined;
}

/** Pending operations of a stack, and the objects that the stack manages anyway. */
export interface PendingOperations {
  readonly operations: readonly PendingOperation[];
  /** Ids of objects that belong to a resource of the state, or to an `ApiKeyName`. */
  readonly managed: ReadonlySet<string>;
  readonly resources: readonly ExportedResource[];
}

/** Reads the pending operations of a stack, by `pulumi stack export`. Throws as `runPulumi`. */
export async function pendingOperations(stack: Stack): Promise<PendingOperations> {
  const { deployment } = await runPulumi<ExportedStack>(["stack", "export"], "state", stack);
  const { resources = [], pending_operations: pending = [] } = deployment;
  const states = new Map(resources.map((resource) => [resource.urn, resource]));
  const named = [...resources, ...pending.map(({ resource }) => resource)];
  const renamed = named.flatMap(({ inputs }) => (typeof inputs?.keyId === "string" ? [inputs.keyId] : []));
  const managed = new Set([...resources.flatMap(idsOf), ...renamed]);
  const operations = pending.flatMap(({ type: operation, resource }) => {
    const { urn, type, id, inputs = {}, parent, provider } = resource;
    const kind = kindOf(type);
    if (kind === undefined) {
      return [];
    }
    const before = states.get(urn)?.inputs ?? {};
    const changed = Object.keys({ ...before, ...inputs }).filter(
      (name) => !name.startsWith("__") && !isDeepStrictEqual(before[name], inputs[name]),
    );
    return {
      urn,
      name: logicalNameOf(urn),
      type,
      kind,
      operation,
      id,
      stateIds: idsOf(states.get(urn)),
      inputs,
      sent: operation === "updating" || operation === "creating" ? changed : [],
      parent: parent?.includes("::pulumi:pulumi:Stack::") ? undefined : parent,
      provider: explicitProvider(provider),
    };
  });
  return { operations, managed, resources };
}

/** Kind of a type token, such as `BrowserPool`; undefined for a token of another package. */
export function kindOf(type: string): string | undefined {
  return ownToken.exec(type)?.[1];
}

/** Ids of the objects of a resource. After a rotation, key and resource have different ids. */
function idsOf({ id, outputs = {} }: Partial<ExportedResource> = {}): string[] {
  const { keyId, previousKeys } = outputs;
  const previous = Array.isArray(previousKeys) ? previousKeys : [];
  const ids = [id, keyId, ...previous.map((each: { readonly id?: unknown }) => each.id)];
  return ids.filter((each) => typeof each === "string");
}

/** URN of a provider that the program declares. The default provider is called `default…`. */
export function explicitProvider(reference = ""): string | undefined {
  const urn = reference.split("::").slice(0, -1).join("::");
  return urn === "" || logicalNameOf(urn).startsWith("default") ? undefined : urn;
}
