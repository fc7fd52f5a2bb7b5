import * as grpc from "@grpc/grpc-js";
import {
  CheckFailure as CheckFailureMessage,
  CheckResponse,
  DiffResponse,
  ErrorResourceInitFailed,
  PropertyDiff,
} from "@pulumi/pulumi/proto/provider_pb.js";
import { Status } from "@pulumi/pulumi/proto/status_pb.js";
import { Any } from "google-protobuf/google/protobuf/any_pb.js";
import { type JavaScriptValue, Struct } from "google-protobuf/google/protobuf/struct_pb.js";
import type { CheckFailure } from "../../providers/lifecycle.js";
import type { Properties, PropertyMap, TypeSchema } from "../../providers/properties.js";
import { messageOf } from "../../text/words.js";
import { safeFailure } from "../engine-call.js";
import { fromWireMap, hasSecretOnWire, isSecretOnWire, secretOnWire, toWireMap } from "../wire-values.js";
import type { PropertyChange } from "./detailed-diff.js";

/** Reads properties from the engine. `nullable`: properties for which null is a value. */
export function propertiesOf(struct: Struct | undefined, nullable: readonly string[] = []): PropertyMap {
  return fromWireMap(struct?.toJavaScript() ?? {}, nullable);
}

/**
 * Converts properties for a response. `types` mark the secret properties and members, which the
 * engine encrypts in the state and never shows. A property without a value has nothing to hide.
 * `given`: properties in the request. What a program marks as secret there stays secret under the
 * same name.
 */
export function structOf(
  properties: PropertyMap,
  types: Properties["types"] = {},
  given?: Struct | undefined,
): Struct {
  const marked: Readonly<Record<string, unknown>> = given?.toJavaScript() ?? {};
  const wire = Object.entries(toWireMap(properties)).map(([name, value]) => {
    const { schema, isSecret } = types[name] ?? {};
    const secret = withSecrets(value, { ...schema, ...(isSecret && { secret: true }) });
    return [name, keptSecret(secret, marked[name])];
  });
  return Struct.fromJavaScript(Object.fromEntries(wire) as Record<string, JavaScriptValue>);
}

function withSecrets(value: unknown, { secret, properties }: TypeSchema = {}): unknown {
  if (value === null || value === undefined) {
    return value;
  }
  if (secret) {
    return secretOnWire(value);
  }
  return properties === undefined || typeof value !== "object"
    ? value
    : Object.fromEntries(
        Object.entries(value).map(([name, member]) => [name, withSecrets(member, properties[name])]),
      );
}

/**
 * Marks a value as secret where the request has a secret: members of objects one by one, a list as a
 * whole, because its order may change. Source: `annotateSecrets` of Pulumi's engine, which does the
 * same for a plugin that accepts no secrets.
 */
function keptSecret(value: unknown, given: unknown): unknown {
  if (value === null || value === undefined || isSecretOnWire(value) || !hasSecretOnWire(given)) {
    return value;
  }
  return isSecretOnWire(given) || !isObject(value) || !isObject(given)
    ? secretOnWire(value)
    : Object.fromEntries(
        Object.entries(value).map(([name, member]) => [name, keptSecret(member, given[name])]),
      );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function checkResponse(inputs: Struct, failures: readonly CheckFailure[]): CheckResponse {
  const response = new CheckResponse();
  response.setInputs(inputs);
  for (const { property, reason } of failures.map(safeFailure)) {
    const failure = new CheckFailureMessage();
    failure.setProperty(property);
    failure.setReason(reason);
    response.addFailures(failure);
  }
  return response;
}

/** Builds the response to `diff` and `diffConfig`. `properties`: changes by path, if known. */
export function diffResponse(
  changes: boolean,
  replaces: readonly string[],
  properties: ReadonlyMap<string, PropertyChange> = new Map(),
): DiffResponse {
  const { DIFF_NONE, DIFF_SOME } = DiffResponse.DiffChanges;
  const response = new DiffResponse();
  response.setChanges(changes ? DIFF_SOME : DIFF_NONE);
  response.setReplacesList([...replaces]);
  response.setHasdetaileddiff(properties.size > 0);
  for (const [path, property] of properties) {
    response.getDetaileddiffMap().set(path, propertyDiff(property));
  }
  return response;
}

const { Kind } = PropertyDiff;
const diffKinds = {
  add: [Kind.ADD, Kind.ADD_REPLACE],
  delete: [Kind.DELETE, Kind.DELETE_REPLACE],
  update: [Kind.UPDATE, Kind.UPDATE_REPLACE],
} as const;

function propertyDiff({ kind, replaces, isOfInputs }: PropertyChange): PropertyDiff {
  const [inPlace, replacing] = diffKinds[kind];
  const diff = new PropertyDiff();
  diff.setKind(replaces ? replacing : inPlace);
  diff.setInputdiff(isOfInputs);
  return diff;
}

/** Makes a gRPC method with a single request and a single response from `work`. */
export function unary<Request, Response>(
  work: (request: Request) => Response | Promise<Response>,
): grpc.handleUnaryCall<Request, Response> {
  return (call, respond) => {
    Promise.resolve(call.request)
      .then(work)
      .then(
        (response) => respond(null, response),
        (error: unknown) => respond(statusOf(error)),
      );
  };
}

/** Makes a gRPC method with a single request and the stream of responses from `work`. */
export function stream<Request, Response>(
  work: (request: Request) => Promise<readonly Response[]>,
): grpc.handleServerStreamingCall<Request, Response> {
  return (call) => {
    Promise.resolve(call.request)
      .then(work)
      .then(
        (responses) => {
          for (const response of responses) {
            call.write(response);
          }
          call.end();
        },
        (error: unknown) => call.emit("error", statusOf(error)),
      );
  };
}

/** Failure of an object that is not as declared, or may exist. The engine stores outputs and reasons. */
export class InitFailure extends Error {
  override readonly name = "InitFailure";
  readonly id: string;
  readonly properties: Struct;
  readonly reasons: readonly string[];

  constructor(id: string, properties: Struct, reasons: readonly string[]) {
    super(reasons.join(" "));
    this.id = id;
    this.properties = properties;
    this.reasons = reasons;
  }
}

/** Converts an error to a status for the engine: the message alone, without the stack. */
function statusOf(error: unknown): Partial<grpc.StatusObject> {
  const details = messageOf(error);
  const metadata = new grpc.Metadata();
  if (error instanceof InitFailure) {
    const failed = new ErrorResourceInitFailed();
    failed.setId(error.id);
    failed.setProperties(error.properties);
    failed.setReasonsList([...error.reasons]);
    const packed = new Any();
    packed.pack(failed.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
    const status = new Status();
    status.setCode(grpc.status.UNKNOWN);
    status.setMessage(details);
    status.addDetails(packed);
    // Key under which gRPC keeps details of a status. Go's library reads the details by itself.
    metadata.add("grpc-status-details-bin", Buffer.from(status.serializeBinary()));
  }
  return { code: grpc.status.UNKNOWN, details, metadata };
}
