/**
 * Calls every method of the provider protocol, and prints the status of every response as JSON.
 * Arguments: the port of the plugin, and the id of the user that calls.
 */
const grpc = require("@grpc/grpc-js");
const { ResourceProviderService } = require("@pulumi/pulumi/proto/provider_grpc_pb.js");

const [, , port, user] = process.argv;

async function callAll() {
  // By now everything is loaded: the other user may not read the files.
  process.setuid(Number(user));
  const client = new grpc.Client(`127.0.0.1:${port}`, grpc.credentials.createInsecure());
  const statuses = {};
  for (const [name, method] of Object.entries(ResourceProviderService)) {
    statuses[name] = await new Promise((resolve) => {
      client.makeUnaryRequest(
        method.path,
        method.requestSerialize,
        method.responseDeserialize,
        new method.requestType(),
        { deadline: Date.now() + 30_000 },
        (error) =>
          resolve(error === null ? { code: grpc.status.OK } : { code: error.code, details: error.details }),
      );
    });
  }
  client.close();
  console.log(JSON.stringify(statuses));
}

void callAll();
