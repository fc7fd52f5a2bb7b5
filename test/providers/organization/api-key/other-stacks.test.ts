import { shortenWaits } from "../../../contract/rows/shorter-waits.js";
import { errorOf } from "../../../support/error-of.js";
import { dayMs, KeyProgram } from "./keys.js";

/** Two stacks give their keys the same name, and deploy at the same time. */
describe("an API key that shares its name with a key of a different stack", () => {
  let program: KeyProgram;
  /** Key that the other stack creates while this stack waits for a response. */
  let theirs: string;

  shortenWaits();

  beforeEach(async () => {
    program = await KeyProgram.start();
    theirs = "";
  });

  function makeTheirs(): void {
    theirs = program.emulator.createApiKey({ name: "agents" }).id;
  }

  /** A deployment whose next POST gets no response, while `meanwhile` happens. */
  async function upInVain(
    news: Readonly<Record<string, unknown>>,
    at: "before-reading" | "after-commit",
    meanwhile = makeTheirs,
  ): Promise<void> {
    program.emulator.faults.add({ method: "POST", at, action: { call: meanwhile } });
    program.interrupt("POST", at);
    await errorOf(program.up({ ...news }));
    program.emulator.faults.clear();
  }

  const rotationsOf = (id: string) => program.posts().filter((path) => path.includes(id));

  test.each(["before-reading", "after-commit"] as const)(
    "a stack keeps the rival's key and exactly one own key when the creation was lost %s",
    async (at) => {
      await upInVain({ name: "agents" }, at);
      await program.up({ name: "agents" });
      expect(program.stored.outputs.name).toBe("agents");
      expect(program.live()).toEqual([theirs, program.keyId].sort());
    },
  );

  describe("in a rotation", () => {
    const newsToRotate = { name: "agents", triggers: ["2"] };
    let first: string;

    beforeEach(async () => {
      await program.up({ name: "agents", triggers: ["1"] });
      first = program.keyId;
    });

    test("after a lost rotation that did not happen, the rival's key stays and the own key is rotated once", async () => {
      await upInVain(newsToRotate, "before-reading");
      await program.up(newsToRotate);
      expect(program.live()).toEqual([theirs, first, program.keyId].sort());
      expect(rotationsOf(first)).toHaveLength(2);
      expect(program.stored.outputs.previousKeys).toMatchObject([
        { id: first, expiresAt: expect.any(String) },
      ]);
    });

    test("two keys that cannot be distinguished are not deleted, and a warning names each key with its time and author", async () => {
      await upInVain(newsToRotate, "after-commit");
      const lost = program.live().find((id) => id !== theirs && id !== first);
      await program.up(newsToRotate);
      expect(program.live()).toEqual([theirs, String(lost), first, program.keyId].sort());
      expect(program.messages.join()).toMatch(
        /nothing proves which API key .+, created at \S+ by "emulator@/,
      );
      expect(program.warningsAbout(lost)).toHaveLength(1);
      expect(program.warningsAbout(theirs)).toHaveLength(1);
      expect(rotationsOf(first)).toHaveLength(1);
    });

    test("only the own lost key is deleted if the rival's key was created minutes later", async () => {
      await upInVain(newsToRotate, "after-commit", () => undefined);
      program.emulator.clock.advance(5 * 60_000);
      makeTheirs();
      await program.up(newsToRotate);
      expect(program.live()).toEqual([theirs, first, program.keyId].sort());
    });
  });

  test("a key that expires within its grace period is followed by a new key under the name, instead of rotated", async () => {
    const news = { name: "agents", daysToExpire: 30, rotateBeforeDays: 5 };
    program.emulator.clock.advance(-27 * dayMs);
    await program.up(news);
    const { keyId: first } = program;
    const { expiresAt } = program.stored.outputs;
    program.emulator.clock.set(null);
    await upInVain(news, "after-commit");
    await program.up(news);
    expect(rotationsOf(first)).toEqual([]);
    expect(program.live()).toEqual([theirs, first, program.keyId].sort());
    expect(program.stored.outputs.previousKeys).toEqual([{ id: first, expiresAt }]);
    const daysLeft = (Date.parse(String(program.stored.outputs.expiresAt)) - Date.now()) / dayMs;
    expect(daysLeft).toBeGreaterThan(29.9);
  });
});
