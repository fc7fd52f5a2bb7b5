import { errorOf } from "../../support/error-of.js";
import { PlayedProgram } from "../played-program.js";

const domain = "shop.example";
const totpSecret = "JBSWY3DPEHPK3PXP";

describe("a credential", () => {
  let program: PlayedProgram;

  beforeEach(async () => {
    program = await PlayedProgram.start("Credential");
  });

  const live = () => program.emulator.credentials.list().find(({ id }) => id === program.stored.id);
  /** Number of changing requests so far. */
  const writes = () => program.writes.length;

  test("a credential has the declared values, and only differing values are changed", async () => {
    await program.up({ name: "shop", domain, values: { username: "ada", password: "one" } });
    expect(live()).toMatchObject({ name: "shop", fields: { username: "ada", password: "one" }, totp: null });
    expect(await program.up({ name: "store", domain, values: { username: "ada", pin: "7" } })).toBe("update");
    expect(live()).toMatchObject({ name: "store", fields: { username: "ada", pin: "7" } });
    expect(await program.up({ name: "store", domain, values: { username: "ada", pin: "7" } })).toBe("same");
    expect(writes()).toBe(2);
  });

  test("an undeclared value that a login has stored stays, and is no drift", async () => {
    const values = { password: "one" };
    await program.up({ domain, values });
    program.emulator.credentials.setFields(program.stored.id, { password: "one", username: "ada" });
    await program.refresh();
    expect(program.messages).toEqual([]);
    expect(await program.up({ domain, values: { password: "two" } })).toBe("update");
    expect(live()?.fields).toEqual({ password: "two", username: "ada" });
  });

  test("a value that was lost outside of the program is restored after a refresh", async () => {
    const values = { password: "one", pin: "7" };
    await program.up({ domain, values });
    program.emulator.credentials.setFields(program.stored.id, { pin: "7" });
    await program.refresh();
    expect(program.messages).toEqual([
      `Credential ${program.stored.id} was changed outside of this program: its values.`,
    ]);
    expect(await program.up({ domain, values })).toBe("update");
    expect(live()?.fields).toEqual(values);
  });

  test("a credential makes one-time codes as declared, and no codes once the declaration leaves the program", async () => {
    const values = {};
    await program.up({ domain, values, totpSecret, totpDigits: 8 });
    const made = { secret: totpSecret, algorithm: "SHA1", digits: 8, period: 30 };
    expect(live()?.totp).toEqual(made);
    expect(await program.up({ domain, values, totpSecret, totpDigits: 8, totpPeriod: 60 })).toBe("update");
    expect(live()?.totp).toEqual({ ...made, period: 60 });
    await program.refresh();
    expect(program.messages).toEqual([]);
    expect(await program.up({ domain, values })).toBe("update");
    expect(live()?.totp).toBeNull();
  });

  test("a credential gets the declared identity provider, and loses the provider that leaves the program", async () => {
    await program.up({ domain, values: {}, ssoProvider: "google" });
    expect(live()?.ssoProvider).toBe("google");
    expect(await program.up({ domain, values: {} })).toBe("update");
    expect(live()?.ssoProvider).toBeNull();
  });

  test("a lost change that the program no longer declares leaves the declared values", async () => {
    await program.up({ domain, values: { password: "one" } });
    program.interrupt("PATCH");
    await errorOf(program.up({ domain, values: { password: "two", pin: "7" } }));
    program.emulator.faults.clear();
    await program.up({ domain, values: { password: "one" } });
    expect(live()?.fields).toEqual({ password: "one" });
  });

  test("a credential of a killed deployment is not reused for a changed domain, and the error has the delete command", async () => {
    await program.upKilled({ domain, values: { password: "one" } });
    const { credentials, defaultProject } = program.emulator;
    const [left] = credentials.list(defaultProject.id);
    const error = await errorOf(program.up({ domain: "bank.example", values: { password: "two" } }));
    expect(error).toMatchObject({ code: "name_taken" });
    expect(error.message).toContain(`"browser-infra credentials delete ${left?.id}"`);
    expect(credentials.list(defaultProject.id)).toMatchObject([{ domain, fields: { password: "one" } }]);
  });

  test("the secrets of a credential appear in no message and in no file", async () => {
    const secret = "correct horse battery staple";
    program.refuse("PATCH");
    await program.up({ name: "shop", domain, values: { password: secret }, totpSecret });
    await expect(
      program.up({ name: "shop", domain, values: { password: `${secret}!` }, totpSecret }),
    ).rejects.toThrow("refused");
    program.interrupt("PATCH");
    await errorOf(program.up({ name: "shop", domain, values: { password: `${secret}?` }, totpSecret }));
    expect(`${program.engine.failure} ${program.messages.join()}`).not.toMatch(/horse|JBSWY/);
    expect(program.files).toEqual([]);
  });

  test.each(["a/b", "a\nb"])(
    "the failure for the name %j of a credential mentions no project",
    async (name) => {
      const failures = await program.failures({ name, domain, values: { password: "hunter2" } });
      expect(failures).toEqual([expect.stringMatching(/^name: /)]);
      expect(failures.join()).not.toContain("project");
    },
  );

  test("every mistake in a credential is found at once, before any request, without a value in the failures", async () => {
    const failures = await program.failures({
      name: "a/b",
      domain: "https://shop.example",
      values: { password: 5 },
      totpSecret: "hunter2",
      totpAlgorithm: "MD5",
      totpDigits: "six",
    });
    expect(failures).toEqual([
      ': The "values.password" must be a string.',
      expect.stringMatching(/^totpAlgorithm: /),
      expect.stringMatching(/^totpDigits: /),
      expect.stringMatching(/^name: /),
      expect.stringMatching(/^domain: /),
      expect.stringMatching(/^: The "totpSecret" must be base32/),
    ]);
    expect(failures.join("\n")).not.toContain("hunter2");
    expect(await program.failures({})).toEqual([
      'values: A Credential needs "values", "valuesFromEnv" or "valuesFromConfig".',
      'domain: A Credential needs "domain".',
    ]);
    const outside = { domain, values: {}, totpSecret, totpDigits: 5, totpPeriod: 301 };
    expect(await program.failures(outside)).toEqual([
      'totpDigits: The "totpDigits" must be a whole number from 6 to 9.',
      'totpPeriod: The "totpPeriod" must be a whole number from 15 to 300.',
    ]);
    expect(await program.failures({ domain, values: {}, totpDigits: 8 })).toEqual([
      'totpDigits: The "totpDigits" can only be given together with "totpSecret"; add "totpSecret", or remove this setting.',
    ]);
    expect(program.emulator.requests).toEqual([]);
  });
});
