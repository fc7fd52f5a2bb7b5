import type { AddressInfo } from "node:net";
import { createServer } from "node:tls";
import { inspect } from "node:util";
import { ConfigError, ConnectionError } from "../../../src/client/index.js";
import { type ConnectProxy, startConnectProxy } from "../../support/connect-proxy.js";
import { errorOf } from "../../support/error-of.js";
import { closedPort, json } from "../fault-server.js";
import { canaryKey, closeBenches, openClient, startBench, wireExtension } from "../test-client.js";
import { selfSigned } from "./self-signed.js";

// RFC 6761 guarantees that this name never resolves, so a direct request fails.
const baseUrl = "https://service.invalid";

const closers: (() => Promise<unknown>)[] = [];

afterEach(closeBenches);
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) {
    await close();
  }
});

async function startProxy(route: Parameters<typeof startConnectProxy>[0]): Promise<ConnectProxy> {
  const proxy = await startConnectProxy(route);
  closers.push(proxy.close);
  return proxy;
}

/** TLS server with an untrusted certificate. */
async function startTlsServer(): Promise<number> {
  const server = createServer(selfSigned("service.invalid"), (socket) => socket.on("error", () => {}));
  server.on("tlsClientError", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => new Promise((resolve) => server.close(resolve)));
  return (server.address() as AddressInfo).port;
}

function read(environment: Record<string, string>, options = {}) {
  return errorOf(openClient(baseUrl, { environment, ...options }).client.extensions.get("ad-blocker"));
}

