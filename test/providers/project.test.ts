import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { type Emulator, startEmulator } from "../../src/emulator/index.js";
import { autoName } from "../../src/providers/auto-name.js";
import { journalFolder } from "../../src/providers/journal/files.js";
import type { CheckResult, LifecycleContext } from "../../src/providers/lifecycle.js";
import { ProjectLifecycle } from "../../src/providers/project/project.js";
import { type PropertyMap, unknownValue } from "../../src/providers/properties.js";
import { errorOf } from "../support/error-of.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const type = "browser-infra:index:Project";
const urn = `urn:pulumi:dev::shop::${type}::web`;
const otherUrn = `urn:pulumi:dev::shop::${type}::other`;
const secret = "sk_1234567890abcdefghij";

/** A resource as the engine keeps it between two calls. */
interface State {
  readonly id: string;
  readonly inputs: PropertyMap;
  readonly outputs: PropertyMap;
  readonly memo: PropertyMap | undefined;
}

describe("the life cycle of a project", () => {
  let emulator: Emulator;
  let programFolder: string;
  let messages: string[];
  let lifecycle: ProjectLifecycle;
  let run: number;

  beforeEach(async () => {
    run = 1;
    emulator = await startEmulator();
    programFolder = temporaryFolder();
    messages = [];
    lifecycle = new ProjectLifecycle();
  });

  afterEach(() => emulator.close());

  function contextOf(changes: Partial<LifecycleContext> = {}): LifecycleContext {
    const say = (message: string) => messages.push(message);
    return {
      urn,
      programFolder,
      deployment: `127.0.0.1:${run}`,
      configuration: () => undefined,
      environment: { BROWSER_INFRA_BASE_URL: emulator.url, BROWSER_INFRA_API_KEY: emulator.apiKeys[0] },
      signal: new AbortController().signal,
      report: { progress: say, row: say, info: say, warning: say, debug: () => {} },
      ...changes,
    };
  }

  /** Starts the process of a new run. What the one before knew is gone, except for its files. */
  function nextRun(): void {
    run += 1;
    lifecycle = new ProjectLifecycle();
    messages = [];
  }

  /** What the engine does at the end of an update, before another run begins. */
  async function endAndNextRun(): Promise<void> {
    await lifecycle.end(true, contextOf());
    nextRun();
  }

  function hasNotes(): boolean {
    return existsSync(join(programFolder, journalFolder));
  }

  function check(news: PropertyMap, olds?: State, context = contextOf()): Promise<CheckResult> {
    return lifecycle.check({ news, olds: olds?.inputs, memo: olds?.memo }, context);
  }

  async function checked(news: PropertyMap, olds?: State, context = contextOf()) {
    const { inputs, failures, memo } = await check(news, olds, context);
    expect(failures).toEqual([]);
    return { inputs, memo };
  }

  /** What the engine does with a resource that is not in the state. */
  async function create(news: PropertyMap = {}, context = contextOf()): Promise<State> {
    const { inputs, memo } = await checked(news, undefined, context);
    return { ...(await lifecycle.create(inputs, context)), inputs, memo };
  }

  /** What the engine does with one that is: nothing, or an update in place. */
  async function deploy(state: State, news: PropertyMap, context = contextOf()): Promise<State> {
    const { inputs, memo } = await checked(news, state, context);
    const request = { id: state.id, olds: state.outputs, news: inputs };
    const { changes, replaces = [] } = lifecycle.diff(request, context);
    expect(replaces).toEqual([]);
    return changes === false
      ? state
      : { ...state, inputs, memo, outputs: await lifecycle.update(request, context) };
  }

  /** What "pulumi refresh" does. */
  async function refresh(state: State): Promise<State | undefined> {
    const read = await lifecycle.read({ id: state.id, state: state.outputs }, contextOf());
    return read && { ...state, inputs: read.inputs, outputs: read.outputs };
  }

  /** What the engine does with one that `diff` replaces, with the old object deleted first. */
  async function replace(state: State, news: PropertyMap): Promise<State> {
    const { inputs } = await checked(news, state);
    const { replaces } = lifecycle.diff({ id: state.id, olds: state.outputs, news: inputs }, contextOf());
    expect(replaces).toEqual(["name"]);
    await lifecycle.delete({ id: state.id, state: state.outputs }, contextOf());
    return create(news);
  }

  /** What "pulumi destroy" does. */
  async function remove(state: State): Promise<void> {
    nextRun();
    await lifecycle.delete({ id: state.id, state: state.outputs }, contextOf());
  }

  const projects = () => emulator.projects.list();
  const find = (id: string) => projects().find((project) => project.id === id);
  const writes = () => emulator.requests.filter(({ method }) => method !== "GET").length;

  /** Carries a write out and loses the answer, until the client gives up. */
  function loseAnswers(method: string) {
    return emulator.faults.add({
      method,
      at: "after-commit",
      times: Number.POSITIVE_INFINITY,
      action: { answer: { status: 500, headers: { "x-should-retry": "false" } } },
    });
  }

  test("is created with its name, and has nothing to do then", async () => {
    const state = await create({ name: "Größe & Co" });
    expect(find(state.id)).toMatchObject({ name: "Größe & Co", status: "active" });
    expect(state.outputs).toEqual({
      name: "Größe & Co",
      status: "active",
      onDelete: "delete",
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    });
    await endAndNextRun();
    const before = writes();
    expect(await deploy(state, { name: "Größe & Co" })).toBe(state);
    expect(writes()).toBe(before);
    expect(hasNotes()).toBe(false);
  });

  test("gets a name that stays the same when it gives none, also under another logical name", async () => {
    const state = await create();
    expect(state.outputs.name).toBe(autoName(urn));
    await endAndNextRun();
    expect(await deploy(state, {}, contextOf({ urn: otherUrn }))).toBe(state);
  });

  test("is renamed in place, and gets its automatic name when the program takes the name away", async () => {
    const state = await create({ name: "web" });
    await endAndNextRun();
    const renamed = await deploy(state, { name: "Web 2" });
    expect(renamed).toMatchObject({ id: state.id, outputs: { name: "Web 2" } });
    expect(find(state.id)?.name).toBe("Web 2");
    await endAndNextRun();
    expect((await deploy(renamed, {})).outputs.name).toBe(autoName(urn));
  });

  test("is renamed when only the case of its name changes", async () => {
    const state = await create({ name: "web" });
    await endAndNextRun();
    const context = contextOf();
    const request = { news: { name: "Web" }, olds: state.inputs, memo: state.memo, isPreview: true };
    expect((await lifecycle.check(request, context)).failures).toEqual([]);
    expect((await deploy(state, { name: "Web" })).outputs.name).toBe("Web");
  });

  test("shows by property what was renamed or archived outside, and corrects it", async () => {
    const state = await create({ name: "web" });
    emulator.projects.rename(state.id, "drifted");
    await fetch(`${emulator.url}/org/projects/${state.id}`, {
      method: "PATCH",
      headers: { authorization: `Bearer ${emulator.apiKeys[0]}`, "content-type": "application/json" },
      body: JSON.stringify({ status: "archived" }),
    });
    await endAndNextRun();
    const drifted = await refresh(state);
    expect(drifted?.inputs).toEqual({ name: "drifted", status: "archived", onDelete: "delete" });
    expect(messages).toEqual([
      expect.stringContaining('was renamed outside of this program: from "web" to "drifted"'),
      expect.stringContaining('is archived now. "pulumi up --refresh" makes it active again.'),
    ]);
    const { outputs } = await deploy(drifted as State, { name: "web" });
    expect(outputs).toMatchObject({ name: "web", status: "active" });
    expect(find(state.id)).toMatchObject({ name: "web", status: "active" });
  });

  test("that was deleted outside is gone at the next refresh", async () => {
    const state = await create({ name: "web" });
    emulator.projects.remove(state.id);
    expect(await refresh(state)).toBeUndefined();
    expect(messages).toEqual([expect.stringContaining("is gone")]);
  });

  test("is deleted, archived or kept, as onDelete says", async () => {
    const [deleted, archived, kept] = [
      await create({ name: "a" }),
      await create({ name: "b", onDelete: "archive" }, contextOf({ urn: otherUrn })),
      await create({ name: "c", onDelete: "keep" }, contextOf({ urn: `${urn}3` })),
    ];
    for (const state of [deleted, archived, kept]) {
      await remove(state);
    }
    expect(find(deleted.id)).toBeUndefined();
    expect(find(archived.id)?.status).toBe("archived");
    expect(find(kept.id)?.status).toBe("active");
  });

  test("changing onDelete sends nothing", async () => {
    const state = await create({ name: "web" });
    await endAndNextRun();
    const before = writes();
    expect((await deploy(state, { name: "web", onDelete: "keep" })).outputs.onDelete).toBe("keep");
    expect(writes()).toBe(before);
  });

  test("leaves one note with others of the stack that are deleted, and none after the next update", async () => {
    const urns = Array.from({ length: 5 }, (_, index) => `${urn}${index}`);
    const states = await Promise.all(urns.map((each) => create({}, contextOf({ urn: each }))));
    await endAndNextRun();
    for (const [index, { id, outputs }] of states.entries()) {
      await lifecycle.delete({ id, state: outputs }, contextOf({ urn: urns[index] }));
    }
    await endAndNextRun();
    expect(readdirSync(join(programFolder, journalFolder))).toHaveLength(1);
    await endAndNextRun();
    expect(hasNotes()).toBe(false);
  });

  test("cannot be deleted while it owns something, and the error says what", async () => {
    const state = await create({ name: "web" });
    emulator.authConnections.create({ domain: "example.com", profileName: "work", projectId: state.id });
    emulator.browserPools.create({ projectId: state.id, name: "agents", size: 1 });
    const error = await errorOf(remove(state));
    expect(error).toMatchObject({ name: "ConflictError", code: "project_not_empty" });
    expect(error.message).toContain('it has 1 browser pool ("agents") and 1 auth connection ("example.com")');
    expect(error.message).toContain('set "onDelete" to "archive" or "keep"');
    expect(find(state.id)?.status).toBe("active");
  });

  test("cannot be deleted while it owns something, and the error says what the service tells of it", async () => {
    const state = await create({ name: "web" });
    emulator.browserPools.create({ projectId: state.id, name: "agents", size: 1 });
    const untold = { method: "GET", path: "/auth/connections", at: "before-commit" } as const;
    emulator.faults.add({ ...untold, action: { answer: { status: 404 } } });
    const error = await errorOf(remove(state));
    expect(error).toMatchObject({ name: "ConflictError", code: "project_not_empty" });
    expect(error.message).toContain('it is not empty: it has 1 browser pool ("agents"). Delete');
  });

  test.each(["delete", "archive"])(
    "as the last active one it stays on %s, and the error says why",
    async (onDelete) => {
      const state = await create({ name: "web", onDelete });
      emulator.projects.remove(emulator.defaultProject.id);
      const error = await errorOf(remove(state));
      expect(error).toMatchObject({ name: "ConflictError", code: "project_last_active" });
      expect(error.message).toContain("last active project");
      expect(find(state.id)?.status).toBe("active");
    },
  );

  test("of a name that somebody else has is refused, in a preview too, with the ways out", async () => {
    const theirs = emulator.createProject({ name: "Web" });
    const { inputs } = await checked({ name: "web" });
    const error = await errorOf(lifecycle.create(inputs, contextOf()));
    expect(error).toMatchObject({ name: "ConflictError", code: "name_taken" });
    expect(error.message).toContain(`import it by its id, ${theirs.id}`);
    expect(projects()).toHaveLength(2);
    await lifecycle.preview({ olds: undefined, inputs, memo: undefined }, contextOf());
    expect(messages.at(-1)).toContain('The name "web" is taken by project');
    const mine = await create({ name: "mine" });
    const failures = await lifecycle.preview({ olds: mine.inputs, inputs, memo: undefined }, contextOf());
    expect(failures).toEqual([{ property: "name", reason: expect.stringContaining(theirs.id) }]);
    expect(await errorOf(deploy(mine, { name: "web" }))).toMatchObject({
      code: "name_taken",
      message: expect.stringContaining("use two deployments"),
    });
  });

  test("reuses, and makes active, the project of its automatic name that an earlier destroy archived", async () => {
    const state = await create({ onDelete: "archive" });
    await remove(state);
    await endAndNextRun();
    const again = await create();
    expect(again.id).toBe(state.id);
    expect(find(state.id)?.status).toBe("active");
    expect(messages).toEqual([expect.stringContaining("already exists and is archived; reusing it")]);
  });

  test("of a stack with the same name in another backend is reported in the preview and in the deployment", async () => {
    const { id, inputs } = await create();
    await endAndNextRun();
    // The other laptop has neither our state nor our notes.
    const elsewhere = contextOf({ programFolder: temporaryFolder() });
    const warning = new RegExp(
      `^Project "web-[0-9a-f]{7}" \\(${id}\\) already exists, and no note says that this resource created it\\. .+ in another backend`,
    );
    expect(await lifecycle.preview({ olds: undefined, inputs, memo: undefined }, elsewhere)).toEqual([]);
    expect(messages).toEqual([expect.stringMatching(warning)]);
    expect((await create({}, elsewhere)).id).toBe(id);
    expect(messages).toEqual([expect.stringMatching(warning), expect.stringMatching(warning)]);
    expect(messages.map((message) => message.includes("pulumi state delete"))).toEqual([false, true]);
  });

  test("is not renamed to an automatic name that another project has: the preview says so", async () => {
    const theirs = emulator.createProject({ name: autoName(urn) });
    const mine = await create({ name: "mine" });
    const { inputs } = await checked({}, mine);
    const failures = await lifecycle.preview({ olds: mine.inputs, inputs, memo: undefined }, contextOf());
    expect(failures).toEqual([{ property: "name", reason: expect.stringContaining(theirs.id) }]);
    expect(await errorOf(deploy(mine, {}))).toMatchObject({ code: "name_taken" });
  });

  test("a forced replacement keeps the project that it finds again by its automatic name", async () => {
    const { id, outputs } = await create();
    await endAndNextRun();
    expect((await create()).id).toBe(id);
    await lifecycle.delete({ id, state: outputs }, contextOf());
    expect(find(id)?.status).toBe("active");
    expect(messages.at(-1)).toContain(`Keeping project ${id}`);
  });

  test("names in the program must differ, whatever their case and accents", async () => {
    await checked({ name: "Größe" });
    const { failures } = await check({ name: "grosse" }, undefined, contextOf({ urn: otherUrn }));
    expect(failures).toEqual([]);
    const twin = await check({ name: "GRÖSSE" }, undefined, contextOf({ urn: `${urn}3` }));
    expect(twin.failures).toEqual([{ property: "name", reason: expect.stringContaining("Two projects") }]);
  });

  test.each(["archive", "keep"])(
    "of a fixed name is reused, and made active, when a forced replacement has left it, with onDelete %p",
    async (onDelete) => {
      const news = { name: "web", onDelete };
      const state = await create(news);
      await endAndNextRun();
      const replace = async () => {
        const { inputs } = await checked(news, state);
        lifecycle.diff({ id: state.id, olds: state.outputs, news: inputs }, contextOf());
        await checked(news);
        await lifecycle.delete({ id: state.id, state: state.outputs }, contextOf());
      };
      await replace();
      expect(find(state.id)?.status).toBe(onDelete === "keep" ? "active" : "archived");
      // The process is killed there, and the next one goes on.
      nextRun();
      const next = await create(news);
      expect(next.id).toBe(state.id);
      expect(find(state.id)?.status).toBe("active");
      await endAndNextRun();
      expect(await deploy(next, news)).toBe(next);
      expect(hasNotes()).toBe(false);
    },
  );

  test("that onDelete keeps is never deleted, also when a forced replacement was killed and it left the program", async () => {
    const news = { name: "web", onDelete: "keep" };
    const state = await create(news);
    await endAndNextRun();
    const { inputs } = await checked(news, state);
    lifecycle.diff({ id: state.id, olds: state.outputs, news: inputs }, contextOf());
    await checked(news);
    await lifecycle.delete({ id: state.id, state: state.outputs }, contextOf());
    await create(news);
    nextRun();
    await lifecycle.end(true, contextOf({ urn: otherUrn }));
    expect(find(state.id)).toBeDefined();
    expect(messages).toEqual([expect.stringContaining(`browser-infra projects delete ${state.id}`)]);
  });

  test("of a fixed name that left the program is somebody's: another one of that name is refused", async () => {
    await remove(await create({ name: "web", onDelete: "keep" }));
    await endAndNextRun();
    const { inputs } = await checked({ name: "web" });
    expect(await errorOf(lifecycle.create(inputs, contextOf()))).toMatchObject({ code: "name_taken" });
  });

  test("every mistake is found at once, before any request, and a secret is not shown", async () => {
    const { failures } = await check({ name: "a/b", onDelete: "destroy", status: "archived", nmae: "x" });
    expect(failures.map(({ property }) => property)).toEqual(["", "name", "onDelete", "status"]);
    const withSecret = await check({ name: `x ${secret}` }, undefined, contextOf());
    expect(withSecret.failures).toHaveLength(1);
    expect(JSON.stringify(withSecret)).not.toContain(secret);
    for (const name of ["", " web", "x".repeat(256), 5]) {
      expect((await check({ name })).failures).toMatchObject([{ property: "name" }]);
    }
    expect((await check({ name: unknownValue })).failures).toEqual([]);
    expect(emulator.requests).toEqual([]);
  });

  test("is imported by its id, with the name that it has", async () => {
    const { id } = emulator.createProject({ name: "theirs" });
    const read = await lifecycle.read({ id, state: {}, isImport: true }, contextOf());
    expect(read).toMatchObject({
      id,
      inputs: { name: "theirs", status: "active", onDelete: "delete" },
      outputs: { name: "theirs", onDelete: "delete" },
    });
    const state = read as unknown as State;
    // The program may leave the name out.
    expect(await deploy(state, {})).toBe(state);
    expect(await deploy(state, { name: "theirs" })).toBe(state);
  });

  describe("when an answer is lost or the process is killed", () => {
    test("a creation whose answer is lost is found by its name and not sent twice", async () => {
      const lost = loseAnswers("POST");
      const state = await create({ name: "web" });
      lost.remove();
      expect(projects()).toHaveLength(2);
      expect(find(state.id)?.name).toBe("web");
      expect(messages.join()).toContain("The response to the creation was lost, but it succeeded");
    });

    test("a creation whose answer is lost is not taken for the project of somebody whose name differs in case", async () => {
      const { inputs } = await checked({ name: "web" });
      const giveUp = new AbortController();
      const theirs = () => void emulator.createProject({ name: "Web" });
      expect(projects()).toHaveLength(1);
      emulator.faults.add({ method: "POST", at: "before-commit", action: { call: theirs } });
      emulator.faults.add({ method: "POST", at: "before-commit", action: { answer: { status: 500 } } });
      // The first look sees theirs, and the person gives up at the second one.
      let looks = 0;
      const onLook = () => {
        looks += projects().length > 1 ? 1 : 0;
        return looks > 1 ? giveUp.abort() : undefined;
      };
      const look = { method: "GET", at: "before-commit", times: 9 } as const;
      emulator.faults.add({ ...look, action: { call: onLook } });
      const error = await errorOf(lifecycle.create(inputs, contextOf({ signal: giveUp.signal })));
      expect(error).toMatchObject({ code: "outcome_unknown" });
    });

    test("after a kill between answer and state, the next deployment reuses the project, also under a new name", async () => {
      const killed = await create({ name: "web" });
      nextRun();
      const again = await create({ name: "shop" });
      expect(again.id).toBe(killed.id);
      expect(projects()).toHaveLength(2);
      expect(find(again.id)?.name).toBe("shop");
      await endAndNextRun();
      expect(await deploy(again, { name: "shop" })).toBe(again);
      expect(hasNotes()).toBe(false);
    });

    test("after a kill before the request arrived, the next deployment creates one project", async () => {
      const { inputs } = await checked({ name: "web" });
      emulator.faults.add({ method: "POST", at: "before-commit", action: { answer: { status: 500 } } });
      const killed = new AbortController();
      const report = { ...contextOf().report, progress: () => killed.abort() };
      const error = await errorOf(lifecycle.create(inputs, contextOf({ signal: killed.signal, report })));
      expect(error).toMatchObject({ code: "outcome_unknown" });
      nextRun();
      const state = await create({ name: "web" });
      expect(projects()).toHaveLength(2);
      await endAndNextRun();
      expect(await deploy(state, { name: "web" })).toBe(state);
      expect(hasNotes()).toBe(false);
    });

    test("a creation that the service refused leaves alone what somebody creates under its name", async () => {
      emulator.faults.add({ method: "POST", at: "before-commit", action: { answer: { status: 403 } } });
      expect(await errorOf(create({ name: "web" }))).toMatchObject({ status: 403 });
      const { id } = emulator.createProject({ name: "web" });
      nextRun();
      await lifecycle.end(true, contextOf({ urn: otherUrn }));
      expect(find(id)).toBeDefined();
      expect(hasNotes()).toBe(false);
    });

    test("a rename that the service refused is told in its words, and leaves nothing to do", async () => {
      const state = await create({ name: "web" });
      await endAndNextRun();
      const answer = { status: 409, body: { code: "conflict", message: "not now" } };
      emulator.faults.add({ method: "PATCH", at: "before-commit", action: { answer } });
      expect(await errorOf(deploy(state, { name: "WEB" }))).toMatchObject({
        status: 409,
        message: expect.stringContaining("not now"),
      });
      await endAndNextRun();
      expect(await deploy(state, { name: "web" })).toBe(state);
      expect(hasNotes()).toBe(false);
    });

    test("a deletion that the service refused leaves nothing to do", async () => {
      const state = await create({ name: "web" });
      await endAndNextRun();
      emulator.faults.add({ method: "DELETE", at: "before-commit", action: { answer: { status: 403 } } });
      expect(await errorOf(remove(state))).toMatchObject({ status: 403 });
      await endAndNextRun();
      expect(await deploy(state, { name: "web" })).toBe(state);
    });

    test("what another resource of the program has imported since a kill stays", async () => {
      const { id } = await create({ name: "web" });
      nextRun();
      const other = contextOf({ urn: otherUrn });
      const read = await lifecycle.read({ id, state: {}, isImport: true }, other);
      await deploy({ memo: undefined, ...(read as Omit<State, "memo">) }, { name: "web" }, other);
      await lifecycle.end(true, other);
      expect(find(id)).toBeDefined();
    });

    test("after a kill before the answer arrived, the next deployment reuses the project of its fixed name", async () => {
      const { inputs } = await checked({ name: "web" });
      const lost = loseAnswers("POST");
      const killed = new AbortController();
      const report = { ...contextOf().report, progress: () => killed.abort() };
      const error = await errorOf(lifecycle.create(inputs, contextOf({ signal: killed.signal, report })));
      lost.remove();
      expect(error).toMatchObject({ code: "outcome_unknown" });
      const [created] = projects();
      nextRun();
      const { failures } = await lifecycle.check(
        { news: { name: "web" }, olds: undefined, memo: undefined, isPreview: true },
        contextOf(),
      );
      expect([failures, messages]).toEqual([[], []]);
      nextRun();
      const state = await create({ name: "web" });
      expect(state.id).toBe(created?.id);
      expect(projects()).toHaveLength(2);
      await endAndNextRun();
      expect(await deploy(state, { name: "web" })).toBe(state);
      expect(hasNotes()).toBe(false);
    });

    test("a project whose name is the automatic one in another case is not taken for ours", async () => {
      const { inputs } = await checked({});
      const { id } = emulator.createProject({ name: String(inputs.name).toUpperCase() });
      expect(await errorOf(create({}))).toMatchObject({ code: "name_taken" });
      expect(projects()).toHaveLength(2);
      expect(find(id)?.name).toBe(String(inputs.name).toUpperCase());
    });

    test("what a killed deployment created, and the program no longer declares, is deleted at the end", async () => {
      const killed = await create({ name: "web" });
      nextRun();
      expect(lifecycle.hasLeftovers(contextOf({ urn: otherUrn }))).toBe(true);
      await lifecycle.end(true, contextOf({ urn: otherUrn }));
      expect(find(killed.id)).toBeUndefined();
      // In case a state has it after all, the next run may still read that it was deleted.
      nextRun();
      await lifecycle.end(true, contextOf({ urn: otherUrn }));
      expect(hasNotes()).toBe(false);
    });

    test("a killed deployment's project that a state has is not gone unseen when another target is deployed", async () => {
      const killed = await create({ name: "web" });
      nextRun();
      await lifecycle.end(true, contextOf({ urn: otherUrn }));
      expect(find(killed.id)).toBeUndefined();
      nextRun();
      const { id } = await replace(killed, { name: "web" });
      expect(find(id)?.name).toBe("web");
      expect(projects()).toHaveLength(2);
    });

    test("a deployment that ended by itself leaves nothing to delete", async () => {
      const state = await create({ name: "web" });
      await endAndNextRun();
      await lifecycle.end(true, contextOf({ urn: otherUrn }));
      expect(find(state.id)).toBeDefined();
    });

    test("a rename whose answer is lost is repeated, and one that was killed is found when the program goes back", async () => {
      const state = await create({ name: "web" });
      await endAndNextRun();
      const lost = loseAnswers("PATCH");
      expect(await errorOf(deploy(state, { name: "shop" }))).toMatchObject({ code: "outcome_unknown" });
      lost.remove();
      expect(find(state.id)?.name).toBe("shop");
      nextRun();
      const back = await deploy(state, { name: "web" });
      expect(back.outputs.name).toBe("web");
      expect(find(state.id)?.name).toBe("web");
      await endAndNextRun();
      expect(await deploy(back, { name: "web" })).toBe(back);
      expect(hasNotes()).toBe(false);
    });

    test("a deletion whose answer is lost is settled by looking", async () => {
      const state = await create({ name: "web" });
      const lost = loseAnswers("DELETE");
      await remove(state);
      lost.remove();
      expect(find(state.id)).toBeUndefined();
    });

    test("a killed deletion is found by the next deployment of the same program, which creates the project again", async () => {
      const state = await create({ name: "web" });
      await remove(state);
      nextRun();
      const next = await replace(state, { name: "web" });
      expect(find(next.id)?.name).toBe("web");
      await endAndNextRun();
      expect(await deploy(next, { name: "web" })).toBe(next);
      // Once it is seen in the state, the deletion before it is over as well.
      await endAndNextRun();
      expect(hasNotes()).toBe(false);
    });

    test("a killed deletion that never arrived leaves the project as it is", async () => {
      const state = await create({ name: "web" });
      const killed = new AbortController();
      emulator.faults.add({ method: "DELETE", at: "before-commit", action: { answer: { status: 500 } } });
      const report = { ...contextOf().report, progress: () => killed.abort() };
      nextRun();
      const stored = { id: state.id, state: state.outputs };
      const error = await errorOf(lifecycle.delete(stored, contextOf({ signal: killed.signal, report })));
      expect(error).toMatchObject({ code: "outcome_unknown" });
      nextRun();
      expect((await replace(state, { name: "web" })).id).toBe(state.id);
      expect(projects()).toHaveLength(2);
    });

    test("a killed deletion is found also when another target is deployed first", async () => {
      const state = await create({ name: "web" });
      await endAndNextRun();
      await deploy(state, { name: "web" });
      await endAndNextRun();
      await remove(state);
      nextRun();
      await lifecycle.end(true, contextOf({ urn: otherUrn }));
      nextRun();
      await replace(state, { name: "web" });
      expect(projects()).toHaveLength(2);
    });

    test("a project that somebody deleted while it is renamed is gone, and the error says what to do", async () => {
      const state = await create({ name: "web" });
      await endAndNextRun();
      emulator.projects.remove(state.id);
      const error = await errorOf(deploy(state, { name: "shop" }));
      expect(error).toMatchObject({ code: "project_gone" });
      expect(error.message).toContain('Run "pulumi up --refresh"');
    });

    describe("is answered, and the engine cannot write its state", () => {
      test("a creation is reused by the same program, also under a new name", async () => {
        const { id } = await create({ name: "web" });
        await endAndNextRun();
        const again = await create({ name: "shop" });
        expect(again.id).toBe(id);
        expect(find(id)?.name).toBe("shop");
        await endAndNextRun();
        expect(await deploy(again, { name: "shop" })).toBe(again);
        await endAndNextRun();
        expect(hasNotes()).toBe(false);
      });

      test("a creation that left the program is told with its id and the command, and never deleted", async () => {
        const { id } = await create({ name: "web" });
        for (const told of [1, 0, 0]) {
          await endAndNextRun();
          expect(lifecycle.hasLeftovers(contextOf({ urn: otherUrn }))).toBe(false);
          await lifecycle.end(true, contextOf({ urn: otherUrn }));
          expect(
            messages.filter((text) => text.includes(`browser-infra projects delete ${id}`)),
          ).toHaveLength(told);
          expect(find(id)).toBeDefined();
        }
        expect(hasNotes()).toBe(false);
      });

      test("a rename is undone when the program goes back", async () => {
        const state = await create({ name: "web" });
        await endAndNextRun();
        await deploy(state, { name: "shop" });
        await endAndNextRun();
        const back = await deploy(state, { name: "web" });
        expect(find(state.id)?.name).toBe("web");
        await endAndNextRun();
        expect(await deploy(back, { name: "web" })).toBe(back);
      });
    });

    test("a killed archiving is undone by the next deployment of the same program", async () => {
      const state = await create({ name: "web", onDelete: "archive" });
      await remove(state);
      nextRun();
      await deploy(state, { name: "web", onDelete: "archive" });
      expect(find(state.id)?.status).toBe("active");
    });
  });
});
