import { errorOf } from "../../support/error-of.js";
import { PlayedProgram } from "../played-program.js";

const token = "ops_correct horse battery";
const badToken = "correct horse stapler";
const vault = { name: "vault", token };

describe("a credential provider", () => {
  let program: PlayedProgram;

  beforeEach(async () => {
    program = await PlayedProgram.start("CredentialProvider");
  });

  const live = () => program.emulator.credentialProviders.list().find(({ id }) => id === program.stored.id);
  const paths = () =>
    program.emulator.requests.flatMap(({ method, path }) =>
      method === "GET" ? [] : [`${method} ${path.replace(program.stored.id, "<id>")}`],
    );

  test("a credential provider has the declared settings, and differing settings are changed in place", async () => {
    const id = "/org/credential_providers/<id>";
    await program.up({ ...vault, enabled: false, priority: 3, cacheTtlSeconds: 60 });
    expect(live()).toMatchObject({ ...vault, enabled: false, priority: 3, cacheTtlSeconds: 60 });
    expect(await program.up({ ...vault, token: "ops_two", priority: 3 })).toBe("update");
    expect(live()).toMatchObject({ token: "ops_two", enabled: true, priority: 3, cacheTtlSeconds: 300 });
    expect(await program.up({ ...vault, token: "ops_two" })).toBe("update");
    expect(live()).toMatchObject({ priority: 3 });
    expect(await program.up({ ...vault, token: "ops_two" })).toBe("same");
    expect(program.warnings).toEqual([]);
    expect(paths()).toEqual([
      "POST /org/credential_providers",
      `POST ${id}/test`,
      `PATCH ${id}`,
      `PATCH ${id}`,
      `POST ${id}/test`,
    ]);
  });

  test("a token that fails the service's test causes a warning with the service's message", async () => {
    const warning = expect.stringMatching(
      /^The service cannot use the token of credential provider "vault" \(.+\): The token is not a service account token\. Logins then wait for a person\. To test again, run "browser-infra credential-providers test .+"\.$/,
    );
    await program.up({ ...vault, token: badToken });
    expect(program.warnings).toEqual([warning]);
    expect(await program.up({ ...vault, token: badToken, priority: 2 })).toBe("update");
    expect(program.warnings).toEqual([]);
    expect(await program.up(vault)).toBe("update");
    expect(program.warnings).toEqual([]);
    expect(await program.up({ ...vault, token: badToken })).toBe("update");
    expect(program.warnings).toEqual([warning]);
  });

  test("a token that could not be tested causes a warning, and the credential provider exists", async () => {
    const answer = { status: 403, body: { code: "forbidden", message: "not in the plan" } };
    const path = "/org/credential_providers/";
    program.emulator.faults.add({ method: "POST", path, at: "before-commit", action: { answer } });
    await program.up(vault);
    expect(live()).toMatchObject(vault);
    expect(program.warnings).toEqual([
      expect.stringMatching(
        /^The token of credential provider "vault" \(.+\) was not tested: .*not in the plan/,
      ),
    ]);
  });

  test("preview and deployment warn that auth connections contain the old name of a renamed provider", async () => {
    await program.up(vault);
    const { id } = program.stored;
    const warning = expect.stringMatching(
      /^The credential provider "vault" is renamed to "safe"\. Auth connections contain the name: /,
    );
    expect((await program.preview({ ...vault, name: "safe" })).warnings).toEqual([warning]);
    expect(await program.up({ ...vault, name: "safe" })).toBe("update");
    expect(program.warnings).toEqual([warning]);
    expect(live()).toMatchObject({ id, name: "safe" });
  });

  test("a provider disabled outside of the program is drift only if the program declares enabled", async () => {
    await program.up(vault);
    program.emulator.credentialProviders.setEnabled(program.stored.id, false);
    await program.refresh();
    expect(program.messages).toEqual([]);
    expect(await program.up({ ...vault, enabled: true })).toBe("update");
    program.emulator.credentialProviders.setEnabled(program.stored.id, false);
    await program.refresh();
    expect(program.messages).toEqual([
      `Credential provider ${program.stored.id} was changed outside of this program: its enabled.`,
    ]);
    expect(await program.up({ ...vault, enabled: true })).toBe("update");
    expect(live()?.enabled).toBe(true);
  });

  test("a provider whose settings were refused after the creation is completed by the next deployment", async () => {
    program.refuse("PATCH");
    await expect(program.up({ ...vault, enabled: false })).rejects.toThrow("refused");
    expect(live()).toMatchObject({ enabled: true });
    expect(await program.up({ ...vault, enabled: false })).toBe("update");
    expect(live()).toMatchObject({ ...vault, enabled: false });
  });

  test.each(["before-reading", "after-commit"] as const)(
    "a provider whose settings got no response after the creation (%s) is completed by the next deployment",
    async (at) => {
      program.interrupt("PATCH", at);
      await errorOf(program.up({ ...vault, enabled: false, cacheTtlSeconds: 60 }));
      program.emulator.faults.clear();
      expect(await program.up(vault)).toBe("update");
      expect(live()).toMatchObject({ ...vault, enabled: true, cacheTtlSeconds: 300 });
    },
  );

  test("after an interrupted change that the program no longer declares, the provider has the declared token and settings", async () => {
    await program.up(vault);
    program.interrupt("PATCH");
    await errorOf(program.up({ ...vault, token: "ops_two", cacheTtlSeconds: 60, enabled: false }));
    program.emulator.faults.clear();
    await program.up(vault);
    expect(live()).toMatchObject({ token, cacheTtlSeconds: 300, enabled: true });
  });

  test("the token comes from a variable or a setting, and a changed value is updated in place", async () => {
    program.environment.VAULT_TOKEN = token;
    const named = { name: "vault", tokenFromEnv: "VAULT_TOKEN" };
    await program.up(named);
    expect(live()?.token).toBe(token);
    expect(await program.up(named)).toBe("same");
    program.environment.VAULT_TOKEN = "ops_two";
    expect(await program.up(named)).toBe("update");
    expect(live()?.token).toBe("ops_two");
    program.environment.PULUMI_CONFIG = JSON.stringify({ vaultToken: token });
    expect(await program.up({ name: "vault", tokenFromConfig: "pulumi-nodejs:vaultToken" })).toBe("update");
    expect(live()?.token).toBe(token);
    expect(JSON.stringify(program.stored)).not.toMatch(/horse|ops_/);
  });

  test("a credential provider is imported without its token, and the next deployment sends the token", async () => {
    const { id } = program.emulator.credentialProviders.create({ ...vault, token: "ops_old", priority: 4 });
    await program.import(id);
    expect(program.warnings).toEqual([
      `The service does not show the token of credential provider "vault" (${id}). The first "pulumi up" sends the token that the program declares.`,
    ]);
    expect(program.stored.inputs).toMatchObject({ name: "vault", enabled: true, priority: 4 });
    expect(await program.up({ ...vault, enabled: true, priority: 4 })).toBe("update");
    expect(live()).toMatchObject({ id, ...vault, priority: 4 });
  });

  test("the token appears in no message and in no file", async () => {
    program.refuse("PATCH");
    await program.up(vault);
    await expect(program.up({ ...vault, token: badToken })).rejects.toThrow("refused");
    await program.up({ ...vault, token: badToken });
    program.interrupt("PATCH");
    await errorOf(program.up({ ...vault, token: `${token}!` }));
    expect(`${program.engine.failure} ${program.messages.join()}`).not.toContain("horse");
    expect(program.files).toEqual([]);
  });

  test("every mistake is reported at once, before any request, without the token", async () => {
    const failures = await program.failures({
      name: " vault",
      token: 5,
      cacheTtlSeconds: -1,
      enabled: "yes",
      priority: 1.5,
      provider: "onepassword",
    });
    expect(failures).toEqual([
      expect.stringMatching(/^: A CredentialProvider has no input "provider"/),
      ': The "token" must be a string.',
      'enabled: The "enabled" must be true or false.',
      'name: The "name" must not start or end with whitespace.',
      'cacheTtlSeconds: The "cacheTtlSeconds" must be a whole number of at least 0.',
      'priority: The "priority" must be a whole number.',
    ]);
    expect(await program.failures({})).toEqual([
      'token: A CredentialProvider needs "token", "tokenFromEnv" or "tokenFromConfig".',
    ]);
    expect(await program.failures({ token, tokenFromEnv: "NO_SUCH" })).toEqual([
      'tokenFromEnv: Both "token" and "tokenFromEnv" are given. Give only one.',
    ]);
    expect(program.emulator.requests).toEqual([]);
  });
});