describe("a proxy", () => {
  test.each([
    ["HTTPS_PROXY", (host: string) => `http://${host}`],
    ["https_proxy", (host: string) => `http://${host}/`],
    ["HTTP_PROXY", (host: string) => `http://${host}`],
    ["http_proxy", (host: string) => host],
  ])(
    "a proxy from %s carries the connection, and TLS is checked from end to end",
    async (variable, addressOf) => {
      const port = await startTlsServer();
      const proxy = await startProxy(() => ({ port }));
      const error = await read({ [variable]: addressOf(proxy.host) });
      expect(error).toMatchObject({ name: "ConnectionError", code: "connection_untrusted" });
      expect(error.message).toContain(
        `the TLS handshake failed (DEPTH_ZERO_SELF_SIGNED_CERT), host service.invalid, through the proxy ${proxy.host} (${variable}).`,
      );
      expect(proxy.requests).toMatchObject([{ method: "CONNECT", target: "service.invalid:443" }]);
      expect(inspect(proxy.requests)).not.toContain(canaryKey);
    },
  );

  test("a proxy variable in lower case wins over upper case, and HTTPS_PROXY wins over HTTP_PROXY", async () => {
    const [used, other] = [
      await startProxy(() => ({ status: 403 })),
      await startProxy(() => ({ status: 403 })),
    ];
    await read({ https_proxy: used.host, HTTPS_PROXY: other.host, HTTP_PROXY: other.host });
    await read({ HTTPS_PROXY: used.host, http_proxy: other.host, HTTP_PROXY: other.host });
    expect([used.connections(), other.connections()]).toEqual([2, 0]);
  });

  test.each([
    "service.invalid",
    ".invalid",
    "*",
    "example.com,service.invalid:443",
    "example.com Service.Invalid",
    ".service.invalid",
    "*.invalid",
  ])("a host that NO_PROXY names is reached without the proxy: %s", async (hosts) => {
    const proxy = await startProxy(() => ({ status: 403 }));
    for (const variable of ["NO_PROXY", "no_proxy"]) {
      const error = await read({ HTTPS_PROXY: proxy.host, [variable]: hosts }, { retry: { attempts: 1 } });
      expect(error.message).toMatch(
        /could not be resolved \(\w+\), host service\.invalid\. Check the base URL and/,
      );
    }
    expect(proxy.connections()).toBe(0);
  });

  test.each([
    "example.com, service.invalid:8443,ice.invalid",
    // Matches only the subdomains.
    "*.service.invalid",
  ])("a host that NO_PROXY does not name is reached through the proxy: %s", async (hosts) => {
    const proxy = await startProxy(() => ({ status: 403 }));
    await read({ HTTPS_PROXY: proxy.host, NO_PROXY: hosts });
    expect(proxy.connections()).toBe(1);
  });

  test("requests to this machine never go through a proxy, because http would show the key in clear text", async () => {
    const proxy = await startProxy(() => ({ status: 403 }));
    const { server } = await startBench([json(200, wireExtension)]);
    const environment = { HTTP_PROXY: proxy.host, HTTPS_PROXY: proxy.host };
    for (const host of ["127.0.0.1", "localhost"]) {
      const { client } = openClient(`http://${host}:${server.port}`, { environment });
      expect((await client.extensions.get("ad-blocker")).id).toBe(wireExtension.id);
      // Over https, the client connects directly to the server, which does not speak TLS.
      const secure = openClient(`https://${host}:${server.port}`, {
        environment,
        deadlines: { connectMs: 500 },
      });
      await errorOf(secure.client.extensions.delete("x1"));
    }
    expect(proxy.connections()).toBe(0);
  });

  test.each([
    [403, "Check that the proxy allows this host, or name the host in NO_PROXY to connect directly.", 1],
    [407, "Check the user name and the password in the address of the proxy.", 1],
    [502, "Tried 4 times. Check the base URL, the proxy and the network.", 4],
  ])(
    "the error for a proxy that answers %i names the proxy without the password, and nothing was sent",
    async (status, advice, sends) => {
      const proxy = await startProxy(() => ({ status }));
      const environment = { HTTPS_PROXY: `http://user:p%40ss-word@${proxy.host}` };
      const error = await read(environment);
      expect(error).toBeInstanceOf(ConnectionError);
      expect(error.message).toBe(
        `Reading the extension "ad-blocker" failed: the proxy answered ${status} and opened no connection, ` +
          `host service.invalid, through the proxy ${proxy.host} (HTTPS_PROXY). ${advice}`,
      );
      expect(proxy.requests).toHaveLength(sends);
      const credentials = Buffer.from("user:p@ss-word").toString("base64");
      expect(proxy.requests[0]?.headers["proxy-authorization"]).toBe(`Basic ${credentials}`);
      const { client } = openClient(baseUrl, { environment });
      const refused = await errorOf(client.extensions.upload({ archive: new Uint8Array(9) }));
      expect(refused).toBeInstanceOf(ConnectionError);
      const all = inspect([error, refused, client], { depth: 10, showHidden: true, getters: true });
      for (const secret of ["ss-word", credentials, canaryKey]) {
        expect(all).not.toContain(secret);
      }
    },
  );

  test("the error for an unreachable proxy names the proxy", async () => {
    const host = `127.0.0.1:${await closedPort()}`;
    const error = await read({ HTTPS_PROXY: host });
    expect(error.message).toBe(
      `Reading the extension "ad-blocker" failed: the connection could not be opened (ECONNREFUSED), host ` +
        `service.invalid, through the proxy ${host} (HTTPS_PROXY). Tried 4 times. Check the base URL, the proxy and the network.`,
    );
  });

  test("a connection through a silent proxy ends after connectMs, and nothing was sent", async () => {
    const proxy = await startProxy(() => undefined);
    const { client } = openClient(baseUrl, {
      environment: { HTTPS_PROXY: proxy.host },
      deadlines: { connectMs: 100 },
    });
    const error = await errorOf(client.extensions.delete("x1"));
    expect(error).toMatchObject({ name: "ConnectionError", code: "connection_timeout" });
    expect(error.message).toContain(
      `through the proxy ${proxy.host} (HTTPS_PROXY). Check the proxy and the network`,
    );
  });

  test("a proxy behind TLS with an untrusted certificate is refused", async () => {
    const port = await startTlsServer();
    const error = await read({ HTTPS_PROXY: `https://localhost:${port}` });
    expect(error).toMatchObject({ name: "ConnectionError", code: "connection_untrusted" });
    expect(error.message).toContain(`through the proxy localhost:${port} (HTTPS_PROXY)`);
  });

  test.each([
    "socks5://user:s3cret@127.0.0.1:1080",
    "http://",
    "http://user:100%s3cret@proxy.example.com",
    "s3cret:x",
  ])("a proxy with the address %s is a configuration error that does not show the address", (address) => {
    const open = () => openClient(baseUrl, { environment: { HTTPS_PROXY: address } });
    expect(open).toThrow(ConfigError);
    expect(open).toThrow(
      "The proxy in the environment variable HTTPS_PROXY is not an http or https address such as http://proxy.example.com:3128. Correct HTTPS_PROXY, or unset it to connect directly.",
    );
  });
});
