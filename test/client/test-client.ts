import { BrowserInfraClient, type ClientOptions, RetryBudget } from "../../src/client/index.js";
import { type FaultServer, type FaultServerOptions, type Script, startFaultServer } from "./fault-server.js";

/** Key that no service issued. Tests search for the key and its encodings where none may occur. */
export const canaryKey = "sk_canary/Zm9v+YmFy~0123456789";

/** Extension in the service's format. */
export const wireExtension = {
  id: "ckv9w8q2f000001l5r3j7k9m",
  name: "ad-blocker",
  checksum: "ab".repeat(32),
  size_bytes: 1234,
  created_at: "2026-11-21T10:00:00Z",
  last_used_at: null,
};

/**
 * Client and scripted server. Time passes only in waits, which end at once. The date is constant,
 * jitter is maximal.
 */
export interface Bench {
  readonly client: BrowserInfraClient;
  readonly server: FaultServer;
  /** Waits between two sends, in milliseconds. */
  readonly waits: number[];
}

/** The date on the bench's clock. */
export const benchDate = Date.parse("2026-11-21T10:00:00Z");

const open: (() => Promise<void>)[] = [];

/** Starts a server with the given scripts and a client for the server. `closeBenches` ends both. */
export async function startBench(
  scripts: readonly Script[],
  options: Partial<ClientOptions> = {},
  serverOptions: FaultServerOptions = {},
): Promise<Bench> {
  const server = await startFaultServer(scripts, serverOptions);
  closeAfterTest(server);
  return { server, ...openClient(server.url, options) };
}

/** A client with the bench's clock for any base URL. */
export function openClient(baseUrl: string, options: Partial<ClientOptions> = {}): Omit<Bench, "server"> {
  const waits: number[] = [];
  let elapsedMs = 0;
  const client = new BrowserInfraClient({
    apiKey: canaryKey,
    baseUrl,
    // Disables a proxy of this machine.
    environment: {},
    ...options,
    retry: {
      budget: new RetryBudget(),
      random: () => 1,
      clock: {
        now: () => benchDate,
        elapsed: () => elapsedMs,
        sleep: async (milliseconds, signal) => {
          signal?.throwIfAborted();
          waits.push(milliseconds);
          elapsedMs += milliseconds;
        },
      },
      ...options.retry,
    },
  });
  open.push(() => client.close());
  return { client, waits };
}

/**
 * Closes `thing` at the end of the test, before the clients, because clients wait for their
 * requests.
 */
function closeAfterTest(thing: { readonly close: () => Promise<void> }): void {
  open.unshift(() => thing.close());
}

/** Closes everything opened by the test. For `afterEach`. */
export async function closeBenches(): Promise<void> {
  for (const close of open.splice(0)) {
    await close();
  }
}
