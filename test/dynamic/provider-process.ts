import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import * as grpc from "@grpc/grpc-js";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb.js";
import type { LogRequest } from "@pulumi/pulumi/proto/engine_pb.js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import * as messages from "@pulumi/pulumi/proto/provider_pb.js";
import emptyProto from "google-protobuf/google/protobuf/empty_pb.js";
import structProto from "google-protobuf/google/protobuf/struct_pb.js";

const root = resolve(__dirname, "../..");

/** A plain object as the engine sends it: unknown values as markers, secrets unwrapped. */
export type Properties = Record<string, unknown>;

/** A message that the provider put on a resource's row. */
export interface LoggedMessage {
  readonly urn: string;
  readonly message: string;
  readonly ephemeral: boolean;
  readonly severity: number;
}

/**
 * An error as the engine receives it; `initFailed` when it says that the resource exists all the
 * same.
 */
export interface ProviderFailure extends Error {
  readonly initFailed?: { id: string; properties: Properties; reasons: string[] };
}

/**
 * A program's folder in which the package is installed; its node_modules hold nothing but links.
 */
export function programFolder(): string {
  mkdirSync(join(root, ".tools"), { recursive: true });
  const folder = mkdtempSync(join(root, ".tools", "program-"));
  mkdirSync(join(folder, "node_modules", "@pulumi"), { recursive: true });
  symlinkSync(root, join(folder, "node_modules", "pulumi-browser-infra"));
  symlinkSync(join(root, "node_modules/@pulumi/pulumi"), join(folder, "node_modules/@pulumi/pulumi"));
  return folder;
}

/**
 * Pulumi's own dynamic provider process, as the engine starts it, driven with requests in the
 * engine's form. The engine itself is played by this class as far as the process calls back: it
 * takes down what is logged.
 */
export class ProviderProcess {
  readonly folder: string;
  readonly logged: readonly LoggedMessage[];
  readonly #engine: grpc.Server;
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  readonly #printed: string[];
  readonly #client: ResourceProviderClient;

  private constructor(
    folder: string,
    logged: readonly LoggedMessage[],
    engine: grpc.Server,
    child: ChildProcess,
    printed: string[],
    port: string,
  ) {
    this.folder = folder;
    this.logged = logged;
    this.#engine = engine;
    this.#child = child;
    this.#ended = new Promise((resolveExit) => child.once("exit", resolveExit));
    this.#printed = printed;
    this.#client = new ResourceProviderClient(`127.0.0.1:${port}`, grpc.credentials.createInsecure());
  }

  /** Everything the process printed, on both streams. */
  get output(): string {
    return this.#printed.join("");
  }

  /** Waits until the process has printed this. */
  async printed(text: string): Promise<void> {
    while (!this.output.includes(text)) {
      await new Promise(setImmediate);
    }
  }

