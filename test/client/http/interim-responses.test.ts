import { raw, type Script } from "../fault-server.js";
import { honestly, operations } from "../hostile/operations.js";
import { closeBenches, startBench } from "../test-client.js";

/** Responses before the final response (RFC 9110, section 15.2). */
const interimAnswers: Readonly<Record<string, Script>> = {
  "102 Processing": raw("HTTP/1.1 102 Processing\r\n\r\n"),
  "103 Early Hints": raw("HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n"),
};

/** An operation of each method. */
const each = operations.filter(({ name }) =>
  ["extensions.get", "extensions.upload", "apiKeys.rename", "extensions.delete"].includes(name),
);

afterEach(closeBenches);

describe("an interim response that nobody asked for", () => {
  describe.each(each.map((operation) => [operation.name, operation] as const))(
    "before the final response to %s",
    (_name, operation) => {
      test.each(Object.entries(interimAnswers))(
        "an interim response before the final response changes nothing: %s",
        async (_interim, interim) => {
          const { client, server } = await startBench([
            (socket, request) => {
              interim(socket, request);
              honestly(operation)(socket, request);
            },
          ]);
          // Reads share a connection, so later answers are checked too.
          for (let count = 0; count < 3; count++) {
            await operation.run(client, 20_000);
          }
          expect(server.requests).toHaveLength(3);
        },
      );
    },
  );
});
