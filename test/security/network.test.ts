import { execFile, execFileSync } from "node:child_process";
import { lookup } from "node:dns/promises";
import { request } from "node:http";
import { connect } from "node:net";
import { connect as connectTls } from "node:tls";
import { promisify } from "node:util";
import { fetch } from "undici";
import { newEmulator } from "../support/emulator.js";
import { errorOf } from "../support/error-of.js";

/** Reserved address (RFC 5737). Without the block, a connection attempt would hang. */
const foreign = "192.0.2.1";

/** Error of a connecting socket. */
function socketError(socket: ReturnType<typeof connect>): Promise<Error> {
  return new Promise((resolve, reject) => {
    socket.once("error", resolve);
    socket.once("connect", () => reject(new Error("It connected.")));
  });
}

describe("tests", () => {
  test("X17: tests reach only this machine, by TCP, TLS, HTTP and fetch", async () => {
    const errors = await Promise.all([
      socketError(connect(443, foreign)),
      socketError(connect({ port: 443, host: "api.example.com" })),
      socketError(connectTls({ port: 443, host: foreign })),
      new Promise<Error>((resolve) => request(`http://${foreign}/`).once("error", resolve).end()),
      errorOf(fetch(`https://${foreign}/`)).then(({ cause }) => cause as Error),
    ]);
    for (const error of errors) {
      expect(error.message).toContain("blocked: tests reach only this machine");
    }
  });

  test("X17: tests reach the emulator", async () => {
    const emulator = await newEmulator();
    expect((await fetch(`${emulator.url}/extensions`)).status).toBe(401);
    const byName = await fetch(emulator.url.replace("127.0.0.1", "localhost"));
    expect(byName.headers.get("x-browser-infra-emulator")).toBe("1");
    expect((await lookup("localhost")).address).toMatch(/^(127\.|::1)/);
  });

  test("X17: Node processes that tests start reach only this machine, in any environment", async () => {
    const script = `fetch("http://${foreign}/").catch(({ cause }) => console.log(cause.message))`;
    const inherited = execFileSync(process.execPath, ["-e", script], { encoding: "utf8" });
    const own = await promisify(execFile)(process.execPath, ["-e", script], { env: {} });
    const grandchild = `require("node:child_process").spawnSync(process.execPath, ["-e", ${JSON.stringify(script)}], { stdio: "inherit" })`;
    const inner = await promisify(execFile)(process.execPath, ["-e", grandchild], { env: { PATH: "" } });
    for (const printed of [inherited, own.stdout, inner.stdout]) {
      expect(printed).toContain("blocked: tests reach only this machine");
    }
  });

  test("X17: npm in a test reaches the registry, and programs that npm starts do not", async () => {
    const registry = "http://registry.invalid";
    const view = ["view", "anything", `--registry=${registry}`, "--fetch-retries=0"];
    const { message } = await errorOf(promisify(execFile)("npm", view));
    expect(message).toContain("ENOTFOUND");
    expect(message).not.toContain("blocked");
    const script = `node -e 'fetch("${registry}").catch(({ cause }) => console.log(cause.message))'`;
    const { stdout } = await promisify(execFile)("npm", ["exec", "--call", script]);
    expect(stdout).toContain("blocked: tests reach only this machine");
  });
});
