import { bridges } from "../provider-process.js";
import { apiKey, failureOf, Session } from "./session.js";

const news = { path: "./extension" };

describe.each(bridges)("an extension through the %s bridge", (bridge) => {
  let session: Session;

  beforeAll(async () => {
    session = await Session.start(bridge);
  });

  afterAll(() => session.stop());

  beforeEach(() => session.reset());

  test("a wrong input of an extension is refused by name, before any request", async () => {
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

  test("an extension that was deleted elsewhere causes a warning on the row of its resource", async () => {
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

  test("a message about an adopted extension appears on the row of its resource, before the call returns", async () => {
    const first = await session.resource("Extension").deploy({ ...news, name: "reader" });
    await session.nextRun();
    session.heard();
    const viewer = session.resource("Extension", { name: "viewer" });
    const adopted = await viewer.deploy({ ...news, adopt: first.id });
    expect(adopted.id).toBe(first.id);
    const message = `Adopted extension ${first.id} unchanged; nothing was uploaded.`;
    expect(session.heard()).toContainEqual({ urn: viewer.urn, message, severity: 1, ephemeral: false });
  });

  test("a preview refuses the adoption that a deployment would refuse, and changes nothing", async () => {
    const before = session.writes;
    const adopting = { ...news, adopt: "nobody" };
    expect(await session.resource("Extension").previewRefusals(adopting)).toEqual([
      expect.stringContaining('There is no extension "nobody" to adopt'),
    ]);
    expect(await session.resource("Extension").previewRefusals(news)).toEqual([]);
    expect(session.writes).toBe(before);
  });

  test("a refused upload fails with the message of the service, and without the key", async () => {
    session.refuse("POST", 403);
    const { message } = await failureOf(session.resource("Extension").deploy(news));
    expect(message).toContain("not this one");
    expect(message + session.output).not.toContain(apiKey);
  });

  test("an upload ends at the limit in customTimeouts, and the error names the limit", async () => {
    session.emulator.faults.add({ method: "POST", at: "before-reading", action: "hang" });
    const reader = session.resource("Extension", { timeouts: { create: 0.2 } });
    const { message } = await failureOf(reader.deploy(news));
    expect(message).toContain('The time limit of 0.2s in "customTimeouts" has passed.');
  });
});
