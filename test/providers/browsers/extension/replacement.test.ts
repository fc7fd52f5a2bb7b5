import { shortenWaits } from "../../../contract/rows/shorter-waits.js";
import { errorOf } from "../../../support/error-of.js";
import { ExtensionProgram } from "./extensions.js";

const news = { name: "reader" };

describe("an extension that is replaced under a fixed name", () => {
  let program: ExtensionProgram;
  let first: { readonly id: string; readonly checksum: unknown; readonly bytes: Uint8Array };

  beforeEach(async () => {
    program = await ExtensionProgram.start();
    await program.up(news);
    const { id, inputs } = program.stored;
    first = { id, checksum: inputs.checksum, bytes: await program.download("reader") };
    program.writeVersion("2.0.0");
  });

  const list = () => program.emulator.extensions.list();

  test.each([400, 403, 409, 413, 422])(
    "the old extension is restored unchanged when the service refuses the replacement with %d",
    async (status) => {
      program.refuse("POST", status);
      expect((await errorOf(program.up(news))).message).toContain('restored under "reader"');
      expect(await program.download("reader")).toEqual(first.bytes);
      expect(list()).toMatchObject([{ id: program.stored.id, checksum: first.checksum }]);
      expect((await program.preview(news)).steps).toEqual(["replace agents"]);
      program.writeVersion("1.0.0");
      expect(await program.up(news)).toBe("update");
      expect(await program.up(news)).toBe("same");
    },
  );

  test("the old extension is restored under the old name when the upload under a new name fails", async () => {
    program.refuse("POST", 400);
    expect((await errorOf(program.up({ name: "viewer" }))).message).toContain('restored under "reader"');
    expect(list()).toMatchObject([{ name: "reader", checksum: first.checksum }]);
  });

  test.each([
    [
      "do not match the checksum that the service has on record",
      { status: 200, body: "half an archive", headers: { "content-type": "application/octet-stream" } },
    ],
    ["was not deleted", { status: 403, body: { code: "forbidden", message: "no" } }],
  ])("the old extension is not deleted if its bytes cannot be saved first: %s", async (said, answer) => {
    const rule = { method: "GET", path: new RegExp(`^/extensions/${first.id}$`) } as const;
    program.emulator.faults.add({ ...rule, at: "before-commit", action: { answer } });
    expect((await errorOf(program.up(news))).message).toContain(said);
    expect(program.live()).toEqual([first.id]);
  });

  describe("with a list that still has the old extension", () => {
    shortenWaits();

    /** After the deletion, the next lists still have the old extension. */
    function listStale(times: number): void {
      const { id, checksum } = first;
      const body = [{ id, name: "reader", checksum, size_bytes: 1, created_at: "2026-01-01T00:00:00Z" }];
      const look = { method: "GET", path: "/extensions", times, at: "before-commit" } as const;
      const stale = () => {
        program.emulator.faults.add({ ...look, action: { answer: { status: 200, body } } });
      };
      program.emulator.faults.add({ method: "DELETE", at: "after-commit", action: { call: stale } });
    }

    test("an extension is replaced although the service still lists the old extension for 9.5 s", async () => {
      listStale(19);
      await program.up(news);
      expect(list()).toMatchObject([{ id: program.stored.id, checksum: program.stored.inputs.checksum }]);
    });

    test("the old extension is restored if the service still lists the old extension after 10 s", async () => {
      listStale(20);
      const { message } = await errorOf(program.up(news));
      expect(message).toMatch(/The name "reader" is taken .+ The previous version was restored/);
      expect(list()).toMatchObject([{ checksum: first.checksum }]);
    });
  });

  describe("with an upload that may still arrive", () => {
    shortenWaits();

    test("the old extension is not restored while the new upload may still arrive, and the next deployment uploads again", async () => {
      program.emulator.faults.add({ method: "POST", at: "before-reading", action: "reset" });
      expect(await errorOf(program.up(news))).toMatchObject({ code: "outcome_unknown" });
      expect(list()).toEqual([]);
      expect(program.messages.join()).not.toContain("restored");
      expect(await program.up(news)).toBe("replace");
      const { id, inputs } = program.stored;
      expect(inputs.checksum).not.toBe(first.checksum);
      expect(list()).toMatchObject([{ id, name: "reader", checksum: inputs.checksum }]);
    });
  });
});
