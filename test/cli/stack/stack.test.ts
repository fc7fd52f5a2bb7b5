import { chmodSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { useEmulator } from "../../support/emulator.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { play } from "../played-terminal.js";

describe("--stack", () => {
  const emulator = useEmulator();
  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder();
  });

  /** Puts a program in the place of the Pulumi CLI; `body` is JavaScript. */
  function pulumi(body: string): Record<string, string | undefined> {
    const file = join(folder, "pulumi");
    writeFileSync(file, `#!${process.execPath}\n${body}`);
    chmodSync(file, 0o755);
    return { PATH: `${folder}${delimiter}${process.env.PATH}` };
  }

  const printing = (settings: object) =>
    pulumi(`if (process.argv.slice(2).join(" ") !== "config --json --show-secrets --non-interactive --stack=dev") {
      throw new Error(process.argv.join(" "));
    }
    process.stdout.write(${JSON.stringify(JSON.stringify(settings))});`);

  test("--stack prefers the settings of the stack, and takes missing settings from the environment", async () => {
    const env = printing({
      "browser-infra:apiKey": { value: emulator.apiKeys[0], secret: true },
      "other:setting": { objectValue: { a: 1 }, value: '{"a":1}' },
    });
    const wrong = { BROWSER_INFRA_API_KEY: "sk_of_the_environment" };
    const args = ["whoami", "--stack", "dev", "--json"];
    const { exitCode, out, err } = await play(emulator, args, { env: { ...env, ...wrong } });
    expect([exitCode, err]).toEqual([0, ""]);
    expect(JSON.parse(out)).toMatchObject({
      accepted: true,
      origins: {
        apiKey: "stack configuration browser-infra:apiKey",
        baseUrl: "environment variable BROWSER_INFRA_BASE_URL",
      },
    });
    const without = await play(emulator, ["whoami"], { env: { ...env, ...wrong } });
    expect(without.exitCode).toBe(1);
  });

  test("--stack reports an invalid setting of the stack with the command that fixes the setting", async () => {
    const env = printing({ "browser-infra:baseUrl": { value: "ftp://a", secret: false } });
    const { exitCode, err } = await play(emulator, ["projects", "list", "--stack", "dev"], { env });
    expect(exitCode).toBe(2);
    expect(err).toContain(
      "from stack configuration browser-infra:baseUrl is not an absolute http or https address",
    );
    expect(err).toContain('Run "pulumi config set browser-infra:baseUrl <url>"');
  });

  test.each([
    [
      "refuses",
      "process.stderr.write(\"error: no stack named 'dev' found\\n\"); process.exitCode = 255;",
      "error: Reading the configuration of the stack \"dev\" failed. Pulumi says: no stack named 'dev' found. Run this in the folder of the program.",
    ],
    [
      "shows a passphrase",
      'process.stderr.write("error: " + process.env.PULUMI_CONFIG_PASSPHRASE + " is wrong"); process.exitCode = 255;',
      "Pulumi says: [redacted] is wrong. Run",
    ],
    ["prints no JSON", 'process.stdout.write("KEY  VALUE");', "Pulumi says: It printed no JSON."],
  ])("--stack fails with Pulumi's own words if the CLI %s, and sends nothing", async (_what, body, text) => {
    const { exitCode, out, err } = await play(emulator, ["projects", "list", "--stack", "dev"], {
      env: { ...pulumi(body), PULUMI_CONFIG_PASSPHRASE: "of the stack" },
    });
    expect([exitCode, out, emulator.requests.length]).toEqual([1, "", 0]);
    expect(err).toContain(text);
    expect(err).toContain(
      "Or run the command without --stack, with the environment variables listed by --help.",
    );
  });

  test("--stack without the Pulumi CLI fails with an error that names the CLI", async () => {
    const env = { PATH: folder };
    const { exitCode, err } = await play(emulator, ["projects", "list", "--stack", "dev"], { env });
    expect(exitCode).toBe(1);
    expect(err).toContain('--stack needs the Pulumi CLI, and PATH has no program "pulumi".');
  });
});
