import type { Emulator, FaultPoint } from "../../../src/emulator/index.js";
import { startEach } from "../../support/stacks/service.js";
import { Stack } from "../../support/stacks/stack.js";

const page = "<!doctype html><title>Welcome to the hotel</title><p>Sign in to use the network.</p>";

describe("a captive portal, with the real engine", () => {
  let emulator: Emulator;
  let stack: Stack;

  startEach(Stack.createYaml, (started) => ({ emulator, stack } = started));

  /** Answers every deletion with the page and 200. */
  const addPortal = (at: FaultPoint) =>
    emulator.faults.add({
      at,
      method: "DELETE",
      times: Number.POSITIVE_INFINITY,
      action: { answer: { status: 200, body: page, headers: { "content-type": "text/html" } } },
    });

  test("a captive portal's page in response to a deletion is no success, unless the object does not exist afterwards", async () => {
    const extension = { type: "Extension", properties: { path: "./extension" } };
    stack.declare({ one: extension, two: extension, three: extension });
    await stack.up();
    const portal = addPortal("before-reading");
    const { exitCode, output } = await stack.run(
      ...["destroy", "--yes", "--skip-preview", "--continue-on-error"],
    );
    expect(exitCode).not.toBe(0);
    // Looking takes 15 s: the deletion might still be carried out.
    expect(output).toContain("may or may not have happened");
    expect(output).not.toMatch(/\d deleted/);
    expect(emulator.extensions.list()).toHaveLength(3);
    expect(stack.extensions()).toHaveLength(3);
    portal.remove();

    addPortal("after-commit");
    expect(await stack.destroy()).toMatch(/4 deleted/);
    expect(emulator.extensions.list()).toEqual([]);
    expect(stack.extensions()).toEqual([]);
  });
});
