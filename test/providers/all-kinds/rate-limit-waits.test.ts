import { kinds, resourceKinds } from "../../../src/bridges/kinds.js";
import { systemClock } from "../../../src/client/http/retry/options.js";
import { Accounts } from "../../../src/providers/call.js";
import type { LifecycleContext } from "../../../src/providers/lifecycle.js";
import { useEmulator } from "../../support/emulator.js";

/** Factor by which waits are shorter. Only waits move the clock of this file, so that a slow machine does no harm. */
const speed = 100;

/** Id that every kind accepts. */
const id = "ckv9w8q2f000001l5r3j7k9m";

describe("a life cycle whose request the rate limit holds back", () => {
  const emulator = useEmulator();

  const { ...real } = systemClock;
  let isWaiting: (value?: unknown) => void = () => {};
  beforeAll(() => {
    let elapsedMs = 0;
    systemClock.elapsed = () => elapsedMs;
    systemClock.sleep = async (milliseconds, signal) => {
      isWaiting();
      const end = elapsedMs + milliseconds;
      await real.sleep(milliseconds / speed, signal);
      elapsedMs = Math.max(elapsedMs, end);
    };
  });
  afterAll(() => Object.assign(systemClock, real));

  /** Refuses the next request. The service asks to wait for so many seconds. */
  const refuse = (seconds: number) =>
    emulator.faults.add({
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

  test("each row says how many requests are in line, and nothing about a wait of less than 10 s", async () => {
    const accounts = new Accounts();
    const rows = Array.from({ length: 3 }, played);
    const lifecycle = kinds.Profile.lifecycle(accounts);
    const readAll = (those = rows) =>
      Promise.allSettled(
        those.map(({ context }) => lifecycle.read({ id, state: {}, isImport: true }, context)),
      );
    refuse(5);
    await readAll(rows.slice(0, 1));
    expect(rows.flatMap(({ shown }) => shown)).toEqual([]);
    refuse(20);
    await readAll();
    expect(rows.map(({ shown }) => shown)).toEqual(
      rows.map(() => [
        expect.stringMatching(/^waiting for the service's rate limit, [1-3] requests? in line$/),
      ]),
    );
  });
});
