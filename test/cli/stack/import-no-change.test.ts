import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ResourceKind } from "../../../src/bridges/kinds.js";
import type { StoredObject } from "../../bridges/played-resource.js";
import { Session } from "../../bridges/requests/session.js";
import { stored } from "../../emulator/calls.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { play } from "../played-terminal.js";

describe("browser-infra import, followed by a program that declares the same settings", () => {
  let session: Session;

  beforeAll(async () => {
    session = await Session.start("dynamic");
  });

  beforeEach(() => session.reset());

  afterAll(() => session.stop());

  /** Resource as `pulumi import` writes it to the state, with the printed arguments. */
  async function imported(group: string, id: string): Promise<StoredObject & { readonly args: object }> {
    const output = join(temporaryFolder(), "import.json");
    const { out } = await play(session.emulator, ["import", group, id, "--output", output]);
    const [resource] = (JSON.parse(readFileSync(output, "utf8")) as { resources: StoredObject[] }).resources;
    const [, args] = /^ {2}new \w+\(".*", (\{.*\})\);$/m.exec(out) ?? [];
    return { ...(resource as StoredObject), args: new Function(`return ${args}`)() as object };
  }

  /** Actions of the next deployment on an imported resource. */
  async function nextUp(kind: ResourceKind, resource: StoredObject, args: object) {
    await session.nextRun();
    const played = session.resource(kind);
    const inputs = await played.accepted({ ...args }, resource.inputs);
    const { changes, replaces } = await played.diff(resource, inputs);
    return { changes, replaces };
  }

  const nothing = { changes: "none", replaces: [] };

  test.each<[string, object, object?]>([
    ["with no settings but its size", {}],
    [
      "with the window that browsers have anyway",
      { viewport: { width: 1920, height: 1080, refreshRate: 25 } },
      {},
    ],
    ["with a window of its own", { viewport: { width: 800, height: 600, refreshRate: 60 } }],
    [
      "with telemetry",
      { telemetry: { enabled: true, browser: { network: true } } },
      { telemetry: { network: true } },
    ],
    ["with a profile by name", { profile: { name: "shopper" } }, { profileName: "shopper" }],
  ])(
    "an imported pool %s is unchanged by a program that declares the same settings",
    async (_what, settings, inputs = settings) => {
      session.emulator.profiles.ensure("shopper");
      const { id } = session.emulator.browserPools.create({ name: "agents", size: 1, ...settings });
      const pool = await imported("pools", id);
      expect(await nextUp("BrowserPool", pool, pool.args)).toEqual(nothing);
      expect(await nextUp("BrowserPool", pool, { size: 1, ...inputs })).toEqual(nothing);
    },
  );

  test("an imported pool with extensions is unchanged by a program that declares the same extensions", async () => {
    const one = await stored(session.emulator, { name: "one" });
    const { id } = session.emulator.browserPools.create({ size: 1, extensions: [{ id: one.id }] });
    const pool = await imported("pools", id);
    expect(await nextUp("BrowserPool", pool, pool.args)).toEqual(nothing);
    expect(await nextUp("BrowserPool", pool, { size: 1, extensionIds: [one.id] })).toEqual(nothing);
  });

  test("an imported project and an imported key name are unchanged by a program that declares the printed arguments", async () => {
    const project = await imported("projects", session.emulator.createProject({ name: "theirs" }).id);
    expect(await nextUp("Project", project, project.args)).toEqual(nothing);
    expect(await nextUp("Project", project, {})).toEqual(nothing);
    const key = await imported("api-keys", session.emulator.createApiKey({ name: "theirs" }).id);
    expect(await nextUp("ApiKeyName", key, key.args)).toEqual(nothing);
  });
});
