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

  test("has the declared settings, and is changed in place by the differing settings", async () => {
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

  test("exists with a token that fails the service's test, which is a warning with the service's words", async () => {
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

  test("exists although its test failed without an answer, which is a warning", async () => {
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

  test("warns in the preview and in the deployment of a rename that connections hold the name", async () => {
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

  test("that was disabled outside is drift only where the program declares whether it is enabled", async () => {
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

  test("whose settings after the creation were refused is unfinished, and is completed by the next deployment", async () => {
    program.refuse("PATCH");
    await expect(program.up({ ...vault, enabled: false })).rejects.toThrow("refused");
    expect(live()).toMatchObject({ enabled: true });
    expect(await program.up({ ...vault, enabled: false })).toBe("update");
    expect(live()).toMatchObject({ ...vault, enabled: false });
  });

  test.each(["before-reading", "after-commit"] as const)(
    "whose settings after the creation got no answer (%s) is completed by the next deployment",
    async (at) => {
      program.interrupt("PATCH", at);
      await errorOf(program.up({ ...vault, enabled: false, cacheTtlSeconds: 60 }));
      program.emulator.faults.clear();
      expect(await program.up(vault)).toBe("update");
      expect(live()).toMatchObject({ ...vault, enabled: true, cacheTtlSeconds: 300 });
    },
  );

  test("with an interrupted change that the program has taken back has the declared token and settings", async () => {
    await program.up(vault);
    program.interrupt("PATCH");
    await errorOf(program.up({ ...vault, token: "ops_two", cacheTtlSeconds: 60, enabled: false }));
    program.emulator.faults.clear();
    await program.up(vault);
    expect(live()).toMatchObject({ token, cacheTtlSeconds: 300, enabled: true });
  });

  test("gets the value of a variable or a setting as its token, and a changed value in place", async () => {
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

  test("is imported without the token, which the next deployment sends", async () => {
    const { id } = program.emulator.credentialProviders.create({ ...vault, token: "ops_old", priority: 4 });
    await program.import(id);
    expect(program.warnings).toEqual([
      `The service does not show the token of credential provider "vault" (${id}). The first "pulumi up" sends the token that the program declares.`,
    ]);
    expect(program.stored.inputs).toMatchObject({ name: "vault", enabled: true, priority: 4 });
    expect(await program.up({ ...vault, enabled: true, priority: 4 })).toBe("update");
    expect(live()).toMatchObject({ id, ...vault, priority: 4 });
  });

  test("leaves nothing of its token in a message or beside the program", async () => {
    program.refuse("PATCH");
    await program.up(vault);
    await expect(program.up({ ...vault, token: badToken })).rejects.toThrow("refused");
    await program.up({ ...vault, token: badToken });
    program.interrupt("PATCH");
    await errorOf(program.up({ ...vault, token: `${token}!` }));
    expect(`${program.engine.failure} ${program.messages.join()}`).not.toContain("horse");
    expect(program.files).toEqual([]);
  });

  test("reports every mistake at once, before any request, without the token", async () => {
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
