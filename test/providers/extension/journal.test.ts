import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Emulator, startEmulator } from "../../../src/emulator/index.js";
import { errorOf } from "../../support/error-of.js";
import { ExtensionProgram } from "./extension-program.js";

let emulator: Emulator;
let program: ExtensionProgram;

beforeEach(async () => {
  emulator = await startEmulator();
  program = new ExtensionProgram(emulator);
});

afterEach(() => emulator.close());

const live = () => emulator.extensions.list().map(({ id }) => id);
const uploads = () => emulator.requests.filter(({ method }) => method === "POST").length;
const warnings = () => program.said.filter((text) => text.startsWith("warning: "));

describe.each([
  ["an automatic name", {}],
  ["a fixed name", { name: "reader" }],
])("an extension under %s that was uploaded, but whose state was not written", (_what, news) => {
  test("is reused by the same program", async () => {
    await program.upUnwritten(news);
    const [id = ""] = live();
    expect(await program.up(news)).toBe("created");
    expect(program.stored.id).toBe(id);
    expect(program.said.join()).toContain("reusing it");
    expect(await program.up(news)).toBe("unchanged");
    expect(uploads()).toBe(1);
    expect(existsSync(program.journal)).toBe(false);
  });

  test("is told once with its id and the command that deletes it when it has left the program", async () => {
    await program.upUnwritten(news);
    const [id = ""] = live();
    await program.upWithout();
    expect(warnings()).toEqual([expect.stringContaining(`"browser-infra extensions delete ${id}"`)]);
    await program.upWithout();
    expect(warnings()).toEqual([]);
    expect(live()).toEqual([id]);
    expect(existsSync(program.journal)).toBe(false);
  });
});

describe("an extension that was uploaded, but whose state was not written, when the program declares other content", () => {
  test("is told with its id and the command that deletes it under an automatic name", async () => {
    await program.upUnwritten({});
    const [id = ""] = live();
    program.write("2.0.0");
    expect(await program.up({})).toBe("created");
    expect(warnings()).toEqual([expect.stringContaining(`"browser-infra extensions delete ${id}"`)]);
    expect(new Set(live())).toEqual(new Set([id, program.stored.id]));
  });

  test("makes room for it under a fixed name, and is restored if the upload is refused", async () => {
    const news = { name: "reader" };
    await program.upUnwritten(news);
    const [before] = emulator.extensions.list();
    program.write("2.0.0");
    const refused = { status: 422, body: { code: "refused", message: "not this one" } };
    emulator.faults.add({ method: "POST", at: "before-commit", action: { answer: refused } });
    const { message } = await errorOf(program.up(news));
    expect(message).toContain('The previous version was restored under "reader"');
    expect(emulator.extensions.list()).toMatchObject([{ name: "reader", checksum: before?.checksum }]);

    expect(await program.up(news)).toBe("created");
    expect(program.said.join()).toMatch(/Replacing the extension "reader" .+ with other contents/);
    expect(live()).toEqual([program.stored.id]);
    expect(program.stored.outputs.checksum).not.toBe(before?.checksum);
  });
});

describe("an extension that was replaced, but whose state was not written", () => {
  test("under an automatic name is replaced by the same program with what exists", async () => {
    await program.up({});
    program.write("2.0.0");
    await program.upUnwritten({});
    const [id] = live();
    expect(await program.up({})).toBe("replaced");
    expect(program.stored.id).toBe(id);
    expect(live()).toEqual([id]);
    expect(uploads()).toBe(2);
  });

  test("under a fixed name is replaced by the same program with what exists", async () => {
    await program.up({ name: "reader" });
    program.write("2.0.0");
    await program.upUnwritten({ name: "reader" });
    const [id] = live();
    expect(await program.up({ name: "reader" })).toBe("replaced");
    expect(program.stored.id).toBe(id);
    expect(live()).toEqual([id]);
    expect(await program.up({ name: "reader" })).toBe("unchanged");
    expect(existsSync(program.journal)).toBe(false);
  });

  test("is uploaded again when the program went back, and what replaced it is told", async () => {
    await program.up({});
    program.write("2.0.0");
    await program.upUnwritten({});
    const [id = ""] = live();
    program.write("1.0.0");
    expect(await program.up({})).toBe("replaced");
    expect(warnings()).toEqual([expect.stringContaining(`"browser-infra extensions delete ${id}"`)]);
    expect(new Set(live())).toEqual(new Set([id, program.stored.id]));
  });
});

test("an extension that was deleted, but whose state was not written, is made again if the program declares it", async () => {
  await program.up({});
  const { state } = program;
  await program.destroy();
  program.state = state;
  expect(await program.up({})).toBe("replaced");
  expect(live()).toEqual([program.stored.id]);
  expect(await program.up({})).toBe("unchanged");
});

test("the archive of an extension whose replacement was refused twice is told, and stays, when the resource has left the program", async () => {
  await program.up({ name: "reader" });
  program.write("2.0.0");
  const refused = { status: 422, body: { code: "refused", message: "not this one" } };
  emulator.faults.add({ method: "POST", times: 2, at: "before-commit", action: { answer: refused } });
  const { message } = await errorOf(program.up({ name: "reader" }));
  const [, archive = ""] = /saved in "([^"]+)"/.exec(message) ?? [];
  await program.upWithout();
  expect(warnings()).toEqual([expect.stringContaining(`What it held is saved in "${archive}".`)]);
  await program.upWithout();
  expect(warnings()).toEqual([]);
  expect(archive).toContain(readdirSync(program.journal).find((file) => file.endsWith(".zip")));
});

test("an entry that cannot be read is a warning in a preview, and an error with its path in a deployment", async () => {
  await program.upKilled({ name: "reader" });
  const [file = ""] = readdirSync(program.journal);
  const path = join(program.journal, file);
  const { length } = readFileSync(path);
  writeFileSync(path, "{".repeat(length));
  expect(await program.preview({ name: "reader" })).toEqual([]);
  expect(program.said.join("\n")).toContain(`cannot read "${path}"`);
  expect(await errorOf(program.up({ name: "reader" }))).toMatchObject({
    code: "journal_unreadable",
    message: expect.stringContaining(path),
  });
  expect(uploads()).toBe(1);
});
