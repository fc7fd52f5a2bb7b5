import { OutcomeUnknownError } from "../../../src/client/index.js";
import { lateRequestMs } from "../../../src/providers/core/entry.js";
import { errorOf } from "../../support/error-of.js";
import { PlayedKey, type State } from "./played-key.js";

const news = { name: "agents", triggers: ["1"] };
const newsToRotate = { name: "agents", triggers: ["2"] };

describe("an API key whose answer is lost", () => {
  let played: PlayedKey;

  beforeEach(async () => {
    played = await PlayedKey.start();
  });

  afterEach(async () => {
    jest.restoreAllMocks();
    await played.emulator.close();
  });

  /** The one live key is that of the state, besides the previous ones, and its secret works. */
  async function expectOnly({ outputs }: State): Promise<void> {
    const previous = (outputs.previousKeys as { id: string }[]).map(({ id }) => id);
    expect(played.live("agents").sort()).toEqual([...previous, String(outputs.keyId)].sort());
    expect(await played.statusWith(outputs.key)).toBe(200);
  }

  /** An unchanged program changes nothing, and no note is left. */
  async function expectSettled(state: State, program: Record<string, string | string[]>): Promise<void> {
    await played.end();
    expect(await played.compared(state, program)).toEqual({ changes: false });
    await played.end();
    expect(played.hasNotes()).toBe(false);
  }

  /** What was lost can no longer arrive. Only the date moves: timers and sockets stay real. */
  function passTime(): void {
    const now = Date.now() + lateRequestMs + 1;
    jest.spyOn(Date, "now").mockReturnValue(now);
  }

  /** A person gives up while the deployment looks for what its lost request has done. */
  function giveUpWhileLooking(method: string, at: "before-reading" | "after-commit"): AbortSignal {
    const ctrlC = new AbortController();
    const look = { method: "GET", path: "/org/api_keys", at: "before-commit" } as const;
    const onLook = { ...look, action: { call: () => ctrlC.abort() } };
    const lost = { method, path: "/org/api_keys", at } as const;
    played.emulator.faults.add({ ...lost, action: { call: () => void played.emulator.faults.add(onLook) } });
    played.emulator.faults.add({ ...lost, action: "reset" });
    return ctrlC.signal;
  }

  describe("of a creation", () => {
    test.each(["reset", { answer: { status: 500 } }] as const)(
      "is deleted and made again at once when the answer is %p",
      async (action) => {
        played.emulator.faults.add({ method: "POST", at: "after-commit", action });
        const state = await played.create(news);
        await expectOnly(state);
        expect(played.sent("POST")).toHaveLength(2);
        expect(played.messages).toContain(
          'The answer with API key "agents" was lost, and with it the key\'s secret. Another one is created, and that one deleted.',
        );
        await expectSettled(state, news);
      },
    );

    test("is deleted and made again, also twice", async () => {
      played.loseAnswers("POST", "/org/api_keys", 2);
      const state = await played.create(news);
      await expectOnly(state);
      await expectSettled(state, news);
    });

    test("leaves one key after the next deployment when every answer is lost", async () => {
      played.loseAnswers("POST", "/org/api_keys", 3);
      const error = await errorOf(played.create(news));
      expect(error).toBeInstanceOf(OutcomeUnknownError);
      expect(error.message).toMatch(/got no answer.*Run "pulumi up" again: it deletes exactly that key/);
      expect(played.live("agents")).toHaveLength(3);
      played.nextRun();
      const state = await played.create(news);
      await expectOnly(state);
      await expectSettled(state, news);
    });

    test.each(["before-reading", "after-commit"] as const)(
      "is found by the next deployment when the request was lost %s and a person gave up",
      async (at) => {
        const signal = giveUpWhileLooking("POST", at);
        const error = await errorOf(played.create(news, played.context({ signal })));
        expect(error.message).toBe(
          'The creation of API key "agents" was interrupted, and a key whose secret is lost may exist now or appear later. Run "pulumi up" again: it deletes exactly that key, and creates another.',
        );
        expect(played.live("agents")).toHaveLength(at === "after-commit" ? 1 : 0);
        played.nextRun();
        const state = await played.create(news);
        await expectOnly(state);
        if (at === "after-commit") {
          await expectSettled(state, news);
          return;
        }
        // What was not found may still arrive, so it is looked for once more later.
        await played.end();
        expect(await played.compared(state, news)).toEqual({ changes: false });
        expect(played.hasNotes()).toBe(true);
        passTime();
        const later = await played.deploy(state, news);
        await expectSettled(later, news);
      },
    );

    test("is deleted when it arrives after the next deployment has made another one", async () => {
      const signal = giveUpWhileLooking("POST", "before-reading");
      await errorOf(played.create(news, played.context({ signal })));
      played.nextRun();
      const state = await played.create(news);
      await played.end();
      const noted = played.editNotes((each) => each).find(({ id }) => id === undefined);
      played.emulator.createApiKey({ name: String(noted?.key?.name) });
      passTime();
      const later = await played.deploy(state, news);
      await expectOnly(later);
      expect(later.outputs.keyId).toBe(state.id);
      await expectSettled(later, news);
    });

    test("is deleted and made again after a kill between answer and state", async () => {
      const { id: lost } = await played.create(news);
      played.nextRun();
      const state = await played.create(news);
      expect(state.id).not.toBe(lost);
      await expectOnly(state);
      expect(played.messages).toEqual([
        expect.stringContaining(
          `Deleted API key "agents" (${lost}): an earlier request of this resource had created it`,
        ),
      ]);
      await expectSettled(state, news);
    });

    test("stays until it is replaced when a later deployment was killed", async () => {
      const { id: projectId } = played.emulator.createProject({ name: "shop" });
      const old = await played.create(news);
      played.nextRun();
      const { inputs } = await played.checked({ ...news, projectId }, old);
      const compared = played.lifecycle.diff(
        { id: old.id, olds: old.outputs, news: inputs },
        played.context(),
      );
      expect(compared).toEqual({ replaces: ["projectId"] });
      const next = await played.create({ ...news, projectId });
      // Until the engine deletes it, whatever uses it must work.
      expect(await played.statusWith(old.outputs.key)).toBe(200);
      await played.lifecycle.delete({ id: old.id, state: old.outputs }, played.context());
      await expectOnly(next);
    });

    test("is the one in the state if only its note could not be completed, and stays", async () => {
      const state = await played.create(news);
      played.editNotes(({ id: _, ...unanswered }) => unanswered);
      const later = await played.deploy(state, news);
      expect(later.outputs).toEqual(state.outputs);
      await expectOnly(later);
      passTime();
      await played.deploy(later, news);
      expect(played.live("agents")).toEqual([state.id]);
      await expectSettled(later, news);
    });

    test("of a replacement is deleted when the program goes back after a kill", async () => {
      const { id: projectId } = played.emulator.createProject({ name: "shop" });
      const state = await played.create(news);
      await played.end();
      played.nextRun();
      const other = { ...news, projectId };
      const { inputs } = await played.checked(other, state);
      played.lifecycle.diff({ id: state.id, olds: state.outputs, news: inputs }, played.context());
      const signal = giveUpWhileLooking("POST", "after-commit");
      await errorOf(played.create(other, played.context({ signal })));
      expect(played.live("agents")).toHaveLength(2);
      const back = await played.deploy(state, news);
      await expectOnly(back);
      expect(back.outputs.keyId).toBe(state.id);
    });

    test("is deleted when the program no longer declares it", async () => {
      await played.create(news);
      await played.runWithoutIt();
      expect(played.live("agents")).toEqual([]);
      await played.runWithoutIt();
      expect(played.hasNotes()).toBe(false);
    });

    test("is made again when the program declares it after all, for a deployment of something else deleted it", async () => {
      const state = await played.create(news);
      await played.runWithoutIt();
      expect(played.live("agents")).toEqual([]);
      await expectOnly(await played.deploy(state, news));
    });

    test("stays when the deployment ended in order, and is told once when no later one declares it", async () => {
      const { id } = await played.create(news);
      await played.end();
      for (const told of [1, 0]) {
        await played.runWithoutIt();
        expect(played.live("agents")).toEqual([id]);
        expect(played.messages.filter((text) => text.includes(`api-keys delete ${id}`))).toHaveLength(told);
      }
      expect(played.hasNotes()).toBe(false);
    });

    test("leaves alone what had the name before, and what somebody creates later", async () => {
      const before = played.emulator.createApiKey({ name: "agents" });
      const signal = giveUpWhileLooking("POST", "after-commit");
      await errorOf(played.create(news, played.context({ signal })));
      const [lost] = played.live("agents");
      const later = played.emulator.createApiKey({ name: "agents" });
      played.nextRun();
      const { id } = await played.create(news);
      expect(lost).not.toBe(before.id);
      expect(played.live("agents").sort()).toEqual([before.id, later.id, id].sort());
    });

    test("leaves alone a key of the same name in another project", async () => {
      const { id: projectId } = played.emulator.createProject({ name: "shop" });
      played.loseAnswers("POST");
      const other = { ...news, projectId };
      const state = await played.create(other);
      const foreign = played.emulator.createApiKey({ name: "agents" });
      expect(played.live("agents").sort()).toEqual([foreign.id, state.id].sort());
    });
  });

  describe("of a rotation", () => {
    let state: State;

    beforeEach(async () => {
      state = await played.create(news);
      await played.end();
    });

    test("is deleted and made again at once, and the old key keeps its grace", async () => {
      played.loseAnswers("POST", `/org/api_keys/${state.id}/rotate`);
      const rotated = await played.deploy(state, newsToRotate);
      await expectOnly(rotated);
      expect(rotated.outputs.previousKeys).toEqual([{ id: state.id, expiresAt: expect.any(String) }]);
      expect(await played.statusWith(state.outputs.key)).toBe(200);
      expect(played.sent("POST").filter((path) => path.endsWith("/rotate"))).toHaveLength(1);
      await expectSettled(rotated, newsToRotate);
    });

    test.each(["before-reading", "after-commit"] as const)(
      "is completed by the next deployment when it was lost %s",
      async (at) => {
        const signal = giveUpWhileLooking("POST", at);
        await errorOf(played.deploy(state, newsToRotate, played.context({ signal })));
        const rotated = await played.deploy(state, newsToRotate);
        await expectOnly(rotated);
        expect(rotated.outputs.previousKeys).toMatchObject([{ id: state.id, expiresAt: expect.any(String) }]);
        const rotations = played.sent("POST").filter((path) => path.endsWith("/rotate"));
        expect(rotations).toHaveLength(at === "after-commit" ? 1 : 2);
      },
    );

    test("is completed after a kill between answer and state", async () => {
      await played.deploy(state, newsToRotate);
      const rotated = await played.deploy(state, newsToRotate);
      await expectOnly(rotated);
      expect(rotated.outputs.previousKeys).toMatchObject([{ id: state.id }]);
      await expectSettled(rotated, newsToRotate);
    });

    test("is completed after a kill also when the program has gone back: the old key is about to expire", async () => {
      await played.deploy(state, newsToRotate);
      const rotated = await played.deploy(state, news);
      expect(rotated.outputs.keyId).not.toBe(state.id);
      await expectOnly(rotated);
      await expectSettled(rotated, news);
    });

    test("is deleted with the resource after a kill", async () => {
      await played.deploy(state, newsToRotate);
      await played.remove(state);
      expect(played.live("agents")).toEqual([]);
    });

    test("whose orphan could not be deleted does not rotate again, and the next deployment deletes it", async () => {
      played.loseAnswers("POST", `/org/api_keys/${state.id}/rotate`);
      played.emulator.faults.add({
        method: "DELETE",
        at: "before-commit",
        action: { answer: { status: 400, body: { code: "bad_request", message: "Not now." } } },
      });
      const rotated = await played.deploy(state, newsToRotate);
      expect(played.live("agents")).toHaveLength(3);
      expect(played.messages.at(-2)).toMatch(
        /could not be deleted\. The next deployment tries again\. .*Not now/,
      );
      await played.end();
      const later = await played.deploy(rotated, newsToRotate);
      expect(later.outputs.keyId).toBe(rotated.outputs.keyId);
      await expectOnly(later);
    });
  });

  describe("of another write", () => {
    let state: State;

    beforeEach(async () => {
      state = await played.create(news);
      await played.end();
    });

    test("a rename that was lost is retried by the next deployment, also when the program has gone back", async () => {
      played.emulator.faults.add({
        method: "PATCH",
        at: "after-commit",
        times: 9,
        action: { answer: { status: 500, headers: { "x-should-retry": "false" } } },
      });
      expect(await errorOf(played.deploy(state, { ...news, name: "people" }))).toBeInstanceOf(
        OutcomeUnknownError,
      );
      played.emulator.faults.clear();
      expect(played.live("people")).toEqual([state.id]);
      const back = await played.deploy(state, news);
      expect(played.live("agents")).toEqual([state.id]);
      await expectSettled(back, news);
    });

    test("a deletion whose answer is lost has deleted the key", async () => {
      played.loseAnswers("DELETE");
      await played.remove(state);
      expect(played.live("agents")).toEqual([]);
    });

    test("a deletion that was refused changes nothing of the next deployment", async () => {
      played.nextRun();
      played.emulator.faults.add({
        method: "DELETE",
        at: "before-commit",
        action: { answer: { status: 403, body: { code: "forbidden", message: "No." } } },
      });
      expect(
        await errorOf(played.lifecycle.delete({ id: state.id, state: state.outputs }, played.context())),
      ).toMatchObject({
        status: 403,
      });
      await expectSettled(state, news);
    });

    test("a deletion that was refused does not hide an earlier one, whose run was killed", async () => {
      await played.remove(state);
      const answer = { status: 403 };
      played.emulator.faults.add({ method: "DELETE", at: "before-commit", action: { answer } });
      expect(await errorOf(played.remove(state))).toMatchObject({ status: 403 });
      await expectOnly(await played.deploy(state, news));
    });

    test("a deletion without an answer says why looking did not help", async () => {
      played.nextRun();
      const refuseLooks = () => {
        played.emulator.faults.add({
          method: "GET",
          at: "before-commit",
          times: Number.POSITIVE_INFINITY,
          action: { answer: { status: 403, body: { code: "forbidden", message: "No." } } },
        });
      };
      played.emulator.faults.add({ method: "DELETE", at: "before-commit", action: { call: refuseLooks } });
      played.emulator.faults.add({ method: "DELETE", at: "after-commit", action: "reset" });
      const error = await errorOf(
        played.lifecycle.delete({ id: state.id, state: state.outputs }, played.context()),
      );
      expect(error).toBeInstanceOf(OutcomeUnknownError);
      expect(error.message).toMatch(
        /Looking for it failed as well: .+403.+ Run the same command again to find out\.$/,
      );
    });

    test.each(["before-reading", "after-commit"] as const)(
      "a deletion that was interrupted %s is noticed when the program has the resource again",
      async (at) => {
        const ctrlC = new AbortController();
        played.nextRun();
        const lost = { method: "DELETE", at } as const;
        played.emulator.faults.add({ ...lost, action: { call: () => ctrlC.abort() } });
        played.emulator.faults.add({ ...lost, action: "reset" });
        const context = played.context({ signal: ctrlC.signal });
        const error = await errorOf(played.lifecycle.delete({ id: state.id, state: state.outputs }, context));
        expect(error.message).toContain("was interrupted, and the key may be gone");
        const again = await played.deploy(state, news);
        expect(again.outputs.keyId === state.id).toBe(at === "before-reading");
        await expectOnly(again);
        await expectSettled(again, news);
      },
    );
  });
});
