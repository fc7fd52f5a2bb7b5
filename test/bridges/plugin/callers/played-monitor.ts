import * as grpc from "@grpc/grpc-js";
import { ResourceMonitorService } from "@pulumi/pulumi/proto/resource_grpc_pb.js";
import {
  type RegisterResourceRequest,
  RegisterResourceResponse,
  SupportsFeatureResponse,
} from "@pulumi/pulumi/proto/resource_pb.js";
import emptyProto from "google-protobuf/google/protobuf/empty_pb.js";
import { structOf } from "../../wire-messages.js";

/** Resource monitor of an engine that accepts every resource, and keeps the requests. */
export class PlayedMonitor {
  readonly registered: RegisterResourceRequest.AsObject[] = [];
  readonly #server = new grpc.Server();

  /** Listens on a free port of this machine. Returns the address. */
  async start(): Promise<string> {
    this.#server.addService(ResourceMonitorService, {
      supportsFeature: answer(() => new SupportsFeatureResponse()),
      registerResourceOutputs: answer(() => new emptyProto.Empty()),
      registerResource: answer((request: RegisterResourceRequest) => {
        this.registered.push(request.toObject());
        const urn = `urn:pulumi:dev::shop::${request.getType()}::${request.getName()}`;
        return new RegisterResourceResponse().setUrn(urn).setId("id_1").setObject(structOf({}));
      }),
    } as unknown as grpc.UntypedServiceImplementation);
    const port = await new Promise<number>((resolve, reject) => {
      this.#server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, bound) =>
        error === null ? resolve(bound) : reject(error),
      );
    });
    return `127.0.0.1:${port}`;
  }

  stop(): void {
    this.#server.forceShutdown();
  }
}

function answer<Request, Response>(work: (request: Request) => Response) {
  return ({ request }: { request: Request }, respond: (error: null, response: Response) => void) =>
    respond(null, work(request));
}
