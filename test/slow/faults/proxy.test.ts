import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";
import { createServer, type Server } from "node:tls";
import type { Emulator } from "../../../src/emulator/index.js";
import { selfSigned } from "../../client/http/self-signed.js";
import { type ConnectProxy, startConnectProxy } from "../../support/connect-proxy.js";
import { startService } from "../../support/stacks/service.js";
import { Stack } from "../../support/stacks/stack.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

/** Name that never resolves, so that only the proxy can reach the host. */
const host = "browsers.invalid";

describe("a proxy, with the real engine", () => {
  let emulator: Emulator;
  let terminator: Server;
  let proxy: ConnectProxy;
  let stack: Stack;

  beforeEach(async () => {
    // The emulator still listens on loopback, but requests use a different name.
    const service = await startService({ allowedHosts: [host] });
    emulator = service.emulator;
    const certificate = selfSigned(host);
    // Takes the TLS off, and passes everything on to the emulator.
    terminator = createServer(certificate, (socket) => {
      const upstream = connect(Number(new URL(emulator.url).port), "127.0.0.1");
      for (const end of [socket, upstream]) {
        end.on("error", () => {});
      }
      socket.pipe(upstream).pipe(socket);
    });
    terminator.listen(0, "127.0.0.1");
    await once(terminator, "listening");
    const { port } = terminator.address() as AddressInfo;
    proxy = await startConnectProxy((target) => (target === `${host}:443` ? { port } : { status: 403 }));
    const authority = join(temporaryFolder(), "authority.pem");
    writeFileSync(authority, certificate.cert);
    stack = await Stack.create({
      ...service.environment,
      BROWSER_INFRA_BASE_URL: `https://${host}`,
      HTTPS_PROXY: `http://user:password@${proxy.host}`,
      NODE_EXTRA_CA_CERTS: authority,
    });
  });

  afterEach(async () => {
    stack.remove();
    await proxy.close();
    terminator.close();
  });

  test("all requests of a deployment go through the proxy in HTTPS_PROXY", async () => {
    stack.write("extension/manifest.json", '{ "manifest_version": 3, "name": "Reader", "version": "1.0.0" }');
    stack.write("extension/content.js", `// ${"x".repeat(300_000)}\n`);
    stack.write(
      "index.js",
      `const { Extension, getProjects } = require("pulumi-browser-infra");
       new Extension("reader", { path: "./extension", name: "reader" });
       exports.projects = getProjects().then(({ projects }) => projects.length);`,
    );
    await stack.up();
    const { id, outputs } = stack.extension();
    expect(emulator.extensions.list()).toMatchObject([{ id, checksum: outputs.checksum }]);
    stack.write("extension/content.js", "// two\n");
    await stack.up();
    await stack.destroy();
    expect(emulator.extensions.list()).toEqual([]);
    const targets = new Set(proxy.requests.map(({ method, target }) => `${method} ${target}`));
    expect([...targets]).toEqual([`CONNECT ${host}:443`]);
  });
});
