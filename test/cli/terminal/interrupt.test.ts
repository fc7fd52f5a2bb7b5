import type { ChildProcess } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FaultRule } from "../../../src/emulator/index.js";
import { useEmulator } from "../../support/emulator.js";
import { extensionZip } from "../../support/stored-zip.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { settingsOf, startCommand } from "../started-command.js";

describe("a signal", () => {
  const emulator = useEmulator();
  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder();
    writeFileSync(join(folder, "ready.zip"), extensionZip());
  });

  /**
   * Runs a command and sends a signal once the emulator has reached the given point of the request.
   * The request hangs at the point.
   */
  async function interrupted(
    args: readonly string[],
    rule: Pick<FaultRule, "method" | "at">,
    signal: NodeJS.Signals,
  ) {
    let child: ChildProcess | undefined;
    emulator.faults.add({ ...rule, action: { call: () => void child?.kill(signal) } });
    emulator.faults.add({ ...rule, action: "hang" });
    const started = startCommand(args, { cwd: folder, env: settingsOf(emulator) });
    child = started.child;
    return started.ended;
  }

  test.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)(
    "%s during a read ends the command at once with exit code %i and no output",
    async (signal, exitCode) => {
      const rule = { method: "GET", at: "before-commit" } as const;
      const result = await interrupted(["projects", "list"], rule, signal);
      expect(result).toEqual({ exitCode, signal: null, out: "", err: "" });
    },
  );

  test("Ctrl+C during an upload reports that the upload may have arrived, with the checksum to look for", async () => {
    const rule = { method: "POST", at: "after-commit" } as const;
    const result = await interrupted(
      ["extensions", "upload", "ready.zip", "--name", "blocker"],
      rule,
      "SIGINT",
    );
    expect(result).toMatchObject({ exitCode: 130, out: "" });
    expect(result.err).toContain('error: Uploading the extension "blocker"');
    expect(result.err).toContain(`checksum ${emulator.extensions.list()[0]?.checksum}`);
  });
});
