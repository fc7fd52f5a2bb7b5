import { kinds, resourceKinds } from "../../../src/bridges/kinds.js";
import { systemClock } from "../../../src/client/http/retry/options.js";
import { Accounts } from "../../../src/providers/call.js";
import type { LifecycleContext } from "../../../src/providers/lifecycle.js";
import { useEmulator } from "../../support/emulator.js";

/** Factor by which waits are shorter. Waits end in their order, however slow the machine is. */
const speed = 100;

/** Id that every kind accepts. */
const id = "ckv9w8q2f000001l5r3j7k9m";

describe("a life cycle whose request the rate limit holds back", () => {
  const emulator = useEmulator();

  const { ...real } = systemClock;
  let isWaiting: (value?: unknown) => void = () => {};
  beforeAll(() => {
    let elapsedMs = 0;
    const waits = new Map<object, { readonly endMs: number; readonly end: () => void }>();
    const earliest = () => [...waits.values()].sort((one, other) => one.endMs - other.endMs)[0];
    const endInOrder = async () => {
      for (let next = earliest(); next !== undefined; next = earliest()) {
        await real.sleep((next.endMs - elapsedMs) / speed, undefined);
        if (next === earliest()) {
          elapsedMs = next.endMs;
          next.end();
        }
      }
    };
    systemClock.elapsed = () => elapsedMs;
    systemClock.sleep = (milliseconds, signal) =>
      new Promise((resolve, reject) => {
        const wait = {};
        const leave = (settle: () => void) => () => {
          waits.delete(wait);
          settle();
        };
        waits.set(wait, { endMs: elapsedMs + milliseconds, end: leave(resolve) });
        signal?.addEventListener(
          "abort",
          leave(() => reject(signal.reason)),
          { once: true },
        );
        isWaiting();
        if (waits.size === 1) {
          void endInOrder();
        }
      });
  });
  afterAll(() => Object.assign(systemClock, real));

  /** Refuses the next request. The service asks to wait for so many seconds. */
  const refuse = (seconds: number) =>
    emulator.faults.add({
      times: 1,
      at: "before-commit",
      action: { answer: { status: 429, headers: { "retry-after": String(seconds) } } },
    });

  function played() {
    const shown: string[] = [];
    const ignore = () => undefined;
    const context: LifecycleContext = {
      urn: undefined,
      programFolder: __dirname,
      configuration: ignore,
      environment: { BROWSER_INFRA_BASE_URL: emulator.url, BROWSER_INFRA_API_KEY: emulator.apiKeys[0] },
      signal: new AbortController().signal,
      report: {
        progress: (message) => shown.push(message),
        row: ignore,
        info: ignore,
        warning: ignore,
        debug: ignore,
      },
    };
    return { context, shown };
  }

  test.each(resourceKinds)("the row of a %s says after 10 s that a request waits", async (kind) => {
    refuse(20);
    const accounts = new Accounts();
    const isRefused = new Promise((resolve) => {
      isWaiting = resolve;
    });
    const before = { id, state: {}, isImport: true };
    const first = kinds.Profile.lifecycle(accounts).read(before, played().context);
    await isRefused;
    const { context, shown } = played();
    const lifecycle = kinds[kind].lifecycle(accounts);
    const second =
      kind === "LoginFlow"
        ? lifecycle.create({ connectionId: id, timeout: "1h" }, context)
        : lifecycle.read({ ...before, id: kind === "OrganizationLimits" ? "organization" : id }, context);
    await Promise.allSettled([first, second]);
    expect(shown).toEqual(["waiting for the service's rate limit, 2 requests in line"]);
  });

  test.each([
    { seconds: 5, said: [] },
    {
      seconds: 20,
      said: [expect.stringMatching(/^waiting for the service's rate limit, [1-3] requests? in line$/)],
    },
  ])(
    "each of three rows says once that it waits $seconds s, if longer than 10 s",
    async ({ seconds, said }) => {
      refuse(seconds);
      const rows = Array.from({ length: 3 }, played);
      const lifecycle = kinds.Profile.lifecycle(new Accounts());
      const isRefused = new Promise((resolve) => {
        isWaiting = resolve;
      });
      const reads = rows.map(async ({ context }, index) => {
        // A request that is on its way at the refusal would not wait.
        await (index > 0 && isRefused);
        return lifecycle.read({ id, state: {}, isImport: true }, context);
      });
      await Promise.allSettled(reads);
      expect(rows.map(({ shown }) => shown)).toEqual(rows.map(() => said));
    },
  );
});
