/**
 * A provider plugin that does nothing, in place of ours for the same program: what the engine, gRPC
 * and the SDK cost for extensions that need no work. Its answers have all properties of a small
 * extension, because the SDK and the engine do something for each. Argument: the engine's address,
 * which it does not use. Prints its port.
 */
const { enableCompileCache, flushCompileCache } = require("node:module");
// Like ours: otherwise the difference would be that of a cache.
enableCompileCache();
const grpc = require("@grpc/grpc-js");
const { PluginInfo } = require("@pulumi/pulumi/proto/plugin_pb.js");
const { ResourceProviderService } = require("@pulumi/pulumi/proto/provider_grpc_pb.js");
const messages = require("@pulumi/pulumi/proto/provider_pb.js");
const { Empty } = require("google-protobuf/google/protobuf/empty_pb.js");
const { Struct, Value } = require("google-protobuf/google/protobuf/struct_pb.js");

/**
 * A method that answers at once.
 *
 * @template Request
 * @template Response
 * @param {(request: Request) => Response} answer
 * @returns {grpc.handleUnaryCall<Request, Response>}
 */
const unary = (answer) => (call, respond) => respond(null, answer(call.request));

/** What ours finds in the folder. Every resource gets the same. */
const found = {
  checksum: "0".repeat(64),
  sizeBytes: 1_000,
  fileCount: 3,
  files: { "background.js": "0".repeat(12), "content.js": "0".repeat(12), "manifest.json": "0".repeat(12) },
  manifest: { manifestVersion: 3, name: "Bench", version: "1.0.0" },
  name: "extension-0123456789ab",
};

/** @typedef {import("google-protobuf/google/protobuf/struct_pb.js").JavaScriptValue} PlainValue */

/**
 * The properties of a request, and more.
 *
 * @param {Struct | undefined} properties
 * @param {Readonly<Record<string, PlainValue>>} more
 */
function withMore(properties, more) {
  const all = properties ?? new Struct();
  for (const [name, value] of Object.entries(more)) {
    all.getFieldsMap().set(name, Value.fromJavaScript(value));
  }
  return all;
}

const server = new grpc.Server();
server.addService(ResourceProviderService, {
  handshake: unary(() => new messages.ProviderHandshakeResponse()),
  getPluginInfo: unary(() => new PluginInfo().setVersion("1.0.0")),
  checkConfig: unary((/** @type {messages.CheckRequest} */ request) =>
    new messages.CheckResponse().setInputs(request.getNews()),
  ),
  diffConfig: unary(() =>
    new messages.DiffResponse().setChanges(messages.DiffResponse.DiffChanges.DIFF_NONE),
  ),
  configure: unary(() => new messages.ConfigureResponse().setSupportspreview(true)),
  check: unary((/** @type {messages.CheckRequest} */ request) =>
    new messages.CheckResponse().setInputs(withMore(request.getNews(), found)),
  ),
  diff: unary(() => new messages.DiffResponse().setChanges(messages.DiffResponse.DiffChanges.DIFF_NONE)),
  create: unary((/** @type {messages.CreateRequest} */ request) =>
    new messages.CreateResponse()
      .setId(request.getName())
      .setProperties(withMore(request.getProperties(), { createdAt: "2026-01-01T00:00:00Z" })),
  ),
  cancel: unary(() => new Empty()),
});
server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) => {
  if (error !== null) {
    throw error;
  }
  console.log(port);
  setImmediate(flushCompileCache);
});
