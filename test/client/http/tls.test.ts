import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { connect, createServer, getCACertificates, type Server, setDefaultCACertificates } from "node:tls";
import { runInThisContext } from "node:vm";
import { errorOf } from "../../support/error-of.js";
import { closeBenches, openClient } from "../test-client.js";
import { selfSigned } from "./self-signed.js";

const variable = "NODE_TLS_REJECT_UNAUTHORIZED";
/** Environment that Node's TLS layer reads; `process.env` of a test file is a copy. */
const environment = runInThisContext("process.env") as NodeJS.ProcessEnv;
const systemCertificates = getCACertificates("default");
let server: Server;
let bytes = 0;
let port = 0;

async function present(certificate: ReturnType<typeof selfSigned>): Promise<void> {
  bytes = 0;
  server = createServer({ ...certificate, ALPNProtocols: ["h2", "http/1.1"] }, (socket) => {
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      bytes += chunk.byteLength;
    });
  });
  server.on("tlsClientError", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as AddressInfo).port;
}

afterEach(async () => {
  setDefaultCACertificates(systemCertificates);
  await closeBenches();
  await new Promise((resolve) => server.close(resolve));
});

/** Whether a bare TLS connection of Node goes through. */
function nodeConnects(): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1" });
    socket.on("error", () => resolve(false));
    socket.on("secureConnect", () => {
      socket.destroy();
      resolve(true);
    });
  });
}

describe("TLS", () => {
  test("X5: an untrusted certificate is refused without a retry, before a byte is sent", async () => {
    await present(selfSigned());
    const { client, waits } = openClient(`https://127.0.0.1:${port}`);
    const error = await errorOf(client.extensions.get("ad-blocker"));
    expect(error).toMatchObject({ name: "ConnectionError", code: "connection_untrusted" });
    expect(error.message).toContain("the TLS handshake failed (DEPTH_ZERO_SELF_SIGNED_CERT)");
    expect(error.message).toContain("NODE_EXTRA_CA_CERTS");
    expect([waits, bytes]).toEqual([[], 0]);
  });

  test.each([
    ["has expired", selfSigned("localhost", [-2, -1]), "CERT_HAS_EXPIRED"],
    ["is for another host", selfSigned("elsewhere.test"), "ERR_TLS_CERT_ALTNAME_INVALID"],
  ])("X5: a certificate from a trusted issuer that %s is refused", async (_what, certificate, code) => {
    await present(certificate);
    setDefaultCACertificates([...systemCertificates, certificate.cert]);
    const { client, waits } = openClient(`https://localhost:${port}`);
    const error = await errorOf(client.extensions.get("ad-blocker"));
    expect(error).toMatchObject({ name: "ConnectionError", code: "connection_untrusted" });
    expect(error.message).toContain(`the TLS handshake failed (${code})`);
    expect([waits, bytes]).toEqual([[], 0]);
  });

  test("X5: a certificate from a trusted issuer, in time and for this host, is accepted, for HTTP/1.1 alone", async () => {
    const certificate = selfSigned();
    await present(certificate);
    setDefaultCACertificates([...systemCertificates, certificate.cert]);
    const { client } = openClient(`https://localhost:${port}`);
    const request = errorOf(client.extensions.get("ad-blocker"));
    const [socket] = await once(server, "secureConnection");
    await once(socket, "data");
    // The server would rather speak HTTP/2.
    expect(socket.alpnProtocol).toBe("http/1.1");
    socket.end("HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n");
    expect(await request).toMatchObject({ name: "ApiError", status: 404 });
  });

  test("X5: NODE_TLS_REJECT_UNAUTHORIZED=0 does not switch the certificate check off", async () => {
    await present(selfSigned());
    const before = environment[variable];
    environment[variable] = "0";
    try {
      // Node itself would connect now: the variable reaches the TLS layer of this process.
      expect(await nodeConnects()).toBe(true);
      const { client } = openClient(`https://127.0.0.1:${port}`);
      expect(await errorOf(client.extensions.get("ad-blocker"))).toMatchObject({
        code: "connection_untrusted",
      });
      expect(bytes).toBe(0);
    } finally {
      if (before === undefined) {
        delete environment[variable];
      } else {
        environment[variable] = before;
      }
    }
  });
});
