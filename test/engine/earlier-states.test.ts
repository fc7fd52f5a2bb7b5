import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Emulator, startEmulator } from "../../src/emulator/index.js";
import { Stack } from "./stack.js";

/**
 * States that the real engine wrote with earlier versions of this package, and ids of what they
 * name. To record one, check that version out, copy this file into it and run it with
 * RECORD_STATE_TO set to the path of the new file.
 */
interface RecordedState {
  readonly keyId: string;
  readonly connectionId: string;
  /** What "pulumi stack export" printed. */
  readonly deployment: unknown;
}

const recordings = join(__dirname, "earlier-states");
const recordTo = process.env.RECORD_STATE_TO;

describe("a state of an earlier version, with the real engine", () => {
  let emulator: Emulator;
  let stack: Stack;

  beforeEach(async () => {
    emulator = await startEmulator({ port: 0, speed: 20 });
    stack = await Stack.create({
      BROWSER_INFRA_BASE_URL: emulator.url,
      BROWSER_INFRA_API_KEY: emulator.apiKeys[0],
    });
  });

  afterEach(async () => {
    stack.remove();
    await emulator.close();
  });

  /** A program with every kind of resource, and what can be told of each. */
  function declare({ keyId, connectionId }: Pick<RecordedState, "keyId" | "connectionId">): void {
    for (const name of ["reader", "viewer"]) {
      stack.write(
        `${name}/manifest.json`,
        JSON.stringify({
          manifest_version: 3,
          name,
          version: "1.2.3",
          background: { service_worker: "worker.js" },
        }),
      );
      stack.write(`${name}/worker.js`, "self.addEventListener('message', console.log);\n".repeat(300));
      stack.write(`${name}/pages/help.html`, `<title>${name}</title>\n`.repeat(50));
      stack.write(`${name}/tests/worker.test.js`, "test('nothing', () => {});\n");
    }
    stack.write(
      "index.js",
      `const { ApiKeyName, Extension, LoginFlow } = require("pulumi-browser-infra");
       const login = new LoginFlow("login", { connectionId: "${connectionId}", triggers: ["1"] });
       const reader = new Extension("reader", { path: "./reader", exclude: ["tests"] });
       new Extension("viewer", { path: "./viewer", name: "viewer" }, { dependsOn: login });
       new ApiKeyName("ci", { keyId: "${keyId}", name: "ci-pipeline" });
       exports.checksum = reader.checksum;
       exports.status = login.flowStatus;`,
    );
  }

  /** Plays the person who logs in. */
  async function logIn(connectionId: string): Promise<void> {
    const answers = [{ username: "ada", password: "any" }];
    for (;;) {
      const { login } = emulator.authConnections.get(connectionId);
      if (login !== null && login.status !== "IN_PROGRESS") {
        return;
      }
      const [answer] = answers;
      if (login?.step === "AWAITING_INPUT" && login.form.fields.length > 0 && answer !== undefined) {
        emulator.authConnections.submit(connectionId, answer);
        answers.shift();
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  async function open(recording: string): Promise<void> {
    const recorded: RecordedState = JSON.parse(readFileSync(join(recordings, recording), "utf8"));
    declare(recorded);
    stack.write("state.json", JSON.stringify(recorded.deployment));
    await stack.succeed("stack", "import", "--file", "state.json");
  }

  if (recordTo !== undefined) {
    test("is recorded", async () => {
      const keyId = emulator.createApiKey({ name: "before" }).id;
      const { id: connectionId } = emulator.authConnections.create({
        domain: "shop.example",
        profileName: "shop",
        scenario: "password",
      });
      declare({ keyId, connectionId });
      emulator.authConnections.startLogin(connectionId);
      await Promise.all([stack.up(), logIn(connectionId)]);
      const deployment: unknown = JSON.parse(await stack.succeed("stack", "export"));
      const recorded: RecordedState = { keyId, connectionId, deployment };
      writeFileSync(recordTo, `${JSON.stringify(recorded, null, 2)}\n`);
      expect(existsSync(recordTo)).toBe(true);
    });
    return;
  }

  test("of archive format 1 previews new checksums, no changed file and nothing else", async () => {
    await open("archive-format-1.json");
    const { exitCode, output } = await stack.preview();
    expect([exitCode, output]).toEqual([0, expect.stringContaining("+-2 to replace")]);
    expect(output).toContain("3 unchanged");
    expect(output.match(/~ checksum +: "[0-9a-f]{64}" => "[0-9a-f]{64}"/g)).toHaveLength(2);
    expect(output).not.toMatch(/worker\.js|help\.html|manifest|fileCount|ApiKeyName|LoginFlow/);
    expect(emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  });

  test("of archive format 2 previews no change at all", async () => {
    await open("archive-format-2.json");
    const { exitCode, output } = await stack.preview("--expect-no-changes");
    expect([exitCode, output]).toEqual([0, expect.stringContaining("5 unchanged")]);
    expect(emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  });
});
