import { withinLimit } from "../../src/bridges/time-limit.js";
import { PartiallyCreatedError } from "../../src/providers/lifecycle.js";

const never = new AbortController().signal;

/** Work that lasts until the abort of the signal. */
function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(new Error("Aborted.")), { once: true });
  });
}

describe("time limit", () => {
  test("work beyond the time limit ends with an error that names the limit", async () => {
    await expect(withinLimit("10ms", never, untilAborted)).rejects.toThrow(
      'The time limit of 10ms in "customTimeouts" has passed. Aborted.',
    );
  });

  test("the error about an object that is created but unfinished at the time limit begins with the limit", async () => {
    const waiting = (signal: AbortSignal) =>
      untilAborted(signal).catch(() => {
        throw new PartiallyCreatedError("pool", { size: 1 }, ["It is not ready.", "Run it again."]);
      });
    await expect(withinLimit("10ms", never, waiting)).rejects.toMatchObject({
      id: "pool",
      outputs: { size: 1 },
      reasons: ['The time limit of 10ms in "customTimeouts" has passed. It is not ready.', "Run it again."],
    });
  });

  test("the error about a canceled deployment does not name the time limit", async () => {
    const cancel = new AbortController();
    const outcome = expect(withinLimit("1h", cancel.signal, untilAborted)).rejects.toThrow(/^Aborted\.$/);
    cancel.abort();
    await outcome;
  });

  test("the error about canceled work does not name a time limit that passes while the work ends", async () => {
    const cancel = new AbortController();
    const slow = async () => {
      cancel.abort();
      // Node fires timers in the order of their times, so the timer of the limit comes first.
      await new Promise((resolve) => setTimeout(resolve, 50));
      throw new Error("Aborted.");
    };
    await expect(withinLimit("10ms", cancel.signal, slow)).rejects.toThrow(/^Aborted\.$/);
  });

  test("work without a limit, or with an unreadable limit, runs to its end", async () => {
    expect(await withinLimit(undefined, never, async () => "done")).toBe("done");
    expect(await withinLimit("soon", never, async () => "done")).toBe("done");
  });
});
