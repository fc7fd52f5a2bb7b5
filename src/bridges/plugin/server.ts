import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as grpc from "@grpc/grpc-js";
import type { PluginAttach } from "@pulumi/pulumi/proto/plugin_pb.js";
import { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb.js";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import {
  type CheckRequest,
  type ConfigureRequest,
  ConfigureResponse,
  type CreateRequest,
  type DeleteRequest,
  type DiffRequest,
  type GetSchemaRequest,
  GetSchemaResponse,
  type InvokeRequest,
  type ProviderHandshakeRequest,
  ProviderHandshakeResponse,
  type ReadRequest,
  type UpdateRequest,
} from "@pulumi/pulumi/proto/provider_pb.js";
import { Empty } from "google-protobuf/google/protobuf/empty_pb.js";
import { LocalError } from "../../errors.js";
import type { PluginProvider } from "./provider.js";
import { unary } from "./wire.js";

/** Largest message, in bytes. Source: what Pulumi's SDKs allow on their own connections. */
const messageBytesMax = 400 * 1024 * 1024;

/** The provider for one run of the engine, and how to cancel its work. */
export interface EngineRun {
  /** The engine's address, which differs from command to command. Empty: no engine came so far. */
  readonly engineAddress: string;
  readonly provider: PluginProvider;
  readonly cancel: () => void;
  /** Whether it was canceled, after which it can do nothing more. */
  readonly isOver: () => boolean;
}

/**
 * The provider as a gRPC server for Pulumi's engine: fifteen methods of its provider protocol,
 * which only translate. To any other, gRPC itself answers UNIMPLEMENTED, which the engine accepts.
 *
 * Of secrets the engine sends the plain values, and marks what is answered under the same names.
 */
export class PluginServer {
  readonly #startRun: (engineAddress: string) => EngineRun;
  /** A developer started this process, and no engine. */
  readonly #isAttached: boolean;
  #run: EngineRun;
  #wasGreeted = false;

  /**
   * `startRun`: the engine of the command line starts one process for one run, but a process that a
   * developer attaches serves one command after the other.
   */
  constructor(firstRun: EngineRun, startRun: (engineAddress: string) => EngineRun) {
    this.#run = firstRun;
    this.#isAttached = firstRun.engineAddress === "";
    this.#startRun = startRun;
  }

  /** Listens on a free port of this machine, and returns it. */
  async listen(): Promise<number> {
    const server = new grpc.Server({
      "grpc.max_receive_message_length": messageBytesMax,
      "grpc.max_send_message_length": messageBytesMax,
    });
    server.addService(ResourceProviderService, this.#methods());
    return new Promise((resolve, reject) => {
      server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) => {
        if (error === null) {
          resolve(port);
        } else {
          reject(error);
        }
      });
    });
  }

  /**
   * Anyone on the machine can reach this port, and must not get a run with other settings. So the
   * engine that started the process greets it once. To a process that a developer attaches, the
   * engine of a run comes for each use of its own, and the next one only when that run is over.
   *
   * Throws `LocalError` `plugin_taken`.
   */
  #greet(address: string): void {
    const { engineAddress, isOver } = this.#run;
    if (this.#isAttached && (engineAddress === "" || isOver())) {
      this.#run = this.#startRun(address);
    } else if (address !== engineAddress || (this.#wasGreeted && !this.#isAttached)) {
      const why = "This process of the provider plugin already serves an engine, and takes no other.";
      const remedy = "Start a process of its own for each command that runs at the same time.";
      throw new LocalError("plugin_taken", `${why} ${remedy}`);
    }
    this.#wasGreeted = true;
  }

  #methods() {
    return {
      handshake: unary((request: ProviderHandshakeRequest) => {
        this.#greet(request.getEngineAddress());
        const response = new ProviderHandshakeResponse();
        response.setAcceptSecrets(false);
        return response;
      }),

      attach: unary((request: PluginAttach) => {
        this.#greet(request.getAddress());
        return new Empty();
      }),

      getPluginInfo: unary((_request: Empty) => {
        const info = new PluginInfo();
        info.setVersion(packageVersion());
        return info;
      }),

      getSchema: unary((_request: GetSchemaRequest) => {
        const response = new GetSchemaResponse();
        response.setSchema(schemaText());
        return response;
      }),

      checkConfig: unary((request: CheckRequest) => this.#run.provider.checkConfig(request)),
      diffConfig: unary((request: DiffRequest) => this.#run.provider.diffConfig(request)),
      configure: unary((request: ConfigureRequest) => {
        this.#run.provider.configure(request);
        const response = new ConfigureResponse();
        response.setSupportspreview(true);
        return response;
      }),

      check: unary((request: CheckRequest) => this.#run.provider.check(request)),
      diff: unary((request: DiffRequest) => this.#run.provider.diff(request)),
      create: unary((request: CreateRequest) => this.#run.provider.create(request)),
      read: unary((request: ReadRequest) => this.#run.provider.read(request)),
      update: unary((request: UpdateRequest) => this.#run.provider.update(request)),
      delete: unary((request: DeleteRequest) => this.#run.provider.delete(request)),
      invoke: unary((request: InvokeRequest) => this.#run.provider.invoke(request)),

      cancel: unary((_request: Empty) => {
        this.#run.cancel();
        return new Empty();
      }),
    };
  }
}

/** The Pulumi schema of this package, as JSON: what `npm run generate:schema` wrote. */
function schemaText(): string {
  return readFileSync(join(__dirname, "../../../schema.json"), "utf8");
}

/** The version of this package, without a leading "v". */
function packageVersion(): string {
  return JSON.parse(readFileSync(join(__dirname, "../../../package.json"), "utf8")).version;
}
