/**
 * A provider plugin that does nothing: what the engine, gRPC and the SDK cost for a resource that
 * needs no work. Argument: the engine's address, which it does not use. Prints its port.
 */
const { enableCompileCache, flushCompileCache } = require("node:module");
// Like ours: otherwise the difference would be that of a cache.
enableCompileCache();
const grpc = require("@grpc/grpc-js");
const { PluginInfo } = require("@pulumi/pulumi/proto/plugin_pb.js");
const { ResourceProviderService } = require("@pulumi/pulumi/proto/provider_grpc_pb.js");
const messages = require("@pulumi/pulumi/proto/provider_pb.js");
const { Empty } = require("google-protobuf/google/protobuf/empty_pb.js");

/**
 * A method that answers at once.
 *
 * @template Request
 * @template Response
 * @param {(request: Request) => Response} answer
 * @returns {grpc.handleUnaryCall<Request, Response>}
 */
const unary = (answer) => (call, respond) => respond(null, answer(call.request));

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
    new messages.CheckResponse().setInputs(request.getNews()),
  ),
  diff: unary(() => new messages.DiffResponse().setChanges(messages.DiffResponse.DiffChanges.DIFF_NONE)),
  create: unary((/** @type {messages.CreateRequest} */ request) =>
    new messages.CreateResponse().setId(request.getName()).setProperties(request.getProperties()),
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
