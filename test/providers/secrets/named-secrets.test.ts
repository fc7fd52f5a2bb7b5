import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { authorityCertificate } from "../../support/certificates.js";
import { PlayedProgram } from "../played-program.js";

const secret = "correct horse battery";
const changed = "correct horse stapler";

/** Every file below a folder, as text. */
function textsIn(folder: string): string {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((path) => join(folder, path));
  return paths
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, "utf8"))
    .join("\n");
}

describe("a secret of a Credential that the program names", () => {
  let program: PlayedProgram;
  const domain = "shop.example";
  const values = { username: "ada" };

  beforeEach(async () => {
    program = await PlayedProgram.start("Credential");
    program.environment.SHOP_PASSWORD = secret;
  });

  const live = () => program.emulator.credentials.list().find(({ id }) => id === program.stored.id);
  const setting = (value: string) => {
    program.environment.PULUMI_CONFIG = JSON.stringify({ shopPin: value });
  };

  test("named secrets come from the environment and the stack, and appear in no state, file or message", async () => {
    setting("73-91-55");
    const totpSecret = "JBSWY3DPEHPK3PXP";
    program.environment.SHOP_TOTP = totpSecret;
    const named = {
      domain,
      values,
      valuesFromEnv: { password: "SHOP_PASSWORD" },
      valuesFromConfig: { pin: "pulumi-nodejs:shopPin" },
      totpSecretFromEnv: "SHOP_TOTP",
      totpDigits: 8,
    };
    await program.up(named);
    expect(live()).toMatchObject({
      fields: { username: "ada", password: secret, pin: "73-91-55" },
      totp: { secret: totpSecret, digits: 8 },
    });
    expect(await program.up(named)).toBe("same");
    await program.refresh();
    expect(program.messages).toEqual([]);
    expect(await program.up(named)).toBe("same");
    program.environment.SHOP_PASSWORD = changed;
    await program.upKilled(named);
    const written = JSON.stringify(program.stored) + textsIn(program.folder) + program.messages.join();
    expect(written).toContain("SHOP_PASSWORD");
    expect(written).not.toMatch(/horse|73-91|JBSWY/);
  });

  test("a named secret is sent again only when its value changes", async () => {
    const named = { domain, values, valuesFromEnv: { password: "SHOP_PASSWORD" } };
    await program.up(named);
    program.environment.SHOP_PASSWORD = changed;
    expect(await program.up(named)).toBe("update");
    expect(live()?.fields).toEqual({ username: "ada", password: changed });
    expect(await program.up(named)).toBe("same");
    expect(program.writes).toEqual(["POST", "PATCH"]);
  });

  test("a secret whose name leaves the program is removed from the credential, and a lost secret is sent again", async () => {
    const named = { domain, values, valuesFromEnv: { password: "SHOP_PASSWORD" } };
    await program.up(named);
    program.emulator.credentials.setFields(program.stored.id, { username: "ada" });
    await program.refresh();
    expect(program.messages).toEqual([expect.stringContaining("its valuesFromEnv")]);
    expect(await program.up(named)).toBe("update");
    expect(live()?.fields).toEqual({ username: "ada", password: secret });
    expect(await program.up({ domain, values })).toBe("update");
    expect(live()?.fields).toEqual({ username: "ada" });
  });

  test("a named TOTP secret makes one-time codes, and is checked like a declared secret", async () => {
    const named = { domain, values, totpSecretFromEnv: "SHOP_PASSWORD" };
    expect(await program.failures(named)).toEqual([
      expect.stringMatching(
        /^totpSecretFromEnv: The "totpSecret" in the environment variable SHOP_PASSWORD must be base32/,
      ),
    ]);
    program.environment.SHOP_PASSWORD = "JBSWY3DPEHPK3PXP";
    await program.up(named);
    program.environment.SHOP_PASSWORD = "JBSWY3DPEHPK3PXQ";
    expect(await program.up(named)).toBe("update");
    expect(live()?.totp).toMatchObject({ secret: "JBSWY3DPEHPK3PXQ" });
    expect(await program.up({ domain, values })).toBe("update");
    expect(live()?.totp).toBeNull();
  });

  test.each<[string, object, readonly string[]]>([
    [
      "neither form",
      { domain },
      ['values: A Credential needs "values", "valuesFromEnv" or "valuesFromConfig".'],
    ],
    [
      "both forms of one field",
      { domain, values: { password: "x" }, valuesFromEnv: { password: "SHOP_PASSWORD" } },
      [
        'valuesFromEnv.password: Both "values.password" and "valuesFromEnv.password" are given. Give only one.',
      ],
    ],
    [
      "a field from two places",
      {
        domain,
        valuesFromEnv: { password: "SHOP_PASSWORD" },
        valuesFromConfig: { password: "pulumi-nodejs:shopPin" },
      },
      [
        'valuesFromConfig.password: Both "valuesFromEnv.password" and "valuesFromConfig.password" are given. Give only one.',
      ],
    ],
    [
      "a variable that is not set",
      { domain, valuesFromEnv: { password: "NO_SUCH" } },
      [
        'valuesFromEnv.password: The "valuesFromEnv.password" names the environment variable NO_SUCH, which is not set. Set NO_SUCH in the environment in which Pulumi runs.',
      ],
    ],
    [
      "a setting that the stack does not have",
      { domain, valuesFromConfig: { password: "pulumi-nodejs:other" } },
      [
        'valuesFromConfig.password: The "valuesFromConfig.password" names the setting pulumi-nodejs:other, which this stack does not have. Run "pulumi config set --secret pulumi-nodejs:other".',
      ],
    ],
    [
      "a setting of another namespace",
      { domain, valuesFromConfig: { password: "my-project:password" } },
      [expect.stringMatching(/^valuesFromConfig.password: .*must be .*begins with "pulumi-nodejs:"/)],
    ],
    [
      "a key in place of a name",
      { domain, valuesFromEnv: { password: "sk_0123456789abcdef0123" } },
      [expect.stringMatching(/^valuesFromEnv.password: .*must be a name, as a plain string/)],
    ],
    [
      "two forms of the TOTP secret",
      { domain, values, totpSecret: "JBSWY3DPEHPK3PXP", totpSecretFromConfig: "pulumi-nodejs:shopPin" },
      ['totpSecretFromConfig: Both "totpSecret" and "totpSecretFromConfig" are given. Give only one.'],
    ],
  ])(
    "a credential with %s is refused before any request, with the remedy",
    async (_what, inputs, expected) => {
      expect(await program.failures({ ...inputs })).toEqual(expected);
      expect(program.emulator.requests).toEqual([]);
    },
  );
});

