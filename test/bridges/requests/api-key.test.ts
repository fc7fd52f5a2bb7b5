import { bridges } from "../provider-process.js";
import { Session } from "./session.js";

describe.each(bridges)("an API key through the %s bridge", (bridge) => {
  let session: Session;

  beforeAll(async () => {
    session = await Session.start(bridge);
    await session.reset();
  });

  afterAll(() => session.stop());

  test("an API key is created and rotated without its secret in any printed output or message", async () => {
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
});