  static async start(
    folder: string,
    {
      configuration = {},
      environment = {},
    }: { configuration?: Properties; environment?: NodeJS.ProcessEnv } = {},
  ): Promise<ProviderProcess> {
    const logged: LoggedMessage[] = [];
    let logging = 0;
    const engine = new grpc.Server();
    engine.addService(EngineService as unknown as grpc.ServiceDefinition, {
      log: async (call: { request: LogRequest }, respond: grpc.sendUnaryData<emptyProto.Empty>) => {
        // The real engine handles each message on its own, so that a later one may overtake. Here
        // it always does.
        const overtakes = logging++ > 0;
        await new Promise((resolveTurn) => setTimeout(resolveTurn, overtakes ? 0 : 20));
        logging--;
        logged.push({
          urn: call.request.getUrn(),
          message: call.request.getMessage(),
          ephemeral: call.request.getEphemeral(),
          severity: call.request.getSeverity(),
        });
        respond(null, new emptyProto.Empty());
      },
    });
    const enginePort = await promisify(engine.bindAsync.bind(engine))(
      "127.0.0.1:0",
      grpc.ServerCredentials.createInsecure(),
    );

    const script = require.resolve("@pulumi/pulumi/cmd/dynamic-provider");
    const child = spawn(process.execPath, [script, `127.0.0.1:${enginePort}`], {
      cwd: folder,
      env: { PATH: process.env.PATH, PULUMI_PROJECT: "shop", PULUMI_NODEJS_PROJECT: "shop", ...environment },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const printed: string[] = [];
    child.stdout.setEncoding("utf8").on("data", (text: string) => printed.push(text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => printed.push(text));
    const port = await new Promise<string>((resolvePort, reject) => {
      child.once("exit", (code) =>
        reject(new Error(`The provider process ended with ${code}: ${printed.join("")}`)),
      );
      // The first line it prints is the port it listens on.
      createInterface({ input: child.stdout }).once("line", (line) => resolvePort(line.trim()));
    });
    const provider = new ProviderProcess(folder, logged, engine, child, printed, port);
    await provider.#call("configure", new messages.ConfigureRequest().setArgs(structOf(configuration)));
    return provider;
  }

  async check(olds: Properties, news: Properties) {
    const request = new messages.CheckRequest().setOlds(structOf(olds)).setNews(structOf(news));
    const response = await this.#call<messages.CheckResponse>("check", request);
    return {
      inputs: response.getInputs()?.toJavaScript() as Properties,
      failures: response.getFailuresList().map((failure) => failure.toObject()),
    };
  }

  async diff(id: string, olds: Properties, news: Properties) {
    const request = new messages.DiffRequest().setId(id).setOlds(structOf(olds)).setNews(structOf(news));
    const response = await this.#call<messages.DiffResponse>("diff", request);
    return {
      changes: (["unknown", "none", "some"] as const)[response.getChanges()],
      replaces: response.getReplacesList(),
      deleteBeforeReplace: response.getDeletebeforereplace(),
    };
  }

  async create(properties: Properties) {
    const request = new messages.CreateRequest().setProperties(structOf(properties));
    const response = await this.#call<messages.CreateResponse>("create", request);
    return { id: response.getId(), properties: response.getProperties()?.toJavaScript() as Properties };
  }

  /**
   * `properties` are the outputs in the state; undefined plays a lookup, for which the engine sends
   * inputs alone.
   */
  async read(id: string, properties: Properties | undefined, inputs?: Properties) {
    const request = new messages.ReadRequest().setId(id);
    if (properties !== undefined) {
      request.setProperties(structOf(properties));
    }
    if (inputs !== undefined) {
      request.setInputs(structOf(inputs));
    }
    const response = await this.#call<messages.ReadResponse>("read", request);
    return {
      id: response.getId(),
      properties: response.getProperties()?.toJavaScript() as Properties,
      inputs: response.getInputs()?.toJavaScript() as Properties | undefined,
    };
  }

  async update(id: string, olds: Properties, news: Properties) {
    const request = new messages.UpdateRequest().setId(id).setOlds(structOf(olds)).setNews(structOf(news));
    const response = await this.#call<messages.UpdateResponse>("update", request);
    return response.getProperties()?.toJavaScript() as Properties;
  }

  async delete(id: string, properties: Properties): Promise<void> {
    await this.#call("delete", new messages.DeleteRequest().setId(id).setProperties(structOf(properties)));
  }

  async cancel(): Promise<void> {
    await this.#call("cancel", new emptyProto.Empty());
  }

  /** Ends the engine as a kill does: nobody listens, and its connections end. */
  loseEngine(): void {
    this.#engine.forceShutdown();
  }

  /** Resolves with whether the process ends within this time. */
  async endsWithin(limitMs: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>((resolveLate) => {
      timer = setTimeout(() => resolveLate(false), limitMs);
    });
    const ended = await Promise.race([this.#ended.then(() => true), late]);
    clearTimeout(timer);
    return ended;
  }

  /** Ends the process at once, whatever it is doing; its folder stays for another. */
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

  #call<R>(method: string, request: unknown): Promise<R> {
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

function structOf(properties: Properties): structProto.Struct {
  return structProto.Struct.fromJavaScript(properties as never);
}

/** Unpacks "created but failed to initialise" the way the engine does: from the error's details. */
function withInitFailure(error: grpc.ServiceError): ProviderFailure {
  const [details] = error.metadata?.get("grpc-status-details-bin") ?? [];
  if (!(details instanceof Buffer)) {
    return error;
  }
  const { Status } = require("@pulumi/pulumi/proto/status_pb.js");
  const any = Status.deserializeBinary(new Uint8Array(details)).getDetailsList()[0];
  const failed = any.unpack(
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
