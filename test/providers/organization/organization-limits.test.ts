import { errorOf } from "../../support/error-of.js";
import { PlayedProgram } from "../played-program.js";

describe("the limits of the organization", () => {
  let program: PlayedProgram;

  beforeEach(async () => {
    program = await PlayedProgram.start("OrganizationLimits");
    program.emulator.organization.setDefaultProjectLimit(30);
  });

  const set = (cap?: number, more = {}) =>
    program.up({ ...(cap === undefined ? {} : { defaultProjectMaxConcurrentSessions: cap }), ...more });
  const present = () => program.emulator.organization.limits().defaultProjectMaxConcurrentSessions;

  test("the limits of the organization are set as declared, and restored by a destroy", async () => {
    await set(9);
    expect(present()).toBe(9);
    expect(program.stored).toMatchObject({
      id: "organization",
      outputs: {
        defaultProjectMaxConcurrentSessions: 9,
        onDelete: "restore",
        previous: { defaultProjectMaxConcurrentSessions: 30 },
      },
    });
    expect(await set(9)).toBe("same");
    await program.destroy();
    expect(present()).toBe(30);
  });

  test("a limit without a value removes the cap, and a missing cap is restored as no cap", async () => {
    await set();
    expect(present()).toBeNull();
    await program.destroy();
    expect(present()).toBe(30);
    program.emulator.organization.setDefaultProjectLimit(null);
    await set(9);
    await program.destroy();
    expect(present()).toBeNull();
  });

  test("a limit changed outside of the program is reported by a refresh, and stays after a destroy", async () => {
    await set(9);
    program.emulator.organization.setDefaultProjectLimit(12);
    await program.refresh();
    expect(program.messages).toEqual([
      "The limits of the organization changed outside of this program: from defaultProjectMaxConcurrentSessions 9 to defaultProjectMaxConcurrentSessions 12.",
    ]);
    await program.destroy();
    expect(present()).toBe(12);
    expect(program.messages.join()).toContain("The outside change stays");
  });

  test('the limits of the organization stay after a destroy with onDelete "keep"', async () => {
    await set(9, { onDelete: "keep" });
    await program.destroy();
    expect(present()).toBe(9);
  });

  test("a default above the limit of the organization is refused with the reason of the service", async () => {
    expect((await errorOf(set(101))).message).toContain("must not exceed the organization's limit of 100");
    expect(present()).toBe(30);
  });

  test.each<[string, object, RegExp]>([
    [
      "0",
      { defaultProjectMaxConcurrentSessions: 0 },
      /^defaultProjectMaxConcurrentSessions: .*must not be 0.*remove the input/,
    ],
    ["half a browser", { defaultProjectMaxConcurrentSessions: 0.5 }, /whole number of at least 1/],
    ["an unknown end", { onDelete: "forget" }, /^onDelete: .*must be "restore"/],
    ["an input that they do not have", { maxConcurrentSessions: 5 }, /no input "maxConcurrentSessions"/],
  ])("organization limits with %s are refused before any request", async (_what, inputs, expected) => {
    expect(await program.failures({ ...inputs })).toEqual([expect.stringMatching(expected)]);
    expect(program.emulator.requests).toEqual([]);
  });

  test("the limits of the organization are imported only by the id organization", async () => {
    const error = await errorOf(program.import("org_2"));
    expect(error).toMatchObject({ code: "id_not_found" });
    await program.import("organization");
    expect(program.stored.inputs).toEqual({ defaultProjectMaxConcurrentSessions: 30, onDelete: "restore" });
  });
});
