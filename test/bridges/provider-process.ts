import { type ChildProcess, type ChildProcessByStdio, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { promisify } from "node:util";
import * as grpc from "@grpc/grpc-js";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb.js";
import type { LogRequest } from "@pulumi/pulumi/proto/engine_pb.js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import * as messages from "@pulumi/pulumi/proto/provider_pb.js";
import emptyProto from "google-protobuf/google/protobuf/empty_pb.js";
import { compileCache, withFasterSdk } from "../support/faster/faster-node.js";
import {
  about,
  detailsOf,
  type Properties,
  type RequestDetails,
  structOf,
  withInitFailure,
} from "./wire-messages.js";

const root = resolve(__dirname, "../..");

/** Message of the provider on a resource's row. */
export interface LoggedMessage {
  readonly urn: string;
  readonly message: string;
  readonly ephemeral: boolean;
  readonly severity: number;
}

/**
 * Creates a program folder with the package installed. node_modules contains only links.
 */
export function programFolder(): string {
  mkdirSync(join(root, ".tools"), { recursive: true });
  const folder = mkdtempSync(join(root, ".tools", "program-"));
  mkdirSync(join(folder, "node_modules", "@pulumi"), { recursive: true });
  symlinkSync(root, join(folder, "node_modules", "pulumi-browser-infra"));
  symlinkSync(join(root, "node_modules/@pulumi/pulumi"), join(folder, "node_modules/@pulumi/pulumi"));
  return folder;
}

/** Processes that drive the life cycles: Pulumi's for dynamic resources, and our plugin. */
export type Bridge = "dynamic" | "plugin";
export const bridges: readonly Bridge[] = ["dynamic", "plugin"];

/** Options for the start of a process and for the configuration of the provider. */
export interface ProcessOptions {
  readonly bridge?: Bridge;
  /** Inputs of the provider: with the namespace for dynamic resources, without for the plugin. */
  readonly configuration?: Properties;
  /** Logical name of the plugin's provider. */
  readonly name?: string;
  readonly environment?: NodeJS.ProcessEnv;
  /**
   * Whether the plugin starts without an engine, as by a developer, and serves runs in sequence.
   */
  readonly isAttached?: boolean;
  /** Whether the engine configures the process at its start. Default: true. */
  readonly isConfigured?: boolean;
}

/**
 * Provider process, started like the engine does and driven with requests in the engine's form.
 * Also plays the engine for calls of the process: records the logged messages.
 */
export class ProviderProcess {
  readonly folder: string;
  readonly bridge: Bridge;
  /** Address of the engine that started the process, or of the first engine if attached. */
  readonly engineAddress: string;
  readonly logged: readonly LoggedMessage[];
  /** Port of the process. */
  readonly port: string;
  readonly #engine: grpc.Server;
  readonly #options: ProcessOptions;
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  readonly #printed: string[];
  readonly #client: ResourceProviderClient;

  private constructor(
    folder: string,
    options: ProcessOptions,
    engineAddress: string,
    logged: readonly LoggedMessage[],
    engine: grpc.Server,
    child: ChildProcess,
    printed: string[],
    port: string,
  ) {
    this.folder = folder;
    this.bridge = options.bridge ?? "dynamic";
    this.engineAddress = engineAddress;
    this.logged = logged;
    this.port = port;
    this.#engine = engine;
    this.#options = options;
    this.#child = child;
    this.#ended = new Promise((resolveExit) => child.once("exit", resolveExit));
    this.#printed = printed;
    this.#client = new ResourceProviderClient(`127.0.0.1:${port}`, grpc.credentials.createInsecure());
  }

  /** Output of the process, from both streams. */
  get output(): string {
    return this.#printed.join("");
  }

  /** Waits until the process has printed `text`. Rejects if the process ends without printing. */
  printed(text: string): Promise<void> {
    return new Promise((resolvePrinted, reject) => {
      const look = () => this.output.includes(text) && resolvePrinted();
      this.#child.stdout?.on("data", look);
      this.#child.stderr?.on("data", look);
      this.#child.once("close", () =>
        reject(new Error(`The process ended without printing ${text}. It printed: ${this.output}`)),
      );
      look();
    });
  }

  static async start(folder: string, options: ProcessOptions = {}): Promise<ProviderProcess> {
    const { bridge = "dynamic", environment = {}, isAttached = false, isConfigured = true } = options;
    const logged: LoggedMessage[] = [];
    let logging = 0;
    const engine = new grpc.Server();
    engine.addService(EngineService as unknown as grpc.ServiceDefinition, {
      log: async (call: { request: LogRequest }, respond: grpc.sendUnaryData<emptyProto.Empty>) => {
        // The real engine handles messages concurrently, so that a later message may overtake. Here
        // a later message always overtakes.
        const overtakes = logging++ > 0;
        await new Promise((resolveTurn) => setTimeout(resolveTurn, overtakes ? 0 : 20));
        logging--;
        // An empty first line empties the row of Pulumi's table, and is no part of a message.
        const message = call.request.getMessage().replace(/^\n/, "");
        if (message !== "<{%reset%}>") {
          logged.push({
            urn: call.request.getUrn(),
            message,
            ephemeral: call.request.getEphemeral(),
            severity: call.request.getSeverity(),
          });
        }
        respond(null, new emptyProto.Empty());
      },
    });
    const address = await addressFor(engine);
    const script = require.resolve(scripts[bridge]);
    const child = spawn(process.execPath, [script, ...(isAttached ? [] : [address])], {
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        PULUMI_PROJECT: "shop",
        PULUMI_NODEJS_PROJECT: "shop",
        ...(bridge === "plugin"
          ? { NODE_COMPILE_CACHE: compileCache, ...environment }
          : withFasterSdk(environment)),
      },
      // The engine holds the other end of a started process's standard input.
      stdio: [isAttached ? "ignore" : "pipe", "pipe", "pipe"],
    }) as ChildProcessByStdio<null, Readable, Readable>;
    const printed: string[] = [];
    child.stdout.setEncoding("utf8").on("data", (text: string) => printed.push(text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => printed.push(text));
    const port = await new Promise<string>((resolvePort, reject) => {
      child.once("exit", (code) => {
        engine.forceShutdown();
        reject(new Error(`The provider process ended with ${code}: ${printed.join("")}`));
      });
      // The first printed line is the port.
      createInterface({ input: child.stdout }).once("line", (line) => resolvePort(line.trim()));
    });
    const provider = new ProviderProcess(folder, options, address, logged, engine, child, printed, port);
    try {
      if (bridge === "plugin") {
        await provider.handshake(address);
      }
      if (isConfigured) {
        await provider.configure();
      }
    } catch (error) {
      await provider.kill();
      throw error;
    }
    return provider;
  }

  /** Begins a new run, of an engine with a new address. Attached plugin only. */
  async nextRun(): Promise<void> {
    await this.cancel();
    await this.handshake(await addressFor(this.#engine));
    await this.configure();
  }

  handshake(address: string): Promise<messages.ProviderHandshakeResponse> {
    const request = new messages.ProviderHandshakeRequest();
    return this.call("handshake", request.setEngineAddress(address).setConfigureWithUrn(true));
  }

  configure({ name = "default", configuration = {} } = this.#options): Promise<messages.ConfigureResponse> {
    const urn = `urn:pulumi:dev::shop::pulumi:providers:browser-infra::${name}`;
    const request = new messages.ConfigureRequest().setArgs(structOf(configuration));
    return this.call("configure", request.setName(name).setUrn(urn).setId("id_1").setAcceptsecrets(true));
  }

  async check(olds: Properties, news: Properties, details: RequestDetails = {}) {
    const request = about(details, new messages.CheckRequest());
    request.setOlds(structOf(olds)).setNews(structOf(news));
    const response = await this.call<messages.CheckResponse>("check", request);
    return {
      inputs: response.getInputs()?.toJavaScript() as Properties,
      failures: response.getFailuresList().map((failure) => failure.toObject()),
    };
  }

  async diff(id: string, olds: Properties, news: Properties, details: RequestDetails = {}) {
    const request = about(details, new messages.DiffRequest()).setId(id);
    request
      .setOlds(structOf(olds))
      .setNews(structOf(news))
      .setOldInputs(structOf(details.oldInputs ?? {}));
    const response = await this.call<messages.DiffResponse>("diff", request);
    return {
      changes: (["unknown", "none", "some"] as const)[response.getChanges()],
      replaces: response.getReplacesList(),
      deleteBeforeReplace: response.getDeletebeforereplace(),
      ...(response.getHasdetaileddiff() ? { detailed: detailsOf(response) } : {}),
    };
  }

  async create(properties: Properties, details: RequestDetails = {}) {
    const request = about(details, new messages.CreateRequest()).setProperties(structOf(properties));
    request.setTimeout(details.timeoutSeconds ?? 0).setPreview(details.isPreview ?? false);
    const response = await this.call<messages.CreateResponse>("create", request);
    return { id: response.getId(), properties: response.getProperties()?.toJavaScript() as Properties };
  }

  /**
   * `properties`: outputs in the state. For a lookup, the engine sends only inputs; for an import,
   * neither outputs nor inputs.
   */
  async read(
    id: string,
    properties: Properties | undefined,
    inputs?: Properties,
    details: RequestDetails = {},
  ) {
    const request = about(details, new messages.ReadRequest()).setId(id);
    if (properties !== undefined) {
      request.setProperties(structOf(properties));
    }
    if (inputs !== undefined) {
      request.setInputs(structOf(inputs));
    }
    const response = await this.call<messages.ReadResponse>("read", request);
    return {
      id: response.getId(),
      properties: response.getProperties()?.toJavaScript() as Properties,
      inputs: response.getInputs()?.toJavaScript() as Properties | undefined,
    };
  }

  async update(id: string, olds: Properties, news: Properties, details: RequestDetails = {}) {
    const request = about(details, new messages.UpdateRequest()).setId(id);
    request
      .setOlds(structOf(olds))
      .setNews(structOf(news))
      .setOldInputs(structOf(details.oldInputs ?? {}));
    request.setTimeout(details.timeoutSeconds ?? 0).setPreview(details.isPreview ?? false);
    const response = await this.call<messages.UpdateResponse>("update", request);
    return response.getProperties()?.toJavaScript() as Properties;
  }

  async delete(id: string, properties: Properties, details: RequestDetails = {}): Promise<void> {
    const request = about(details, new messages.DeleteRequest()).setId(id);
    request.setProperties(structOf(properties)).setTimeout(details.timeoutSeconds ?? 0);
    await this.call("delete", request);
  }

  async cancel(): Promise<void> {
    await this.call("cancel", new emptyProto.Empty());
  }

  /** Ends the engine like a kill: nobody listens, and connections and pipes end. */
  loseEngine(): void {
    this.#engine.forceShutdown();
    this.#child.stdin?.destroy();
  }

  /** Whether the process ends within `limitMs` milliseconds. */
  async endsWithin(limitMs: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>((resolveLate) => {
      timer = setTimeout(() => resolveLate(false), limitMs);
    });
    const ended = await Promise.race([this.#ended.then(() => true), late]);
    clearTimeout(timer);
    return ended;
  }

  /** Ends the deployment in an orderly way, as the engine does at the end of every command. */
  async end(): Promise<void> {
    await this.cancel();
    this.#child.kill("SIGINT");
    await this.#ended;
    this.#client.close();
    this.#engine.forceShutdown();
  }

  /** Ends the process at once, even in the middle of work. The folder stays for a new process. */
  async kill(): Promise<void> {
    this.#client.close();
    this.#child.kill("SIGKILL");
    await this.#ended;
    this.#engine.forceShutdown();
  }

  async stop(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Sends a request of a method that answers with a stream. Returns all responses. */
  async stream<R>(method: "list", request: messages.ListRequest): Promise<R[]> {
    const responses: R[] = [];
    for await (const response of this.#client[method](request)) {
      responses.push(response);
    }
    return responses;
  }

  /** Sends a request of any method of the provider protocol with a single response. */
  call<R>(method: string, request: unknown): Promise<R> {
    return new Promise((resolveCall, reject) => {
      const call = (this.#client as unknown as Record<string, (...args: unknown[]) => void>)[method];
      call?.call(this.#client, request, (error: grpc.ServiceError | null, response: R) => {
        if (error === null) {
          resolveCall(response);
        } else {
          reject(withInitFailure(error));
        }
      });
    });
  }
}

/** Scripts to start, by bridge. The last argument is the engine's address. */
const scripts: Readonly<Record<Bridge, string>> = {
  dynamic: "@pulumi/pulumi/cmd/dynamic-provider",
  plugin: join(root, "dist/bridges/plugin/main.js"),
};

/** Opens a new address for the played engine. */
async function addressFor(engine: grpc.Server): Promise<string> {
  const port = await promisify(engine.bindAsync.bind(engine))(
    "127.0.0.1:0",
    grpc.ServerCredentials.createInsecure(),
  );
  return `127.0.0.1:${port}`;
}
