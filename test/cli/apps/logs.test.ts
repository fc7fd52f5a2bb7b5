import { BrowserInfraClient } from "../../../src/client/index.js";
import { appZip } from "../../emulator/apps/app-code.js";
import { useEmulator } from "../../support/emulator.js";
import { play } from "../played-terminal.js";

describe("browser-infra apps logs", () => {
  const emulator = useEmulator({ speed: 1000 });

  /** Deploys an app with a build, and returns the id. */
  async function deployed(build: { readonly fail?: string; readonly log?: string[] } = {}): Promise<string> {
    emulator.deployments.nextBuild(build);
    const client = new BrowserInfraClient({ baseUrl: emulator.url, apiKey: emulator.apiKeys[0] ?? "" });
    const { id } = await client.deployments.create({ archive: appZip(), entrypoint: "src/app.ts" });
    await client.close();
    return id;
  }

  test("the log of a build is printed until the app runs, without control characters", async () => {
    const id = await deployed({ log: ["installing", "\u001b[31mred"] });
    const { exitCode, out, err } = await play(emulator, ["apps", "logs", id]);
    expect([exitCode, err]).toEqual([0, expect.stringContaining("The deployment is running.")]);
    expect(out).toMatch(/^installing\n.*red\n$/);
    expect(out).not.toContain("\u001b");
    const json = await play(emulator, ["apps", "logs", id, "--json"]);
    const events = json.out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).event);
    expect(events).toContain("app_version_summary");
  });

  test("a failed build ends with exit code 1 and the reason", async () => {
    const id = await deployed({ fail: "no module x" });
    const { exitCode, err } = await play(emulator, ["apps", "logs", id]);
    expect([exitCode, err]).toEqual([1, expect.stringContaining("The build failed: no module x.")]);
  });

  test("with --follow, the lines of the running app follow until the app stops, and --since leaves out older lines", async () => {
    const id = await deployed({ log: ["installing"] });
    await play(emulator, ["apps", "logs", id]);
    emulator.clock.advance(600_000);
    emulator.deployments.log(id, "browsing");
    emulator.deployments.stop(id, "by hand");
    const { exitCode, out } = await play(emulator, ["apps", "logs", id, "--follow", "--since", "5m"]);
    expect([exitCode, out]).toEqual([0, "browsing\n"]);
  });

  test("a deployment that does not exist ends with exit code 3", async () => {
    const { exitCode, err } = await play(emulator, ["apps", "logs", "none"]);
    expect([exitCode, err]).toEqual([3, expect.stringContaining("not_found")]);
  });
});
