import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { canTellUsers, peerUser } from "../../../../src/bridges/plugin/peer-user.js";
import { testWhereAvailable } from "../../../support/where-available.js";

const missing = process.platform === "linux" ? undefined : "Only Linux has tables of connections.";

/** Both ends of a new connection to an address on which a server listens. */
async function connected(listensOn: string, connectsTo: string) {
  const server = createServer();
  server.listen(0, listensOn);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const client = connect({ port, host: connectsTo });
  const [accepted] = (await once(server, "connection")) as [Socket];
  const close = () => {
    client.destroy();
    accepted.destroy();
    server.close();
  };
  return { accepted, client, port, close };
}

describe("the user of a connection", () => {
  for (const [listensOn, connectsTo] of [
    ["127.0.0.1", "127.0.0.1"],
    ["127.0.0.1", "::ffff:127.0.0.1"],
    ["::1", "::1"],
    ["::", "::1"],
    ["::", "127.0.0.1"],
    ["::", "::ffff:127.0.0.1"],
  ] as const) {
    testWhereAvailable(
      `the user of a connection from ${connectsTo} to ${listensOn} is known`,
      missing,
      async () => {
        const { accepted, port, close } = await connected(listensOn, connectsTo);
        try {
          expect(await peerUser(accepted)).toBe(process.geteuid?.());
          expect(await canTellUsers(listensOn, port)).toBe(true);
        } finally {
          close();
        }
      },
    );
  }

  testWhereAvailable(
    "a caller that has ended its side has no user: older kernels would report root",
    missing,
    async () => {
      const { accepted, client, close } = await connected("127.0.0.1", "127.0.0.1");
      try {
        accepted.resume();
        client.end();
        await once(accepted, "end");
        expect(await peerUser(accepted)).toBeUndefined();
      } finally {
        close();
      }
    },
  );

  testWhereAvailable("a connection that the tables do not list has no user", missing, async () => {
    const ends = { localAddress: "127.0.0.1", localPort: 1, remoteAddress: "127.0.0.1", remotePort: 2 };
    expect(await peerUser(ends)).toBeUndefined();
    expect(await canTellUsers("127.0.0.1", 1)).toBe(false);
  });
});
