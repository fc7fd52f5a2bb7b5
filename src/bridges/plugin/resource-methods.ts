import {
  CheckFailure as CheckFailureMessage,
  type CheckRequest,
  CheckResponse,
  type CreateRequest,
  CreateResponse,
  type DeleteRequest,
  type DiffRequest,
  DiffResponse,
  PropertyDiff,
  type ReadRequest,
  ReadResponse,
  type UpdateRequest,
  UpdateResponse,
} from "@pulumi/pulumi/proto/provider_pb.js";
import { Empty } from "google-protobuf/google/protobuf/empty_pb.js";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb.js";
import { type CheckFailure, PartiallyCreatedError } from "../../providers/lifecycle.js";
import type { PropertyMap } from "../../providers/properties.js";
import type { PropertyChange } from "./detailed-diff.js";
import type { PluginProvider, ResourceAddress } from "./provider.js";
import { secretOutputsOf, withEveryOutput } from "./tokens.js";
import { InitFailure, propertiesOf, structOf, unary } from "./wire.js";

/**
 * The methods of Pulumi's provider protocol that are about one resource. Each translates its
 * request, asks the provider of the run under way, and translates the answer.
 */
export function resourceMethods(provider: () => PluginProvider) {
  return {
    check: unary(async (request: CheckRequest) => {
      const olds = propertiesOf(request.getOlds());
      const address = addressOf(request);
      const { inputs, failures } = await provider().check(
        address,
        // Of a resource that is new to the state, the engine sends an empty object.
        Object.keys(olds).length === 0 ? undefined : olds,
        propertiesOf(request.getNews(), provider().nullInputs(address)),
      );
      return checkResponse(structOf(inputs), failures);
    }),

    diff: unary(async (request: DiffRequest) => {
      const change = {
        id: request.getId(),
        olds: propertiesOf(request.getOlds()),
        news: propertiesOf(request.getNews()),
      };
      const oldInputs = propertiesOf(request.getOldInputs());
      const { changes, replaces, deleteBeforeReplace, properties } = await provider().diff(
        addressOf(request),
        change,
        oldInputs,
      );
      const response = diffResponse(changes, replaces);
      response.setDeletebeforereplace(deleteBeforeReplace);
      response.setHasdetaileddiff(properties.size > 0);
      for (const [path, property] of properties) {
        response.getDetaileddiffMap().set(path, propertyDiff(property));
      }
      return response;
    }),

    create: unary(async (request: CreateRequest) => {
      const address = addressOf(request);
      const news = propertiesOf(request.getProperties());
      const response = new CreateResponse();
      if (request.getPreview()) {
        response.setProperties(outputStruct(address, await provider().previewCreate(address, news)));
        return response;
      }
      const { id, outputs } = await orInitFailure(address, provider().create(address, news));
      response.setId(id);
      response.setProperties(outputStruct(address, outputs));
      return response;
    }),

    read: unary(async (request: ReadRequest) => {
      const address = addressOf(request);
      const state = propertiesOf(request.getProperties());
      // Of an import the engine has only the id. For a lookup it sends inputs, if empty ones.
      const isImport = !request.hasInputs() && Object.keys(state).length === 0;
      const stored = { id: request.getId(), state, isImport };
      const found = await provider().read(address, stored, propertiesOf(request.getInputs()));
      const response = new ReadResponse();
      // An answer without an id says that the resource is gone.
      if (found !== undefined) {
        response.setId(found.id);
        response.setProperties(outputStruct(address, found.outputs));
        response.setInputs(structOf(found.inputs));
      }
      return response;
    }),

    update: unary(async (request: UpdateRequest) => {
      const address = addressOf(request);
      const change = {
        id: request.getId(),
        olds: propertiesOf(request.getOlds()),
        news: propertiesOf(request.getNews()),
      };
      const outputs = request.getPreview()
        ? await provider().previewUpdate(address, change, propertiesOf(request.getOldInputs()))
        : await orInitFailure(address, provider().update(address, change));
      const response = new UpdateResponse();
      response.setProperties(outputStruct(address, outputs));
      return response;
    }),

    delete: unary(async (request: DeleteRequest) => {
      const state = propertiesOf(request.getProperties());
      await provider().delete(addressOf(request), { id: request.getId(), state });
      return new Empty();
    }),
  };
}

/** What `check` and `checkConfig` answer. */
export function checkResponse(inputs: Struct, failures: readonly CheckFailure[]): CheckResponse {
  const response = new CheckResponse();
  response.setInputs(inputs);
  for (const { property, reason } of failures) {
    const failure = new CheckFailureMessage();
    failure.setProperty(property);
    failure.setReason(reason);
    response.addFailures(failure);
  }
  return response;
}

/** What `diff` and `diffConfig` answer, without single properties. */
export function diffResponse(changes: boolean, replaces: readonly string[]): DiffResponse {
  const { DIFF_NONE, DIFF_SOME } = DiffResponse.DiffChanges;
  const response = new DiffResponse();
  response.setChanges(changes ? DIFF_SOME : DIFF_NONE);
  response.setReplacesList([...replaces]);
  return response;
}

function addressOf(request: { getUrn(): string; getType(): string; getTimeout?(): number }): ResourceAddress {
  return {
    urn: request.getUrn(),
    type: request.getType(),
    timeoutSeconds: request.getTimeout?.() ?? 0,
  };
}

function outputStruct({ type }: ResourceAddress, outputs: PropertyMap): Struct {
  return structOf(withEveryOutput(type, outputs), secretOutputsOf(type));
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

async function orInitFailure<R>(address: ResourceAddress, work: Promise<R>): Promise<R> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof PartiallyCreatedError
      ? new InitFailure(error.id, outputStruct(address, error.outputs), error.reasons)
      : error;
  }
}
