import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { errorOf } from "../../support/error-of.js";
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
    "is restored as it was when its replacement is refused with %d",
    async (status) => {
      program.refuse("POST", status);
      expect((await errorOf(program.up(news))).message).toContain('restored under "reader"');
      expect(await program.download("reader")).toEqual(first.bytes);
      expect(list()).toMatchObject([{ id: program.stored.id, checksum: first.checksum }]);
      expect((await program.preview(news)).steps).toEqual(["replace agents"]);
      program.writeVersion("1.0.0");
      expect(await program.up(news)).toBe("update");
      expect(await program.up(news)).toBe("same");
      expect(program.journal).toEqual([]);
    },
  );

  test("has its bytes saved when it cannot be restored either, until they are no longer needed", async () => {
    program.refuse("POST", 400, 2);
    const { message } = await errorOf(program.up(news));
    const [, file = ""] = /saved in "([^"]+)"/.exec(message) ?? [];
    const saved = join(program.folder, file);
    expect(readFileSync(saved)).toEqual(Buffer.from(first.bytes));
    expect(statSync(saved).mode & 0o777).toBe(0o600);
    expect(message).toContain(`npx browser-infra extensions upload "${file}" --name "reader"`);
    expect(message).not.toContain(program.emulator.apiKeys[0]);
    await program.up(news);
    expect(list()).toMatchObject([{ checksum: program.stored.inputs.checksum }]);
    expect(await program.up(news)).toBe("same");
    expect(program.journal).toEqual([]);
  });

  test("keeps its bytes in a file that a warning names when the resource has left the program after that", async () => {
    program.refuse("POST", 422, 2);
    const { message } = await errorOf(program.up(news));
    const [, archive = ""] = /saved in "([^"]+)"/.exec(message) ?? [];
    program.forget();
    await program.upWithout();
    expect(program.warnings).toEqual([expect.stringContaining(`What it held is saved in "${archive}".`)]);
    await program.upWithout();
    expect(program.warnings).toEqual([]);
    expect(program.journal.filter((file) => file.endsWith(".zip"))).toEqual([join(program.folder, archive)]);
  });

  test("has its bytes saved after a kill also when another target is deployed before its replacement", async () => {
    await program.upKilled(news);
    expect(list()).toEqual([]);
    await program.upOther();
    program.refuse("POST", 400);
    expect((await errorOf(program.up(news))).message).toContain('restored under "reader"');
    expect(list()).toMatchObject([{ checksum: first.checksum }]);
  });

  test("is restored under its old name when the upload under a new one fails", async () => {
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
  ])("is not deleted to make room when its bytes cannot be saved first: %s", async (said, answer) => {
    const rule = { method: "GET", path: new RegExp(`^/extensions/${first.id}$`) } as const;
    program.emulator.faults.add({ ...rule, at: "before-commit", action: { answer } });
    expect((await errorOf(program.up(news))).message).toContain(said);
    expect(program.live()).toEqual([first.id]);
  });

  test("is replaced although the service still lists the old one for a moment", async () => {
    const body = [
      {
        id: first.id,
        name: "reader",
        checksum: first.checksum,
        size_bytes: 1,
        created_at: "2026-01-01T00:00:00Z",
      },
    ];
    const look = { method: "GET", path: "/extensions", times: 2, at: "before-commit" } as const;
    const stale = () => {
      program.emulator.faults.add({ ...look, action: { answer: { status: 200, body } } });
    };
    program.emulator.faults.add({ method: "DELETE", at: "after-commit", action: { call: stale } });
    await program.up(news);
    expect(list()).toMatchObject([{ id: program.stored.id, checksum: program.stored.inputs.checksum }]);
  });
});

describe("an extension that was uploaded, but whose state was not written, when the program declares other content", () => {
  let program: ExtensionProgram;

  beforeEach(async () => {
    program = await ExtensionProgram.start();
  });

  test("is named with its id and the command that deletes it under an automatic name", async () => {
    await program.upUnwritten({});
    const [id = ""] = program.live();
    program.writeVersion("2.0.0");
    expect(await program.up({})).toBe("create");
    expect(program.warnings).toEqual([expect.stringContaining(`"browser-infra extensions delete ${id}"`)]);
    expect(new Set(program.live())).toEqual(new Set([id, program.stored.id]));
  });

  test("is named also when it replaced another one, and the program went back", async () => {
    await program.up({});
    program.writeVersion("2.0.0");
    await program.upUnwritten({});
    const [id = ""] = program.live();
    program.writeVersion("1.0.0");
    expect(await program.up({})).toBe("replace");
    expect(program.warnings).toEqual([expect.stringContaining(`"browser-infra extensions delete ${id}"`)]);
    expect(new Set(program.live())).toEqual(new Set([id, program.stored.id]));
  });

  test("makes room for it under a fixed name, and is restored if the upload is refused", async () => {
    await program.upUnwritten(news);
    const [before] = program.emulator.extensions.list();
    program.writeVersion("2.0.0");
    program.refuse("POST", 422);
    expect((await errorOf(program.up(news))).message).toContain(
      'The previous version was restored under "reader"',
    );
    expect(program.emulator.extensions.list()).toMatchObject([
      { name: "reader", checksum: before?.checksum },
    ]);
    program.forget();
    await program.up(news);
    expect(program.live()).toEqual([program.stored.id]);
    expect(program.stored.outputs.checksum).not.toBe(before?.checksum);
  });
});
