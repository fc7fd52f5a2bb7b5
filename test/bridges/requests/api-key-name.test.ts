import { own } from "../played-resource.js";
import { bridges } from "../provider-process.js";
import { apiKey, Session } from "./session.js";

describe.each(bridges)("the name of an API key, through the %s bridge,", (bridge) => {
  let session: Session;
  let keyId: string;

  beforeAll(async () => {
    session = await Session.start(bridge);
  });

  afterAll(() => session.stop());

  beforeEach(async () => {
    await session.reset();
    ({ id: keyId } = session.emulator.createApiKey({ name: "before" }));
  });

  const nameOf = (id: string) => session.emulator.apiKeyRecords.list().find((key) => key.id === id)?.name;

  test("gives the name, finds nothing to do, changes it, sees a drift, and restores the old one", async () => {
    const created = await session.resource("ApiKeyName").deploy({ keyId, name: "ci" });
    expect(created).toMatchObject({ id: keyId, outputs: { name: "ci", previousName: "before" } });
    expect(nameOf(keyId)).toBe("ci");

    await session.nextRun();
    const again = session.resource("ApiKeyName");
    const same = await again.accepted({ keyId, name: "ci" }, created.inputs);
    expect(await again.diff(created, same)).toMatchObject({ changes: "none" });

    await session.nextRun();
    const renaming = session.resource("ApiKeyName");
    const inputs = await renaming.accepted({ keyId, name: "ci 2" }, created.inputs);
    expect(await renaming.diff(created, inputs)).toMatchObject({ replaces: [] });
    const updated = await renaming.update(created, inputs);
    expect(updated.outputs).toMatchObject({ name: "ci 2", previousName: "before" });

    await session.nextRun();
    session.emulator.apiKeyRecords.rename(keyId, "drifted");
    expect((await session.resource("ApiKeyName").read(updated))?.inputs).toMatchObject({ name: "drifted" });
    session.emulator.apiKeyRecords.rename(keyId, "ci 2");

    await session.nextRun();
    await session.resource("ApiKeyName").delete(updated);
    expect(nameOf(keyId)).toBe("before");
  });

  test("is replaced when it names another key", async () => {
    const created = await session.resource("ApiKeyName").deploy({ keyId, name: "ci" });
    await session.nextRun();
    const { id: other } = session.emulator.createApiKey({ name: "other" });
    const ci = session.resource("ApiKeyName");
    const inputs = await ci.accepted({ keyId: other, name: "ci" }, created.inputs);
    expect(await ci.diff(created, inputs)).toMatchObject({ replaces: ["keyId"] });
  });

  test("reports a key that is gone", async () => {
    const ci = session.resource("ApiKeyName");
    const created = await ci.deploy({ keyId, name: "ci" });
    session.emulator.apiKeyRecords.remove(keyId);
    expect(await ci.read(created)).toBeUndefined();
  });

  test("refuses in a preview a key that does not exist", async () => {
    const refusals = await session
      .resource("ApiKeyName")
      .previewRefusals({ keyId: "key_nowhere", name: "ci" });
    expect(refusals).toEqual([expect.stringContaining('There is no API key "key_nowhere"')]);
    expect(await session.resource("ApiKeyName").previewRefusals({ keyId, name: "ci" })).toEqual([]);
    expect(nameOf(keyId)).toBe("before");
  });

  test("refuses a secret in place of an id without repeating it", async () => {
    const { inputs, failures } = await session.resource("ApiKeyName").check({ keyId: apiKey, name: "ci" });
    expect(failures).toHaveLength(1);
    expect(JSON.stringify([own(inputs), failures])).not.toContain(apiKey);
  });
});
