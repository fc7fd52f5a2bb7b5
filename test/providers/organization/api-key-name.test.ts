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

  test("is given, with the one before in the state and the rest of the key's record", async () => {
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

  test("that the key has already is not sent, and a warning says that the previous one is not known", async () => {
    await up({ name: "before" });
    expect(previousName()).toBe("before");
    expect(program.writes).toEqual([]);
    expect(program.messages).toEqual([
      expect.stringMatching(/nothing was sent.+from before an interrupted deployment of this stack/),
    ]);
  });

  test("is given to the key that the deployment itself uses", async () => {
    const own = program.emulator.apiKeyRecords.list().find(({ name }) => name === "Given at start");
    await up({ keyId: own?.id });
    expect(nameOf(own?.id)).toBe("ci");
  });

  test('stays with onDelete "keep", which is changed without a request', async () => {
    await up();
    const { outputs } = program.stored;
    const requests = program.emulator.requests.length;
    await up({ onDelete: "keep" });
    expect(program.stored.outputs).toEqual({ ...outputs, onDelete: "keep" });
    await program.destroy();
    expect(program.emulator.requests).toHaveLength(requests);
    expect(nameOf()).toBe("ci");
  });

  test("moves to another key also if that is named before the old one", async () => {
    await up();
    const other = newKey("other");
    await up({ keyId: other }, { deleteBeforeReplace: false });
    expect([nameOf(), nameOf(other), previousName()]).toEqual(["before", "ci", "other"]);
  });

  test("is left to a resource of another logical name, with what it was before", async () => {
    await up();
    await program.up(undefined, { others: { other: { keyId, name: "ci" } } });
    expect(nameOf()).toBe("ci");
    expect(program.messages).toContainEqual(expect.stringContaining('Its previous name: "before"'));
  });

  test("says that it was restored, and that it was not because it was changed elsewhere", async () => {
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

  test("is deleted without complaint when the key is gone, or goes at that moment", async () => {
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

  test("says how to get rid of it when the service no longer accepts the previous name", async () => {
    await up();
    program.refuse("PATCH", 400);
    await expect(program.destroy()).rejects.toThrow(/refused by a fault.*"onDelete" to "keep"/);
  });

  test("that was changed elsewhere is found with both names, and corrected", async () => {
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

  test("of a deleted key is gone, and can neither be given nor changed", async () => {
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

  test("of a key that does not exist is refused, with its id where the name of one was given", async () => {
    expect((await errorOf(up({ keyId: "before" }))).message).toContain(
      `"before" is the name of API key ${keyId}`,
    );
    expect((await errorOf(up({ keyId: "missing" }))).message).toContain(
      'There is no API key "missing": the service has no key',
    );
    await expect(program.engine.lookUp("ApiKeyName", main, "before")).rejects.toThrow(
      `There is no API key "before": the service has no key with this id, or this program's API key has no access to it. "before" is the name of API key ${keyId}`,
    );
  });

  test("of an expired key is reported, and is no difference", async () => {
    await up();
    program.emulator.apiKeyRecords.setExpiry(keyId, "2001-02-03T00:00:00Z");
    await program.refresh();
    expect(program.messages).toEqual([expect.stringContaining("expired on 2001-02-03")]);
    expect(program.stored.inputs).toEqual({ keyId, name: "ci", onDelete: "restore" });
    expect(await up()).toBe("same");
    expect(program.stored.outputs.expiresAt).toBe("2001-02-03T00:00:00.000Z");
  });

  test("is looked up by the key's id, without a previous one", async () => {
    const found = await program.engine.lookUp("ApiKeyName", main, keyId);
    expect(found).toMatchObject({ keyId, name: "before" });
    expect(found).not.toHaveProperty("previousName");
    expect(program.messages).toEqual([]);
  });

  test("is not gone when the service does not say", async () => {
    await up();
    program.refuse("GET", 403);
    await expect(program.refresh()).rejects.toThrow("403");
  });

  describe("whose creation got no answer", () => {
    beforeEach(async () => {
      program.interrupt("PATCH");
      expect(await errorOf(up())).toMatchObject({ code: "outcome_unknown" });
      program.emulator.faults.clear();
      expect(nameOf()).toBe("ci");
    });

    test("is known although the program has another one by then, and that is refused at first", async () => {
      program.refuse("PATCH", 400);
      await expect(up({ name: "ci 2" })).rejects.toThrow("400");
      await up({ name: "ci 3" });
      expect(program.stored.outputs).toMatchObject({ name: "ci 3", previousName: "before" });
    });

    test("is kept, with the one before it", async () => {
      await up();
      expect(previousName()).toBe("before");
    });

    test("is restored when the program names another key", async () => {
      const other = newKey("other");
      await up({ keyId: other });
      expect([nameOf(), nameOf(other)]).toEqual(["before", "ci"]);
      expect(await up({ keyId: other })).toBe("same");
    });

    test("is left to another resource that names the key now", async () => {
      await up({ keyId: newKey("other") }, { others: { mine: { keyId, name: "mine" } } });
      expect([nameOf(), program.storedAs("mine").outputs.previousName]).toEqual(["mine", "before"]);
    });
  });

  test("that was given elsewhere after it was destroyed is the previous one, also if it is its own", async () => {
    await up();
    await program.destroy();
    renameOutside("ci");
    await up();
    expect(previousName()).toBe("ci");
    expect(program.messages).toEqual([expect.stringContaining("will leave that as it is")]);
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
    "is refused, at the input at fault unless the engine would print a secret there, when %s",
    async (_what, news, property) => {
      const all = Object.entries({ keyId: "k", name: "ci", ...news });
      const given = Object.fromEntries(all.filter(([, value]) => value !== undefined));
      expect(await program.failures(given)).toEqual([expect.stringMatching(new RegExp(`^${property}: `))]);
      expect(program.emulator.requests).toEqual([]);
    },
  );

  test("is refused with the key in use in the place of an id, in any form", async () => {
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
  ])("with %s is given as it is, and nothing is left to do", async (_what, name) => {
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
  ])("is another one if it differs only by %s", async (_what, one, other) => {
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

  test("with spaces around it is restored as the service trims it, and that is said", async () => {
    renameOutside(" before ");
    await up();
    await program.destroy();
    expect(nameOf()).toBe("before");
    expect(program.messages[0]).toMatch(
      /stored the name .* as "before", although "\\u0020before\\u0020" was sent/,
    );
  });
});
