import type * as grpc from "@grpc/grpc-js";
import * as messages from "@pulumi/pulumi/proto/provider_pb.js";
import { Status } from "@pulumi/pulumi/proto/status_pb.js";
import structProto from "google-protobuf/google/protobuf/struct_pb.js";

/** Plain object in the engine's form: unknown values as markers, secrets unwrapped. */
export type Properties = Record<string, unknown>;

/**
 * Error as received by the engine. `initFailed`: the resource exists anyway.
 */
export interface ProviderFailure extends Error {
  readonly initFailed?: { id: string; properties: Properties; reasons: string[] };
}

/** Members of the engine's requests about a resource, besides the properties. */
export interface RequestDetails {
  readonly urn?: string;
  readonly type?: string;
  readonly timeoutSeconds?: number;
  readonly isPreview?: boolean;
  readonly oldInputs?: Properties;
}

/** Sets the URN and the type of a request. */
export function about<R extends { setUrn(urn: string): R; setType(type: string): R }>(
  { urn = "", type = "" }: RequestDetails,
  request: R,
): R {
  return request.setUrn(urn).setType(type);
}

/** Detailed diff of a response: kinds of change in lower case, by property path. */
export function detailsOf(response: messages.DiffResponse): Record<string, string> {
  const kinds = Object.entries(messages.PropertyDiff.Kind);
  const details: Record<string, string> = {};
  response.getDetaileddiffMap().forEach((diff: messages.PropertyDiff, path: string) => {
    const [name = ""] = kinds.find(([, kind]) => kind === diff.getKind()) ?? [];
    details[path] = `${name.toLowerCase()}${diff.getInputdiff() ? "" : " (not of the inputs)"}`;
  });
  return details;
}

/** Plain object in the form of a request. */
export function structOf(properties: Properties): structProto.Struct {
  return structProto.Struct.fromJavaScript(properties as never);
}

/** Unpacks "created but failed to initialise" the way the engine does: from the error's details. */
export function withInitFailure(error: grpc.ServiceError): ProviderFailure {
  const [details] = error.metadata?.get("grpc-status-details-bin") ?? [];
  if (!(details instanceof Buffer)) {
    return error;
  }
  const packed = Status.deserializeBinary(new Uint8Array(details)).getDetailsList()[0];
  const failed = packed?.unpack(
    messages.ErrorResourceInitFailed.deserializeBinary,
    "pulumirpc.ErrorResourceInitFailed",
  ) as messages.ErrorResourceInitFailed;
  return Object.assign(error, {
    initFailed: {
      id: failed.getId(),
      properties: failed.getProperties()?.toJavaScript() as Properties,
      reasons: failed.getReasonsList(),
    },
  });
}