describe("a secret of a Proxy that the program names", () => {
  let program: PlayedProgram;
  const own = { host: "proxy.example", port: 3128 };
  const named = { type: "custom", name: "exit", config: { ...own, passwordFromEnv: "PROXY_PASSWORD" } };

  beforeEach(async () => {
    program = await PlayedProgram.start("Proxy");
    program.environment.PROXY_PASSWORD = secret;
  });

  const live = () => program.emulator.proxies.list().find(({ id }) => id === program.stored.id);

  test("a proxy's named secret is sent, and appears in no state, file or message", async () => {
    await program.up(named);
    expect(live()?.config).toMatchObject({ has_password: true, has_ca_bundle: false });
    expect(await program.up(named)).toBe("same");
    await program.refresh();
    expect(program.messages).toEqual([]);
    expect(await program.up(named)).toBe("same");
    const written = JSON.stringify(program.stored) + textsIn(program.folder) + program.messages.join();
    expect(written).toContain("PROXY_PASSWORD");
    expect(written).not.toMatch(/horse/);
  });

  test("a changed or an added named secret replaces the proxy", async () => {
    await program.up(named);
    program.environment.PROXY_PASSWORD = changed;
    expect(await program.up(named)).toBe("replace");
    expect(await program.up(named)).toBe("same");
    program.environment.PULUMI_CONFIG = JSON.stringify({ bundle: authorityCertificate });
    const more = { ...named, config: { ...named.config, caBundleFromConfig: "pulumi-nodejs:bundle" } };
    expect(await program.up(more)).toBe("replace");
    expect(live()?.config).toMatchObject({ has_password: true, has_ca_bundle: true });
  });

  test("a proxy's named secret is redacted in an error of the service", async () => {
    const body = { code: "bad_request", message: `the password ${secret} is bad` };
    const answer = { answer: { status: 400, body } };
    program.emulator.faults.add({ method: "POST", at: "before-commit", action: answer });
    await expect(program.up(named)).rejects.toThrow("the password [redacted] is bad");
  });

  test.each<[string, object, string]>([
    [
      "both forms",
      { ...own, password: "x", passwordFromEnv: "PROXY_PASSWORD" },
      ': Both "config.password" and "config.passwordFromEnv" are given. Give only one.',
    ],
    [
      "a variable that is not set",
      { ...own, caBundleFromEnv: "NO_SUCH" },
      ': The "config.caBundleFromEnv" names the environment variable NO_SUCH, which is not set. Set NO_SUCH in the environment in which Pulumi runs.',
    ],
  ])("a proxy with %s is refused before any request", async (_what, config, expected) => {
    expect(await program.failures({ type: "custom", config })).toEqual([expected]);
    expect(program.emulator.requests).toEqual([]);
  });

  test("a named password is refused for a type of proxy without a password", async () => {
    const config = { passwordFromEnv: "PROXY_PASSWORD" };
    expect(await program.failures({ type: "isp", config })).toEqual([
      expect.stringContaining('"config.passwordFromEnv" does not exist for a proxy of type "isp"'),
    ]);
  });
});
