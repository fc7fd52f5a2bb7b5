import { createServer, type Server, type Socket } from "node:net";
import { resolve } from "node:path";
import { PassThrough } from "node:stream";
import { watchEngine } from "../../src/bridges/engine-watch.js";
import { loaderText } from "../../src/resources/dynamic-contract.js";
import { ProviderProcess, programFolder } from "./provider-process.js";

const dist = resolve(__dirname, "../../dist");

/**
 * Wait of a test for an event that must not happen, in milliseconds: longer than the detection of a
 * missing engine.
 */
const noticeMs = 1_500;

/**
 * Server in place of an engine. Sends nothing, like the engine to a silent client.
 */
class SilentEngine {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(server: Server) {
    this.#server = server;
    server.on("connection", (socket) => {
      this.#sockets.add(socket);
      socket.on("error", () => undefined).once("close", () => this.#sockets.delete(socket));
    });
  }

  static async start(): Promise<SilentEngine> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return new SilentEngine(server);
  }

  get address(): string {
    const bound = this.#server.address();
    return `127.0.0.1:${typeof bound === "object" ? bound?.port : bound}`;
  }

  /** Resolves with the next connection. */
  connection(): Promise<Socket> {
    return new Promise((resolve) => this.#server.once("connection", resolve));
  }

  /** Ends like a killed process: nobody listens, and all connections end. */
  die(): void {
    this.#server.close();
    for (const socket of this.#sockets) {
      socket.destroy();
    }
  }
}

/** Starts a watch. `gone` resolves when the watch finds that the engine has ended. */
function watch(engineAddress: string, input?: PassThrough) {
  let isGone = false;
  const gone = new Promise<void>((resolve) => {
    watchEngine({ engineAddress, input: input as Socket | undefined }, () => {
      isGone = true;
      resolve();
    });
  });
  const expectNothing = async () => {
    await new Promise((resolve) => setTimeout(resolve, noticeMs));
    expect(isGone).toBe(false);
  };
  return { gone, expectNothing };
}

/** Standard input: a stream with the `unref` of a socket. */
function standardInput(): PassThrough {
  return Object.assign(new PassThrough(), { unref: () => undefined });
}

describe("the watch over the engine", () => {
  let engine: SilentEngine;

  beforeEach(async () => {
    engine = await SilentEngine.start();
  });

  afterEach(() => {
    engine.die();
  });

  test("the watch reports that the engine has ended", async () => {
    const connected = engine.connection();
    const watched = watch(engine.address);
    await connected;
    engine.die();
    await watched.gone;
  });

  test("the watch connects again after the end of a connection, and does not report the end of the engine", async () => {
    const connected = engine.connection();
    const watched = watch(engine.address);
    const again = engine.connection();
    (await connected).destroy();
    await again;
    const third = engine.connection();
    (await again).resetAndDestroy();
    await third;
    await watched.expectNothing();
    engine.die();
    await watched.gone;
  });

  test("the end of the standard input alone is not reported as the end of the engine", async () => {
    const input = standardInput();
    input.end();
    const watched = watch(engine.address, input);
    await watched.expectNothing();
  });

  test("without a response from the engine's address, the end of the standard input counts as the end of the engine", async () => {
    const { address } = engine;
    engine.die();
    const input = standardInput();
    const watched = watch(address, input);
    await watched.expectNothing();
    input.end();
    await watched.gone;
  });

  test("the watch reports nothing for a text that is not an address", async () => {
    const watches = ["", "engine", "/a/path", "unix:///tmp/engine.sock"].map((address) => {
      const input = standardInput();
      input.end();
      return watch(address, input);
    });
    await Promise.all(watches.map(({ expectNothing }) => expectNothing()));
  });
});

/** Provider whose only call never ends. The process ends with the engine at `engineAddress`. */
const hangingProvider = (engineAddress: string) => `
  const { endWithEngine } = require(${JSON.stringify(`${dist}/bridges/engine-watch.js`)});
  const watched = { engineAddress: ${JSON.stringify(engineAddress)}, input: undefined };
  exports.handler = () => ({
    create: () => new Promise(() => {
      endWithEngine(watched, { cancel: () => console.log("canceled") });
    }),
  });`;

describe("the provider process", () => {
  let provider: ProviderProcess;

  beforeEach(async () => {
    provider = await ProviderProcess.start(programFolder());
  });

  afterEach(() => provider.stop());

  test("the provider process cancels running work and ends after its engine, although a call hangs", async () => {
    const engine = await SilentEngine.start();
    // An engine that dies before the first connection proves nothing: see `watchEngine`.
    const reached = engine.connection();
    provider.create({ __provider: hangingProvider(engine.address) }).catch(() => undefined);
    await reached;
    engine.die();
    await provider.printed("canceled");
    expect(await provider.endsWithin(5_000)).toBe(true);
  });

  // Before the first call, Pulumi's process has loaded none of our code, and so does not end.
  test("the provider process ends with the first call if the engine had already ended", async () => {
    provider.loseEngine();
    const call = provider.check({}, { __provider: loaderText("LoginFlow"), connectionId: "con_1" });
    await call.catch(() => undefined);
    expect(await provider.endsWithin(5_000)).toBe(true);
  });

  test("an idle provider process ends after its engine", async () => {
    await provider.check({}, { __provider: loaderText("LoginFlow"), connectionId: "con_1" });
    provider.loseEngine();
    expect(await provider.endsWithin(5_000)).toBe(true);
  });
});
