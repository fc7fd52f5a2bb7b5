// Loaded into every Node process of a deployment before everything else. In the provider process it
// writes down each call of the engine that changes something: once when it arrives and once when
// its answer has left. So a test knows that the provider is done, although the engine, which the
// test has stopped, does not.
const { subscribe } = require("node:diagnostics_channel");
const { appendFileSync } = require("node:fs");
const { tmpdir } = require("node:os");
const { join } = require("node:path");

const file = join(tmpdir(), "provider-calls");

subscribe("http2.server.stream.created", ({ stream, headers }) => {
  const [, call] = /^\/pulumirpc\.ResourceProvider\/(Create|Update|Delete)$/.exec(headers[":path"]) ?? [];
  if (call !== undefined) {
    appendFileSync(file, `${call} arrived\n`);
    // A gRPC answer is complete when its stream has closed.
    stream.once("close", () => appendFileSync(file, `${call} answered\n`));
  }
});
