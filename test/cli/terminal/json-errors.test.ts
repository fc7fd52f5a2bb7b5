import { stored } from "../../emulator/calls.js";
import { useEmulator } from "../../support/emulator.js";
import { type Play, play } from "../played-terminal.js";

describe("errors with --json", () => {
  const emulator = useEmulator();

  /** Runs a failing command, and returns the error: the only line on standard error. */
  async function failed(args: readonly string[], options?: Play) {
    const { exitCode, out, err } = await play(emulator, [...args, "--json"], options);
    expect(out).toBe("");
    expect(err).toMatch(/^\{.*\}\n$/);
    const { error } = JSON.parse(err) as { error: Record<string, unknown> };
    expect(error).toMatchObject({ code: expect.stringMatching(/^[a-z_]+$/), exitCode });
    return error;
  }

  test("an error of the service with --json contains code, message, exit code, status and request", async () => {
    expect(await failed(["extensions", "get", "none"])).toEqual({
      code: "not_found",
      message: expect.stringContaining('Reading the extension "none" failed: 404 not_found'),
      exitCode: 3,
      status: 404,
      request: { method: "GET", path: "/extensions/none/metadata", requestId: expect.any(String) },
    });
  });

  test.each<[string, readonly string[], Play, object]>([
    ["an unknown option", ["projects", "list", "--bogus"], {}, { code: "usage_invalid", exitCode: 2 }],
    [
      "a name that looks like an option",
      ["projects", "get", "-dash"],
      {},
      { code: "usage_invalid", message: expect.stringContaining('Put "--" before a name or id') },
    ],
    [
      "an option after a group without a command",
      ["extensions"],
      {},
      { code: "usage_invalid", message: expect.stringContaining("unknown option '--json'") },
    ],
    [
      "a missing setting",
      ["projects", "list"],
      { env: { BROWSER_INFRA_API_KEY: undefined } },
      { code: "config_missing", message: "No API key. Set BROWSER_INFRA_API_KEY.", exitCode: 2 },
    ],
    [
      "a wrong argument",
      ["api-keys", "rename", "key", ""],
      {},
      { code: "name_invalid", property: "name", exitCode: 2 },
    ],
    [
      "a confirmation without a terminal",
      ["extensions", "delete", "x"],
      {},
      { code: "confirmation_needed", property: "yes", exitCode: 2 },
    ],
  ])("--json prints an error object for %s", async (_what, args, options, error) => {
    expect(await failed(args, options)).toMatchObject(error);
  });

  test("--json prints exit code 5 and the request for a write with an unknown outcome", async () => {
    const [key] = emulator.apiKeyRecords.list();
    emulator.faults.add({
      method: "PATCH",
      at: "after-commit",
      times: Number.POSITIVE_INFINITY,
      action: "reset",
    });
    expect(await failed(["api-keys", "rename", key?.id ?? "", "new"])).toMatchObject({
      code: "outcome_unknown",
      exitCode: 5,
      request: { method: "PATCH" },
    });
  });

  test("--json prints an error object for a declined confirmation and for Ctrl+C", async () => {
    await stored(emulator, { name: "blocker" });
    const asked = async (answer: string) => {
      const args = ["extensions", "delete", "blocker", "--json"];
      const { exitCode, out, err } = await play(emulator, args, { terminal: 80, answer });
      const line =
        err
          .trimEnd()
          .split(/\n|\[y\/N\] /)
          .at(-1) ?? "";
      return { exitCode, out, error: JSON.parse(line).error };
    };
    expect(await asked("n")).toEqual({
      exitCode: 4,
      out: "",
      error: { code: "declined", message: "Nothing was deleted.", exitCode: 4 },
    });
    expect(await asked("SIGINT")).toEqual({
      exitCode: 130,
      out: "",
      error: { code: "interrupted", message: "Ended by SIGINT.", exitCode: 130 },
    });
  });

  test("an error with --json contains no control character", async () => {
    const args = ["extensions", "get", "x\u202ey\u009b", "--json"];
    const { err } = await play(emulator, args);
    expect(err.trimEnd()).not.toMatch(/\p{C}/u);
  });

  test("without --json, and with --json as an argument after --, an error is a sentence", async () => {
    expect((await play(emulator, ["extensions", "get", "none"])).err).toMatch(/^error: /);
    expect((await play(emulator, ["extensions", "get", "--", "--json"])).err).toMatch(/^error: /);
  });
});
