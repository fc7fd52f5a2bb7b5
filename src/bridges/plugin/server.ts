import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as grpc from "@grpc/grpc-js";
import { type PluginAttach, PluginInfo } from "@pulumi/pulumi/proto/plugin_pb.js";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import {
  type CheckRequest,
  type ConfigureRequest,
  ConfigureResponse,
  type ConstructRequest,
  type CreateRequest,
  type DeleteRequest,
  type DiffRequest,
  type GetSchemaRequest,
  GetSchemaResponse,
  type InvokeRequest,
  type ListRequest,
  type ProviderHandshakeRequest,
  ProviderHandshakeResponse,
  type ReadRequest,
  type UpdateRequest,
} from "@pulumi/pulumi/proto/provider_pb.js";
import { Empty } from "google-protobuf/google/protobuf/empty_pb.js";
import { LocalError } from "../../errors.js";
import type { CallerLimits } from "./caller-limits.js";
import { listenForOwnUser } from "./listen.js";
import type { PluginProvider } from "./provider.js";
import { stream, unary } from "./wire.js";

/** Largest message, in bytes. Source: the limit of Pulumi's SDKs on their own connections. */
const messageBytesMax = 400 * 1024 * 1024;

/** Provider for a run of the engine, and the means to cancel the work. */
export interface EngineRun {
  /** Address of the engine, different for every command. Empty as long as no engine has come. */
  readonly engineAddress: string;
  readonly provider: PluginProvider;
  readonly cancel: () => void;
  /** Whether the run was canceled. A canceled run takes no further work. */
  readonly isCanceled: () => boolean;
}

/**
 * gRPC server of the provider for Pulumi's engine: the methods of the provider protocol, which
 * only translate. gRPC itself answers UNIMPLEMENTED to all other methods, and the engine accepts
 * the answer.
 *
 * The engine sends secrets with a mark, and `structOf` marks values of the same names in responses.
 */
export class PluginServer {
  readonly #startRun: (engineAddress: string) => EngineRun;
  readonly #limits: CallerLimits;
  /** Whether a developer started the process, and no engine. */
  readonly #isAttached: boolean;
  #run: EngineRun;
  #wasAdmitted = false;

  /**
   * `startRun`: starts a run for a further engine. The command line of Pulumi starts a process for
   * every run, but a process attached by a developer serves several commands in turn.
   */
  constructor(firstRun: EngineRun, startRun: (engineAddress: string) => EngineRun, limits: CallerLimits) {
    this.#run = firstRun;
    this.#limits = limits;
    this.#isAttached = firstRun.engineAddress === "";
    this.#startRun = startRun;
  }

  /** Listens on a free port of this machine. Returns the port. */
  async listen(): Promise<number> {
    const server = new grpc.Server({
      "grpc.max_receive_message_length": messageBytesMax,
      "grpc.max_send_message_length": messageBytesMax,
    });
    server.addService(ResourceProviderService, this.#limits.guard(this.#methods()));
    const connections = server.createConnectionInjector(grpc.ServerCredentials.createInsecure());
    const { port, isOwnUserOnly } = await listenForOwnUser((socket) => {
      const peer = `${socket.remoteAddress}:${socket.remotePort}`;
      socket.once("close", () => this.#limits.noteClosed(peer));
      connections.injectConnection(socket);
    });
    if (isOwnUserOnly) {
      this.#limits.lift();
    }
    return port;
  }

  /**
   * Admits an engine. Not every system shows who calls, and no caller may get a run with
   * different settings. A process started by an engine admits this engine, once. A process attached
   * by a developer admits the engine of a run any number of times, and the next engine only after
   * the end of the run.
   *
   * Throws `LocalError` `plugin_taken`.
   */
  #admit(address: string): void {
    const { engineAddress, isCanceled } = this.#run;
    if (this.#isAttached && (engineAddress === "" || isCanceled())) {
      this.#run = this.#startRun(address);
    } else if (address !== engineAddress || (this.#wasAdmitted && !this.#isAttached)) {
      const why =
        "This process of the provider plugin already serves an engine, and accepts no second engine.";
      const remedy = "Start a separate process for each command that runs at the same time.";
      throw new LocalError("plugin_taken", `${why} ${remedy}`);
    }
    this.#wasAdmitted = true;
    this.#limits.noteEngine();
  }

  #methods() {
    return {
      handshake: unary((request: ProviderHandshakeRequest) => {
        this.#admit(request.getEngineAddress());
        const response = new ProviderHandshakeResponse();
        // For Construct, the engine demands both.
        response.setAcceptSecrets(true);
        response.setAcceptOutputs(true);
        return response;
      }),

      attach: unary((request: PluginAttach) => {
        this.#admit(request.getAddress());
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
      configure: unary(async (request: ConfigureRequest) => {
        await this.#run.provider.configure(request);
        this.#limits.noteConfigured();
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
      list: stream((request: ListRequest) => this.#run.provider.list(request)),

      construct: unary(async (request: ConstructRequest) => {
        const { engineAddress, provider } = this.#run;
        const { reference = "" } = provider;
        const run = { engineAddress, provider: this.#limits.mayRead(reference) ? reference : "" };
        // Loads Pulumi's SDK, which only components need.
        const { construct } = await import("./construct.js");
        return construct(request, run);
      }),

      cancel: unary((_request: Empty) => {
        this.#run.cancel();
        return new Empty();
      }),
    };
  }
}

/** Pulumi schema of this package, as JSON, written by `npm run generate:schema`. */
function schemaText(): string {
  return readFileSync(join(__dirname, "../../../schema.json"), "utf8");
}

/** Version of this package, without a leading "v". */
function packageVersion(): string {
  return JSON.parse(readFileSync(join(__dirname, "../../../package.json"), "utf8")).version;
}
