import { bridges } from "../provider-process.js";
import { Session } from "./session.js";

describe.each(bridges)("an API key, through the %s bridge,", (bridge) => {
  let session: Session;

  beforeAll(async () => {
    session = await Session.start(bridge);
    await session.reset();
  });

  afterAll(() => session.stop());

  test("is created and rotated without a word of its secret", async () => {
    const created = await session.resource("ApiKey").deploy({ name: "one", triggers: ["1"] });
    await session.nextRun();
    const key = session.resource("ApiKey");
    const inputs = await key.accepted({ name: "two", triggers: ["2"] }, created.inputs);
    expect(await key.diff(created, inputs)).toMatchObject({ changes: "some", replaces: [] });
    const rotated = await key.update(created, inputs);
    expect(rotated.outputs).toMatchObject({ name: "two", previousKeys: [{ id: created.id }] });
    // Plain on the wire: the engine encrypts the secret outputs.
    expect(session.output).not.toContain(String(created.outputs.key));
    expect(JSON.stringify(session.heard())).not.toMatch(/sk_[0-9a-z]{32}/);
  });

  test("keeps the conditions of its policy on every way", async () => {
    const resource = `projects/${session.emulator.defaultProject.id}/*`;
    const statement = { action: "profiles:read", resource, conditions: { source_ip: ["203.0.113.0/24"] } };
    const policy = { statements: [statement], version: 2 };
    const key = session.resource("ApiKey", { name: "scoped" });
    const created = await key.deploy({ name: "scoped", policy });
    const found = session.emulator.apiKeyRecords.list().find(({ id }) => id === created.id);
    expect(found?.policy).toEqual(policy);
    expect(created.outputs.policy).toEqual(policy);
    const read = await key.read(created);
    expect(read).toMatchObject({ inputs: { policy }, outputs: { policy } });
    const inputs = await key.accepted({ name: "scoped", policy }, read?.inputs);
    expect(await key.diff(created, inputs)).toMatchObject({ changes: "none" });
  });
});
