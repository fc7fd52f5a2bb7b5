import { errorOf } from "../../support/error-of.js";
import { main, PlayedProgram } from "../played-program.js";

describe("the name of an API key", () => {
  let program: PlayedProgram;
  let keyId: string;

  beforeEach(async () => {
    program = await PlayedProgram.start("ApiKeyName");
    keyId = newKey("before");
  });

  const newKey = (name: string) => program.emulator.createApiKey({ name }).id;
  const up = (news: object = {}, options = {}) => program.up({ keyId, name: "ci", ...news }, options);
  const previousName = () => program.stored.outputs.previousName;
  const renameOutside = (name: string) => program.emulator.apiKeyRecords.rename(keyId, name);

  function nameOf(id = keyId): string | undefined {
    return program.emulator.apiKeyRecords.list().find((key) => key.id === id)?.name;
  }

  test("an API key gets the declared name, and the state has the previous name and the record of the key", async () => {
    const { emulator } = program;
    await up();
    expect(nameOf()).toBe("ci");
    expect(program.stored).toMatchObject({ id: keyId });
    expect(program.stored.outputs).toEqual({
      keyId,
      name: "ci",
      onDelete: "restore",
      previousName: "before",
      maskedKey: expect.stringMatching(/^sk_.+\.\.\./),
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      createdBy: expect.objectContaining({ email: "emulator@example.com" }),
    });
    const { id: projectId } = emulator.createProject({ name: "Shop" });
    const expiresAt = "2999-01-01T00:00:00.000Z";
    const { id } = emulator.createApiKey({ projectId, expiresAt, createdBy: { name: null } });
    await up({ keyId: id });
    expect(program.stored.outputs).toMatchObject({ projectId, projectName: "Shop", expiresAt });
    expect(program.stored.outputs.createdBy).not.toHaveProperty("name");
    emulator.apiKeyRecords.setExpiry(id, null);
    await program.refresh();
    expect(program.stored.outputs).not.toHaveProperty("expiresAt");
  });

  test("a name that the key already has is not sent, and a warning says that the previous name is unknown", async () => {
    await up({ name: "before" });
    expect(previousName()).toBe("before");
    expect(program.writes).toEqual([]);
    expect(program.messages).toEqual([
      expect.stringMatching(/nothing was sent.+from before an interrupted deployment of this stack/),
    ]);
  });

  test("the key that the deployment uses can be named", async () => {
    const own = program.emulator.apiKeyRecords.list().find(({ name }) => name === "Given at start");
    await up({ keyId: own?.id });
    expect(nameOf(own?.id)).toBe("ci");
  });

  test('a name stays after a destroy with onDelete "keep", and a change of onDelete sends no request', async () => {
    await up();
    const { outputs } = program.stored;
    const requests = program.emulator.requests.length;
    await up({ onDelete: "keep" });
    expect(program.stored.outputs).toEqual({ ...outputs, onDelete: "keep" });
    await program.destroy();
    expect(program.emulator.requests).toHaveLength(requests);
    expect(nameOf()).toBe("ci");
  });

  test("a name moves to a new key, also if the new key is named before the old key is restored", async () => {
    await up();
    const other = newKey("other");
    await up({ keyId: other }, { deleteBeforeReplace: false });
    expect([nameOf(), nameOf(other), previousName()]).toEqual(["before", "ci", "other"]);
  });

  test("a move to a different logical name keeps the name, and a message contains the previous name", async () => {
    await up();
    await program.up(undefined, { others: { other: { keyId, name: "ci" } } });
    expect(nameOf()).toBe("ci");
    expect(program.messages).toContainEqual(expect.stringContaining('Its previous name: "before"'));
  });

  test("a destroy reports the restored previous name, or that a name changed elsewhere was not restored", async () => {
    await up();
    await program.destroy();
    expect(program.messages).toEqual([expect.stringContaining('its previous name again: "before"')]);
    await up();
    renameOutside("theirs");
    await program.destroy();
    expect(nameOf()).toBe("theirs");
    expect(program.messages).toEqual([
      expect.stringMatching(/from "ci" to "theirs".*"before".*not restored/),
    ]);
  });

  test("the deletion of the name succeeds if the key was deleted before or meanwhile", async () => {
    await up();
    const remove = () => program.emulator.apiKeyRecords.remove(keyId);
    program.emulator.faults.add({ method: "PATCH", at: "before-commit", action: { call: remove } });
    await program.destroy();
    keyId = newKey("before");
    await up();
    remove();
    await program.destroy();
    expect(program.messages).toEqual([
      expect.stringContaining("is gone, so the previous name could not be restored"),
    ]);
  });

  test("the error about a refused previous name advises to set onDelete to keep", async () => {
    await up();
    program.refuse("PATCH", 400);
    await expect(program.destroy()).rejects.toThrow(/refused by a fault.*"onDelete" to "keep"/);
  });

  test("a refresh reports both names after a change elsewhere, and the next deployment corrects the name", async () => {
    await up();
    const { outputs } = program.stored;
    renameOutside("theirs");
    await program.refresh();
    expect(program.stored.outputs).toEqual({ ...outputs, name: "theirs", setName: "ci" });
    expect(program.stored.inputs).toEqual({ keyId, name: "theirs", onDelete: "restore" });
    expect(program.messages).toEqual([expect.stringContaining('from "ci" to "theirs"')]);
    await up();
    expect(nameOf()).toBe("ci");
    expect(program.stored.outputs).toEqual(outputs);
  });

  test("a deleted key is reported as gone, and cannot be named", async () => {
    await up();
    program.emulator.apiKeyRecords.remove(keyId);
    const gone = {
      code: "api_key_not_found",
      message: expect.stringMatching(/was deleted on \d{4}.*never creates one/),
    };
    expect(await errorOf(up({ name: "ci 2" }))).toMatchObject(gone);
    await program.refresh();
    expect(program.messages).toEqual([expect.stringMatching(/is gone: it was deleted on \d{4}/)]);
    expect(await errorOf(up())).toMatchObject(gone);
  });

  test("an unknown key id is refused, and the error for a key's name shows the id", async () => {
    expect((await errorOf(up({ keyId: "before" }))).message).toContain(
      `"before" is the name of an API key: its id is ${keyId}`,
    );
    expect((await errorOf(up({ keyId: "missing" }))).message).toContain(
      'There is no API key "missing": the service has no key',
    );
    await expect(program.engine.lookUp("ApiKeyName", main, "before")).rejects.toThrow(
      `There is no API key "before": the service has no key with this id, or this program's API key has no access to it. "before" is the name of an API key: its id is ${keyId}`,
    );
  });

  test("an expired key is reported, and is no difference", async () => {
    await up();
    program.emulator.apiKeyRecords.setExpiry(keyId, "2001-02-03T00:00:00Z");
    await program.refresh();
    expect(program.messages).toEqual([expect.stringContaining("expired on 2001-02-03")]);
    expect(program.stored.inputs).toEqual({ keyId, name: "ci", onDelete: "restore" });
    expect(await up()).toBe("same");
    expect(program.stored.outputs.expiresAt).toBe("2001-02-03T00:00:00.000Z");
  });

  test("a deployment that renames an expired key warns of the expiry", async () => {
    await up();
    program.emulator.apiKeyRecords.setExpiry(keyId, "2001-02-03T00:00:00Z");
    await up({ name: "other" });
    expect(program.warnings).toEqual([expect.stringContaining("expired on 2001-02-03")]);
  });

  test("a lookup by the key's id returns the name, without a previous name", async () => {
    const found = await program.engine.lookUp("ApiKeyName", main, keyId);
    expect(found).toMatchObject({ keyId, name: "before" });
    expect(found).not.toHaveProperty("previousName");
    expect(program.messages).toEqual([]);
  });

  test("a refused read fails the refresh, and does not remove the name from the state", async () => {
    await up();
    program.refuse("GET", 403);
    await expect(program.refresh()).rejects.toThrow("403");
  });

  describe("after an unanswered first rename", () => {
    beforeEach(async () => {
      program.interrupt("PATCH");
      expect(await errorOf(up())).toMatchObject({ code: "outcome_unknown" });
      program.emulator.faults.clear();
      expect(nameOf()).toBe("ci");
    });

    test("after an unanswered first rename and a refused change, the previous name is still known", async () => {
      program.refuse("PATCH", 400);
      await expect(up({ name: "ci 2" })).rejects.toThrow("400");
      await up({ name: "ci 3" });
      expect(program.stored.outputs).toMatchObject({ name: "ci 3", previousName: "before" });
    });

    test("after an unanswered first rename, the next deployment keeps the name and the previous name", async () => {
      await up();
      expect(previousName()).toBe("before");
    });

    test("after an unanswered first rename, the key that leaves the program gets its previous name back", async () => {
      const other = newKey("other");
      await up({ keyId: other });
      expect([nameOf(), nameOf(other)]).toEqual(["before", "ci"]);
      expect(await up({ keyId: other })).toBe("same");
    });

    test("after an unanswered first rename, a different resource of the same key takes over the previous name", async () => {
      await up({ keyId: newKey("other") }, { others: { mine: { keyId, name: "mine" } } });
      expect([nameOf(), program.storedAs("mine").outputs.previousName]).toEqual(["mine", "before"]);
    });
  });

  test("a name given elsewhere after a destroy is the next previous name, also if equal to the declared name", async () => {
    await up();
    await program.destroy();
    renameOutside("ci");
    await up();
    expect(previousName()).toBe("ci");
    expect(program.messages).toEqual([
      expect.stringContaining("Deleting this resource leaves the present values"),
    ]);
  });

  test.each<[string, object, string]>([
    ["keyId is missing", { keyId: undefined }, ""],
    ["keyId is a number", { keyId: 1 }, ""],
    ["keyId is empty", { keyId: "" }, ""],
    ["keyId is a name with spaces", { keyId: "Our CI" }, ""],
    ["keyId is a masked key", { keyId: "sk_1234...abcd" }, ""],
    ["keyId leads elsewhere", { keyId: "../projects" }, ""],
    ["keyId has a percent sign", { keyId: "a%2fb" }, ""],
    ["the name is missing", { name: undefined }, "name"],
    ["the name is a number", { name: 1 }, "name"],
    ["the name is empty", { name: "" }, "name"],
    ["the name is one character too long", { name: "𝛼".repeat(256) }, "name"],
    ["the name starts with a space", { name: " ci" }, "name"],
    ["the name ends with a line break", { name: "ci\n" }, "name"],
    ["the name ends with a no-break space", { name: "ci\u00a0" }, "name"],
    ["the name has half of a surrogate pair", { name: "ci\ud800" }, "name"],
    ["onDelete is anything else", { onDelete: "delete" }, "onDelete"],
    ["an input is misspelt", { keyID: "k" }, ""],
  ])(
    "an ApiKeyName is refused, at the input at fault unless the engine would print a secret there, when %s",
    async (_what, news, property) => {
      const all = Object.entries({ keyId: "k", name: "ci", ...news });
      const given = Object.fromEntries(all.filter(([, value]) => value !== undefined));
      expect(await program.failures(given)).toEqual([expect.stringMatching(new RegExp(`^${property}: `))]);
      expect(program.emulator.requests).toEqual([]);
    },
  );

  test("the API key of the deployment as keyId is refused in any form, without the key in the failure", async () => {
    const ownKey = "an-unusual-key-of-length";
    program.environment.BROWSER_INFRA_API_KEY = ownKey;
    const failures = await program.failures({ keyId: ownKey, name: "ci" });
    expect(failures).toHaveLength(1);
    expect(failures.join()).not.toContain(ownKey);
  });

  test.each([
    ["255 characters outside the basic plane", "😀".repeat(255)],
    ["a slash and a percent sign", "team/ci %2F 100%"],
    ["the form of an id", "abcdefghijklmnopqrstuvwx"],
    ["spaces inside", "our  ci\u00a0key"],
    ["text that looks like a URN", "urn:pulumi:dev::shop"],
  ])("a name with %s is given unchanged, and is no difference after a refresh", async (_what, name) => {
    await up({ name });
    const { outputs } = program.stored;
    expect([nameOf(), outputs.name]).toEqual([name, name]);
    await program.refresh();
    expect(program.stored.outputs).toEqual(outputs);
    await program.destroy();
    expect(nameOf()).toBe("before");
  });

  test.each([
    ["case", "CI", "ci"],
    ["an accent", "cafe", "café"],
    ["Unicode normalization", "caf\u00e9", "cafe\u0301"],
  ])("two names that differ only by %s are different names", async (_what, one, other) => {
    await up({ name: one });
    await up({ name: other });
    expect([nameOf(), program.stored.outputs.name]).toEqual([other, other]);
    renameOutside(one);
    await program.refresh();
    expect(program.stored.inputs.name).toBe(one);
    // Escapes distinguish names that look alike.
    const [, from, to] = /from (".*") to (".*")\./.exec(program.messages.at(-1) ?? "") ?? [];
    expect(from).not.toBe(to);
  });

  test("a previous name with surrounding spaces is restored as the service trims it, and a message says so", async () => {
    renameOutside(" before ");
    await up();
    await program.destroy();
    expect(nameOf()).toBe("before");
    expect(program.messages[0]).toMatch(
      /stored the name .* as "before", although "\\u0020before\\u0020" was sent/,
    );
  });
});
