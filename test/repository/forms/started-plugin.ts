import { spawn } from "node:child_process";
import { type AddressInfo, createServer } from "node:net";
import { createInterface } from "node:readline";
import { credentials, type ServiceError } from "@grpc/grpc-js";
import type { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb.js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import {
  CheckRequest,
  type CheckResponse,
  ConfigureRequest,
  GetSchemaRequest,
  type GetSchemaResponse,
  ProviderHandshakeRequest,
} from "@pulumi/pulumi/proto/provider_pb.js";
import emptyProto from "google-protobuf/google/protobuf/empty_pb.js";
import structProto from "google-protobuf/google/protobuf/struct_pb.js";

/** Environment, folder and end of a plugin. */
export interface PluginStart {
  readonly environment: NodeJS.ProcessEnv;
  /** The working directory: the program's folder. */
  readonly folder: string;
  /**
   * Signal that ends the plugin. The engine sends `SIGINT` at the end of a command. Default:
   * `SIGKILL`.
   */
  readonly signal?: "SIGINT" | "SIGKILL" | undefined;
}

/** Responses of a form of the plugin to the first requests of the engine. */
export interface FirstAnswers {
  readonly version: string;
  readonly schema: string;
  /** Checksums from the check of an Extension, by index of the path. */
  readonly checksums: readonly unknown[];
}

/**
 * Starts a form of the plugin like the engine, requests version and schema, and checks an Extension
 * with each of the paths. Ends the plugin afterwards. Rejects with the plugin's output if the
 * plugin does not start, or prints something when the engine ends.
 */
export async function askPlugin(
  command: string,
  paths: readonly string[],
  { environment, folder, signal = "SIGKILL" }: PluginStart,
): Promise<FirstAnswers> {
  // Minimal engine for a plugin: an address that accepts connections.
  const engine = createServer((socket) => socket.resume());
  await new Promise<void>((resolve) => engine.listen(0, "127.0.0.1", resolve));
  const { port: enginePort } = engine.address() as AddressInfo;
  const child = spawn(command, [`127.0.0.1:${enginePort}`], {
    cwd: folder,
    env: environment,
    stdio: ["pipe", "pipe", "pipe"],
  });
  const ended = new Promise((resolve) => child.once("close", resolve));
  let printed = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    printed += text;
  });
  let client: ResourceProviderClient | undefined;
  let answers: FirstAnswers;
  try {
    const port = await new Promise<string>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code) => reject(new Error(`${command} ended with ${code}: ${printed}`)));
      createInterface({ input: child.stdout }).once("line", resolve);
    });
    client = new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure(), {
      "grpc.max_receive_message_length": -1,
    });
    answers = await firstAnswers(client, `127.0.0.1:${enginePort}`, paths);
  } finally {
    client?.close();
    child.kill(signal);
    await ended;
    engine.close();
  }
  if (signal === "SIGINT" && printed !== "") {
    throw new Error(`${command} printed at its end: ${printed}`);
  }
  return answers;
}

async function firstAnswers(
  client: ResourceProviderClient,
  engineAddress: string,
  paths: readonly string[],
): Promise<FirstAnswers> {
  const ask = <R>(method: string, request: unknown): Promise<R> =>
    new Promise((resolve, reject) => {
      const call = (client as unknown as Record<string, (...args: unknown[]) => void>)[method];
      call?.call(client, request, (error: ServiceError | null, response: R) => {
        if (error === null) {
          resolve(response);
        } else {
          reject(error);
        }
      });
    });
  const struct = (properties: Record<string, string>) => structProto.Struct.fromJavaScript(properties);
  const info = await ask<PluginInfo>("getPluginInfo", new emptyProto.Empty());
  const schema = await ask<GetSchemaResponse>("getSchema", new GetSchemaRequest());
  await ask("handshake", new ProviderHandshakeRequest().setEngineAddress(engineAddress));
  await ask("configure", new ConfigureRequest().setArgs(struct({})));
  const checksums: unknown[] = [];
  for (const path of paths) {
    const check = new CheckRequest()
      .setUrn("urn:pulumi:dev::shop::browser-infra:index:Extension::blocker")
      .setType("browser-infra:index:Extension")
      .setName("blocker")
      .setNews(struct({ path }));
    const checked = await ask<CheckResponse>("check", check);
    const failures = checked.getFailuresList().map((failure) => failure.getReason());
    if (failures.length > 0) {
      throw new Error(failures.join("\n"));
    }
    checksums.push(checked.getInputs()?.toJavaScript().checksum);
  }
  return { version: info.getVersion(), schema: schema.getSchema(), checksums };
}
