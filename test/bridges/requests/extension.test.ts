import { own } from "../played-resource.js";
import { bridges } from "../provider-process.js";
import { apiKey, failureOf, Session } from "./session.js";

const news = { path: "./extension" };

describe.each(bridges)("an extension, through the %s bridge,", (bridge) => {
  let session: Session;

  beforeAll(async () => {
    session = await Session.start(bridge);
  });

  afterAll(() => session.stop());

  beforeEach(() => session.reset());

  test("refuses bad inputs at the input at fault, and sends nothing", async () => {
    const before = session.emulator.requests.length;
    const reader = session.resource("Extension");
    for (const [bad, property] of [
      [{ path: "./nowhere" }, "path"],
      [{ path: "./extension", nmae: "a" }, ""],
      [{ path: "./extension", exclude: "*.map" }, "exclude"],
    ] as const) {
      const { failures } = await reader.check(bad);
      expect(failures.map((failure) => failure.property)).toEqual([property]);
    }
    expect(session.emulator.requests).toHaveLength(before);
  });

  test("keeps what exists in the state when it is not as declared, with the reasons", async () => {
    const fixed = { ...news, name: "reader" };
    const old = await session.resource("Extension").deploy(fixed);
    await session.nextRun();
    session.write("popup.js", "// new\n");
    const reader = session.resource("Extension");
    const inputs = await reader.accepted(fixed, old.inputs);
    await reader.diff(old, inputs);
    const toCreate = await reader.accepted(fixed);
    await reader.delete(old);
    session.refuse("POST", 400);
    const { initFailed } = await failureOf(reader.create(toCreate));
    const [restored] = session.emulator.extensions.list();
    expect(initFailed).toMatchObject({
      id: restored?.id,
      properties: { checksum: old.outputs.checksum, unfinished: { reason: expect.stringContaining("400") } },
      reasons: [expect.stringContaining('The previous version was restored under "reader"')],
    });

    await session.nextRun();
    const { id = "", properties = {} } = initFailed ?? {};
    const half = { id, inputs, outputs: properties };
    const next = session.resource("Extension");
    expect(await next.diff(half, await next.accepted(fixed, inputs))).toMatchObject({
      replaces: ["checksum"],
    });
    await next.delete(half);
    expect(session.emulator.extensions.list()).toEqual([]);
  });

  test("updates in place what needs no new upload", async () => {
    const old = await session.resource("Extension").deploy(news);
    await session.nextRun();
    const before = session.writes;
    const reader = session.resource("Extension");
    const inputs = await reader.accepted({ ...news, exclude: ["docs/**"] }, old.inputs);
    const updated = await reader.update(old, inputs);
    expect(own(updated.outputs)).toMatchObject({ exclude: ["docs/**"], createdAt: old.outputs.createdAt });
    expect(session.writes).toBe(before);
  });

  test("reports one that is gone, with a warning on its row", async () => {
    const reader = session.resource("Extension");
    const created = await reader.deploy(news);
    session.emulator.extensions.remove(created.id);
    session.heard();
    expect(await reader.read(created)).toBeUndefined();
    expect(session.heard()).toEqual([
      {
        urn: reader.urn,
        message: expect.stringContaining(`Extension ${created.id} is gone`),
        severity: 2,
        ephemeral: false,
      },
    ]);
  });

  test("puts messages on the row of the resource, before the call returns", async () => {
    const first = await session.resource("Extension").deploy({ ...news, name: "reader" });
    await session.nextRun();
    session.heard();
    const viewer = session.resource("Extension", { name: "viewer" });
    const adopted = await viewer.deploy({ ...news, adopt: first.id });
    expect(adopted.id).toBe(first.id);
    const message = `Adopted extension ${first.id} unchanged; nothing was uploaded.`;
    expect(session.heard()).toContainEqual({ urn: viewer.urn, message, severity: 1, ephemeral: false });
  });

  test("refuses in a preview what a deployment would refuse, and changes nothing", async () => {
    const before = session.writes;
    const adopting = { ...news, adopt: "nobody" };
    expect(await session.resource("Extension").previewRefusals(adopting)).toEqual([
      expect.stringContaining('There is no extension "nobody" to adopt'),
    ]);
    expect(await session.resource("Extension").previewRefusals(news)).toEqual([]);
    expect(session.writes).toBe(before);
  });

  test("fails with what the service says, and never with the key", async () => {
    session.refuse("POST", 403);
    const { message } = await failureOf(session.resource("Extension").deploy(news));
    expect(message).toContain("not this one");
    expect(message + session.output).not.toContain(apiKey);
  });

  test("ends an upload at the limit in customTimeouts, and says so", async () => {
    session.emulator.faults.add({ method: "POST", at: "before-reading", action: "hang" });
    const reader = session.resource("Extension", { timeouts: { create: 0.2 } });
    const { message } = await failureOf(reader.deploy(news));
    expect(message).toContain('The time limit of 0.2s in "customTimeouts" has passed.');
  });
});
