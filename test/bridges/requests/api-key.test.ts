import { own } from "../played-resource.js";
import { bridges } from "../provider-process.js";
import { apiKey, Session } from "./session.js";

describe.each(bridges)("an API key, through the %s bridge,", (bridge) => {
  let session: Session;

  beforeAll(async () => {
    session = await Session.start(bridge);
  });

  afterAll(() => session.stop());

  beforeEach(async () => {
    await session.reset();
  });

  const live = (name: string) =>
    session.emulator.apiKeyRecords
      .list()
      .filter((key) => key.name === name && key.deletedAt === null)
      .map(({ id }) => id);

  test("is created, stays, is renamed, rotated and deleted with its old key", async () => {
    const created = await session.resource("ApiKey").deploy({ name: "one", triggers: ["1"] });
    expect(created.outputs).toMatchObject({ name: "one", keyId: created.id });
    expect(live("one")).toEqual([created.id]);

    await session.nextRun();
    const again = session.resource("ApiKey");
    const same = await again.accepted({ name: "one", triggers: ["1"] }, created.inputs);
    expect(await again.diff(created, same)).toMatchObject({ changes: "none" });

    await session.nextRun();
    const changing = session.resource("ApiKey");
    const inputs = await changing.accepted({ name: "two", triggers: ["2"] }, created.inputs);
    expect(await changing.diff(created, inputs)).toMatchObject({ changes: "some", replaces: [] });
    const rotated = await changing.update(created, inputs);
    expect(rotated.outputs).toMatchObject({ name: "two", previousKeys: [{ id: created.id }] });
    expect(live("two")).toHaveLength(2);

    await session.nextRun();
    const read = await session.resource("ApiKey").read(rotated);
    expect(own(read?.outputs ?? {})).toEqual(own(rotated.outputs));
    await session.resource("ApiKey").delete(rotated);
    expect(live("two")).toEqual([]);
    // Plain on this wire: the engine knows which outputs are secret, and encrypts them.
    expect(session.output).not.toContain(String(created.outputs.key));
    expect(JSON.stringify(session.heard())).not.toMatch(/sk_[0-9a-z]{32}/);
  });

  test("refuses a secret in place of a name without repeating it", async () => {
    const { inputs, failures } = await session.resource("ApiKey").check({ name: apiKey });
    expect(failures).toEqual([
      { property: "", reason: expect.stringContaining("is a secret key (not shown here)") },
    ]);
    expect(JSON.stringify([inputs, failures])).not.toContain(apiKey);
  });

  test("refuses in a preview a project that does not exist", async () => {
    const refusals = await session.resource("ApiKey").previewRefusals({ projectId: "none" });
    expect(refusals).toEqual([expect.stringContaining("ot found")]);
    const { writes } = session;
    expect(await session.resource("ApiKey").previewRefusals({})).toEqual([]);
    expect(session.writes).toBe(writes);
  });
});
