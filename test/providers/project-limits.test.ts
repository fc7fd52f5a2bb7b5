import { existsSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Emulator, startEmulator } from "../../src/emulator/index.js";
import { journalFolder } from "../../src/providers/journal/files.js";
import type { CheckResult, LifecycleContext } from "../../src/providers/lifecycle.js";
import { ProjectLimitsLifecycle } from "../../src/providers/project-limits/project-limits.js";
import { type PropertyMap, unknownValue } from "../../src/providers/properties.js";
import { errorOf } from "../support/error-of.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const type = "browser-infra:index:ProjectLimits";
const urn = `urn:pulumi:dev::shop::${type}::web`;
const otherUrn = `urn:pulumi:dev::shop::${type}::other`;

/** A resource as the engine keeps it between two calls. */
interface State {
  readonly id: string;
  readonly inputs: PropertyMap;
  readonly outputs: PropertyMap;
}

describe("the life cycle of a project's limits", () => {
  let emulator: Emulator;
  let programFolder: string;
  let messages: string[];
  let lifecycle: ProjectLimitsLifecycle;
  let projectId: string;
  let run: number;

  beforeEach(async () => {
    run = 1;
    emulator = await startEmulator();
    programFolder = temporaryFolder();
    messages = [];
    lifecycle = new ProjectLimitsLifecycle();
    projectId = emulator.createProject({
      name: "web",
      limits: { maxConcurrentSessions: 3, maxConcurrentInvocations: 4 },
    }).id;
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
      report: { progress: say, row: say, info: say, warning: say, debug: say },
      ...changes,
    };
  }

  /** Starts the process of a new run. What the one before knew is gone, except for its files. */
  function nextRun(): void {
    run += 1;
    lifecycle = new ProjectLimitsLifecycle();
    messages = [];
  }

  async function endAndNextRun(): Promise<void> {
    await lifecycle.end(true, contextOf());
    nextRun();
  }

  const hasNotes = () => existsSync(join(programFolder, journalFolder));

  function check(news: PropertyMap, olds?: State, context = contextOf()): Promise<CheckResult> {
    return lifecycle.check({ news: { projectId, ...news }, olds: olds?.inputs, memo: undefined }, context);
  }

  async function checked(news: PropertyMap, olds?: State, context = contextOf()): Promise<PropertyMap> {
    const { inputs, failures } = await check(news, olds, context);
    expect(failures).toEqual([]);
    return inputs;
  }

  async function create(news: PropertyMap, context = contextOf()): Promise<State> {
    const inputs = await checked(news, undefined, context);
    return { ...(await lifecycle.create(inputs, context)), inputs };
  }

  async function deploy(state: State, news: PropertyMap, context = contextOf()): Promise<State> {
    const inputs = await checked(news, state, context);
    const request = { id: state.id, olds: state.outputs, news: inputs };
    const { changes, replaces = [] } = lifecycle.diff(request, context);
    expect(replaces).toEqual([]);
    return changes === false
      ? state
      : { ...state, inputs, outputs: await lifecycle.update(request, context) };
  }

  /** An unchanged deployment has seen the state, so that nothing is noted of it any more. */
  async function settled(state: State, news: PropertyMap): Promise<State> {
    await endAndNextRun();
    expect(await deploy(state, news)).toBe(state);
    await endAndNextRun();
    expect(hasNotes()).toBe(false);
    return state;
  }

  function removeInThisRun({ id, outputs }: State, context = contextOf()): Promise<void> {
    return lifecycle.delete({ id, state: outputs }, context);
  }

  async function remove(state: State): Promise<void> {
    nextRun();
    await removeInThisRun(state);
  }

  function limits(id = projectId): [number | null, number | null] | undefined {
    const found = emulator.projects.list().find((project) => project.id === id)?.limits;
    return found && [found.maxConcurrentSessions, found.maxConcurrentInvocations];
  }

  const writes = () => emulator.requests.filter(({ method }) => method !== "GET").length;

  /** Changes are carried out, and their answers are lost. */
  const loseAnswers = () => loseChanges("after-commit");
  /** Changes are not carried out, and nobody says so. */
  const loseRequests = () => loseChanges("before-commit");

  function loseChanges(at: "before-commit" | "after-commit") {
    return emulator.faults.add({
      method: "PATCH",
      at,
      times: Number.POSITIVE_INFINITY,
      action: { answer: { status: 500, headers: { "x-should-retry": "false" } } },
    });
  }

  test("sets what is declared and nothing else, has nothing to do then, and restores it", async () => {
    const state = await create({ maxConcurrentSessions: 9 });
    expect(state.id).toBe(projectId);
    expect(limits()).toEqual([9, 4]);
    expect(state.outputs).toEqual({
      projectId,
      maxConcurrentSessions: 9,
      onDelete: "restore",
      previous: { maxConcurrentSessions: 3 },
    });
    await endAndNextRun();
    const before = writes();
    expect(await deploy(state, { maxConcurrentSessions: 9 })).toBe(state);
    expect(writes()).toBe(before);
    expect(hasNotes()).toBe(false);
    emulator.projects.setLimits(projectId, { maxConcurrentInvocations: 8 });
    await remove(state);
    expect(limits()).toEqual([3, 8]);
  });

  test("null removes a cap, and is not the same as leaving it out", async () => {
    const state = await create({ maxConcurrentSessions: null, maxConcurrentInvocations: 7 });
    expect(limits()).toEqual([null, 7]);
    await endAndNextRun();
    expect(await deploy(state, { maxConcurrentSessions: null, maxConcurrentInvocations: 7 })).toBe(state);
    const left = await deploy(state, { maxConcurrentInvocations: 7 });
    expect(limits()).toEqual([3, 7]);
    await endAndNextRun();
    expect(await deploy(left, { maxConcurrentInvocations: 7 })).toBe(left);
    await deploy(left, { maxConcurrentInvocations: null });
    expect(limits()).toEqual([3, null]);
  });

  test("a cap that was not set before is removed again", async () => {
    emulator.projects.setLimits(projectId, { maxConcurrentSessions: null });
    await remove(await create({ maxConcurrentSessions: 9 }));
    expect(limits()).toEqual([null, 4]);
  });

  test('with onDelete "keep" the caps stay', async () => {
    await remove(await create({ maxConcurrentSessions: 9, onDelete: "keep" }));
    expect(limits()).toEqual([9, 4]);
  });

  test('with onDelete "keep" a cap that leaves the program stays', async () => {
    const keep = { maxConcurrentSessions: 9, onDelete: "keep" };
    const state = await create({ ...keep, maxConcurrentInvocations: 7 });
    await endAndNextRun();
    await deploy(state, keep);
    expect(limits()).toEqual([9, 7]);
  });

  test("leaves the project without a note where none can be written, and says so", async () => {
    const state = await create({ maxConcurrentSessions: 9 });
    nextRun();
    const context = contextOf();
    const environment = { ...context.environment, BROWSER_INFRA_JOURNAL_DIR: "/dev/null/notes" };
    await removeInThisRun(state, { ...context, environment });
    expect(limits()).toEqual([3, 4]);
    expect(messages.join()).toContain("cannot note");
  });

  test("a cap that is declared later is remembered from then on", async () => {
    const state = await create({ maxConcurrentSessions: 9 });
    await endAndNextRun();
    emulator.projects.setLimits(projectId, { maxConcurrentInvocations: 8 });
    const both = await deploy(state, { maxConcurrentSessions: 9, maxConcurrentInvocations: 20 });
    expect(limits()).toEqual([9, 20]);
    await remove(both);
    expect(limits()).toEqual([3, 8]);
  });

  test("sends nothing when the caps are as declared", async () => {
    const before = writes();
    const state = await create({ maxConcurrentSessions: 3 });
    expect(writes()).toBe(before);
    await remove(state);
    expect(writes()).toBe(before);
  });

  test("warns, where no journal tells, that limits that are as declared may be an interrupted deployment's own", async () => {
    await create({ maxConcurrentSessions: 3 });
    expect(messages).toEqual([expect.stringContaining("If an interrupted deployment of this stack set it")]);
  });

  test.each([
    [{ maxConcurrentSessions: 0 }, "maxConcurrentSessions", 'the service reads 0 as "no cap"'],
    [{ maxConcurrentSessions: -1 }, "maxConcurrentSessions", "whole number of at least 1"],
    [{ maxConcurrentInvocations: 1.5 }, "maxConcurrentInvocations", "whole number of at least 1"],
    [{ maxConcurrentInvocations: "5" }, "maxConcurrentInvocations", "whole number of at least 1"],
    [{}, "", "needs at least one of"],
    [{ uncapped: [] }, "", "needs at least one of"],
    [{ uncapped: ["maxPooledSessions"] }, "uncapped", "must be a list of limits"],
    [
      { maxConcurrentSessions: 1, uncapped: ["maxConcurrentSessions"] },
      "maxConcurrentSessions",
      "Remove one of them",
    ],
    [{ maxConcurrentSessions: 1, maxPooledSessions: 2 }, "", 'has no input "maxPooledSessions"'],
    [{ maxConcurrentSessions: 1, onDelete: "delete" }, "onDelete", '"restore"'],
    [{ maxConcurrentSessions: 1, projectId: "" }, "projectId", "the id of the project"],
    [{ maxConcurrentSessions: 1, projectId: "no\nid" }, "projectId", "projectId"],
  ])("%j is refused before any request", async (news, property, reason) => {
    const { failures } = await check(news);
    expect(failures).toEqual([{ property, reason: expect.stringContaining(reason) }]);
    expect(emulator.requests).toEqual([]);
  });

  test("every mistake is found at once, and what is unknown passes", async () => {
    const { failures } = await check({ projectId: 5, maxConcurrentSessions: 0, onDelete: "x" });
    expect(failures.map(({ property }) => property)).toEqual([
      "projectId",
      "maxConcurrentSessions",
      "onDelete",
    ]);
    await checked({ projectId: unknownValue, maxConcurrentSessions: unknownValue });
    nextRun();
    const inputs = await checked({ projectId: unknownValue, uncapped: unknownValue });
    expect(inputs.uncapped).toBe(unknownValue);
  });

  test("a limit that uncapped names is the same as one that is null, for programs that cannot say null", async () => {
    const state = await create({ uncapped: ["maxConcurrentSessions"], maxConcurrentInvocations: 7 });
    expect(limits()).toEqual([null, 7]);
    nextRun();
    expect(await deploy(state, { maxConcurrentSessions: null, maxConcurrentInvocations: 7 })).toBe(state);
    nextRun();
    const capped = await deploy(state, { maxConcurrentSessions: 8, maxConcurrentInvocations: 7 });
    expect(limits()).toEqual([8, 7]);
    await remove(capped);
    expect(limits()).toEqual([3, 4]);
  });

  test("a project that does not exist, or its name, is refused in a preview and in a deployment", async () => {
    for (const id of ["nowhere", "web"]) {
      const inputs = await checked(
        { projectId: id, maxConcurrentSessions: 5 },
        undefined,
        contextOf({ urn: id }),
      );
      expect(await errorOf(lifecycle.create(inputs, contextOf()))).toBeInstanceOf(Error);
    }
    nextRun();
    const inputs = await checked({ projectId: "nowhere", maxConcurrentSessions: 5 });
    const failures = await lifecycle.preview({ olds: undefined, inputs, memo: undefined }, contextOf());
    expect(failures).toEqual([
      { property: "projectId", reason: expect.stringContaining('There is no project "nowhere"') },
    ]);
    expect(limits()).toEqual([3, 4]);
  });

  test("two resources for the same project are refused", async () => {
    await checked({ maxConcurrentSessions: 9 });
    const { failures } = await check(
      { maxConcurrentInvocations: 9 },
      undefined,
      contextOf({ urn: otherUrn }),
    );
    expect(failures).toEqual([{ property: "projectId", reason: expect.stringContaining("Two resources") }]);
  });

  test("shows by property what was changed outside, and corrects only that", async () => {
    const state = await create({ maxConcurrentSessions: 9 });
    await endAndNextRun();
    emulator.projects.setLimits(projectId, { maxConcurrentSessions: null, maxConcurrentInvocations: 1 });
    const read = await lifecycle.read({ id: state.id, state: state.outputs }, contextOf());
    expect(read?.inputs).toEqual({ projectId, uncapped: ["maxConcurrentSessions"], onDelete: "restore" });
    expect(messages).toEqual([
      expect.stringContaining("from maxConcurrentSessions 9 to maxConcurrentSessions no cap"),
    ]);
    const drifted = { ...state, ...(read as State) };
    const corrected = await deploy(drifted, { maxConcurrentSessions: 9 });
    expect(limits()).toEqual([9, 1]);
    await remove(corrected);
    expect(limits()).toEqual([3, 1]);
  });

  test("a cap that somebody else has changed since is not restored", async () => {
    const state = await create({ maxConcurrentSessions: 9, maxConcurrentInvocations: 9 });
    emulator.projects.setLimits(projectId, { maxConcurrentSessions: 50 });
    await remove(state);
    expect(limits()).toEqual([50, 4]);
    expect(messages.join()).toContain("from maxConcurrentSessions 9 to maxConcurrentSessions 50");
  });

  test("goes with its project", async () => {
    const state = await create({ maxConcurrentSessions: 9 });
    emulator.projects.remove(projectId);
    expect(await lifecycle.read({ id: state.id, state: state.outputs }, contextOf())).toBeUndefined();
    await remove(state);
    expect(messages).toEqual([expect.stringContaining("is gone")]);
  });

  test.each<[what: string, project: () => PropertyMap[string]]>([
    ["another project", () => emulator.createProject({ name: "other" }).id],
    ["a project that is still to be created", () => unknownValue],
  ])("%s replaces it", async (_what, project) => {
    const state = await create({ maxConcurrentSessions: 9 });
    nextRun();
    const news = await checked({ projectId: project(), maxConcurrentSessions: 9 }, state);
    const result = lifecycle.diff({ id: state.id, olds: state.outputs, news }, contextOf());
    expect(result).toEqual({ replaces: ["projectId"] });
  });

  test("another resource for the project, created before or after the old one goes, keeps the previous caps", async () => {
    const state = await create({ maxConcurrentSessions: 9 });
    nextRun();
    const other = contextOf({ urn: otherUrn });
    const inputs = await checked({ maxConcurrentSessions: 9 }, undefined, other);
    lifecycle.diff({ id: state.id, olds: state.outputs, news: inputs }, contextOf());
    const next = { ...(await lifecycle.create(inputs, other)), inputs };
    await removeInThisRun(state);
    expect(limits()).toEqual([9, 4]);
    expect(next.outputs.previous).toEqual({ maxConcurrentSessions: 3 });
    nextRun();
    const again = await checked({ maxConcurrentSessions: 10 });
    await removeInThisRun(next, other);
    const last = await lifecycle.create(again, contextOf());
    expect(last.outputs.previous).toEqual({ maxConcurrentSessions: 3 });
  });

  test("under another logical name restores the previous caps, which the old resource hands on when it goes", async () => {
    const news = { maxConcurrentSessions: 9, maxConcurrentInvocations: 8 };
    const state = await settled(await create(news), news);
    // The engine creates the new one before it deletes the old one, and never compares that.
    const other = contextOf({ urn: otherUrn });
    const inputs = await checked({ maxConcurrentSessions: 9 }, undefined, other);
    const next = { ...(await lifecycle.create(inputs, other)), inputs };
    await removeInThisRun(state);
    await endAndNextRun();
    const later = contextOf({ urn: otherUrn, deployment: `127.0.0.1:${run}` });
    // A run that has neither changes nothing about that.
    await lifecycle.end(true, contextOf({ urn: `${urn}3` }));
    const taken = await deploy(next, { maxConcurrentSessions: 9 }, later);
    expect(taken.outputs.previous).toEqual({ maxConcurrentSessions: 3 });
    // The program no longer declares the other cap.
    expect(limits()).toEqual([9, 4]);
    await endAndNextRun();
    const unchanged = contextOf({ urn: otherUrn });
    expect(await deploy(taken, { maxConcurrentSessions: 9 }, unchanged)).toBe(taken);
    expect(hasNotes()).toBe(false);
    nextRun();
    await removeInThisRun(taken, contextOf({ urn: otherUrn }));
    expect(limits()).toEqual([3, 4]);
  });

  test("under another logical name restores a limit that only the old resource had also after a lost answer", async () => {
    const state = await settled(await create({ maxConcurrentInvocations: 9 }), {
      maxConcurrentInvocations: 9,
    });
    const other = () => contextOf({ urn: otherUrn });
    const lost = loseAnswers();
    const inputs = await checked({ maxConcurrentSessions: 7 }, undefined, other());
    expect(await errorOf(lifecycle.create(inputs, other()))).toMatchObject({ code: "outcome_unknown" });
    lost.remove();
    await endAndNextRun();
    const eight = { maxConcurrentSessions: 8 };
    const next = await create(eight, other());
    await removeInThisRun(state);
    await endAndNextRun();
    const taken = await deploy(next, eight, other());
    expect(limits()).toEqual([8, 4]);
    await remove(taken);
    expect(limits()).toEqual([3, 4]);
  });

  test("under another logical name is handed on also if the engine could not write that, and the program goes back", async () => {
    const nine = { maxConcurrentInvocations: 9 };
    const state = await settled(await create(nine), nine);
    await create({ maxConcurrentSessions: 8 }, contextOf({ urn: otherUrn }));
    await removeInThisRun(state);
    await endAndNextRun();
    const back = await deploy(state, { maxConcurrentSessions: 20 });
    expect(back.outputs.previous).toEqual({ maxConcurrentSessions: 3 });
    expect(limits()).toEqual([20, 4]);
  });

  test("under another logical name restores the previous caps also when it goes at once", async () => {
    const state = await settled(await create({ maxConcurrentSessions: 9 }), { maxConcurrentSessions: 9 });
    const other = contextOf({ urn: otherUrn });
    const inputs = await checked({ maxConcurrentSessions: 9 }, undefined, other);
    const next = { ...(await lifecycle.create(inputs, other)), inputs };
    await removeInThisRun(state);
    await endAndNextRun();
    await removeInThisRun(next, contextOf({ urn: otherUrn }));
    expect(limits()).toEqual([3, 4]);
    await endAndNextRun();
    await lifecycle.end(true, contextOf({ urn: `${urn}3` }));
    expect(hasNotes()).toBe(false);
  });

  test.each(["stays", "is changed"])(
    "under another logical name after a deployment that failed in between, the declared limit %s and the original one is restored at the end",
    async (what) => {
      const seven = { maxConcurrentSessions: 7 };
      const one = await settled(await create(seven), seven);
      const other = () => contextOf({ urn: otherUrn });
      // Something else fails, so the engine does not delete what left the program.
      const two = await create(seven, other());
      await endAndNextRun();
      const next = what === "stays" ? seven : { maxConcurrentSessions: 8 };
      const kept = await deploy(two, next, other());
      await removeInThisRun(one);
      expect(limits()).toEqual([next.maxConcurrentSessions, 4]);
      await endAndNextRun();
      const taken = await deploy(kept, next, other());
      expect(taken.outputs.previous).toEqual({ maxConcurrentSessions: 3 });
      await remove(taken);
      expect(limits()).toEqual([3, 4]);
    },
  );

  test.each(["first", "last"])(
    "the original limit is restored also when everything is destroyed after such a deployment, the old resource %s",
    async (order) => {
      const seven = { maxConcurrentSessions: 7 };
      const one = await settled(await create(seven), seven);
      const two = await create(seven, contextOf({ urn: otherUrn }));
      await endAndNextRun();
      const removals = [() => removeInThisRun(one), () => removeInThisRun(two, contextOf({ urn: otherUrn }))];
      for (const removal of order === "first" ? removals : removals.reverse()) {
        await removal();
      }
      expect(limits()).toEqual([3, 4]);
      expect(messages.join()).not.toContain("outside of this program");
    },
  );

  test("under another logical name inherits nothing any more when a refresh finds the project gone", async () => {
    const state = await settled(await create({ maxConcurrentSessions: 9 }), { maxConcurrentSessions: 9 });
    const other = contextOf({ urn: otherUrn });
    const next = await create({ maxConcurrentSessions: 9 }, other);
    await removeInThisRun(state);
    await endAndNextRun();
    expect(hasNotes()).toBe(true);
    emulator.projects.remove(projectId);
    const later = contextOf({ urn: otherUrn });
    expect(await lifecycle.read({ id: projectId, state: next.outputs }, later)).toBeUndefined();
    expect(hasNotes()).toBe(false);
  });

  test("under another logical name leaves alone what somebody had set before it was created", async () => {
    const state = await settled(await create({ maxConcurrentSessions: 9 }), { maxConcurrentSessions: 9 });
    emulator.projects.setLimits(projectId, { maxConcurrentSessions: 50 });
    const other = contextOf({ urn: otherUrn });
    const inputs = await checked({ maxConcurrentSessions: 12 }, undefined, other);
    const next = { ...(await lifecycle.create(inputs, other)), inputs };
    await removeInThisRun(state);
    await endAndNextRun();
    await removeInThisRun(next, contextOf({ urn: otherUrn }));
    expect(limits()).toEqual([50, 4]);
  });

  test("a cap that somebody else has changed stays also when a refresh has seen it before the deletion", async () => {
    const state = await create({ maxConcurrentSessions: 9, maxConcurrentInvocations: 9 });
    await endAndNextRun();
    emulator.projects.setLimits(projectId, { maxConcurrentSessions: 50 });
    const read = (await lifecycle.read({ id: state.id, state: state.outputs }, contextOf())) as State;
    await remove({ ...state, ...read });
    expect(limits()).toEqual([50, 4]);
    expect(messages.join()).toContain("from maxConcurrentSessions 9 to maxConcurrentSessions 50");
  });

  test("a resource that was destroyed says nothing about what somebody has set since", async () => {
    const news = { maxConcurrentSessions: 9, maxConcurrentInvocations: 8 };
    const first = await settled(await create(news), news);
    await remove(first);
    expect(limits()).toEqual([3, 4]);
    await endAndNextRun();
    emulator.projects.setLimits(projectId, { maxConcurrentSessions: 9, maxConcurrentInvocations: 50 });
    const again = await create({ maxConcurrentSessions: 12 });
    expect(messages).toEqual([]);
    expect(again.outputs.previous).toEqual({ maxConcurrentSessions: 9 });
    await remove(again);
    expect(limits()).toEqual([9, 50]);
  });

  test("a cap that somebody else has changed is the resource's own once the program declares it", async () => {
    const nine = { maxConcurrentSessions: 9 };
    const state = await settled(await create(nine), nine);
    emulator.projects.setLimits(projectId, { maxConcurrentSessions: 50 });
    const read = (await lifecycle.read({ id: state.id, state: state.outputs }, contextOf())) as State;
    nextRun();
    const declared = await deploy({ ...state, ...read }, { maxConcurrentSessions: 50 });
    expect(declared.outputs.set).toBeUndefined();
    await remove(declared);
    expect(limits()).toEqual([3, 4]);
  });

  test("the option ignoreChanges keeps a cap of null when it names the list of them as well", async () => {
    const state = await create({ maxConcurrentSessions: null, maxConcurrentInvocations: 7 });
    await endAndNextRun();
    const ignored: PropertyMap = { maxConcurrentInvocations: 7, uncapped: ["maxConcurrentSessions"] };
    expect(await deploy(state, ignored)).toBe(state);
  });

  test("is imported by the project's id, with every cap, and leaves them when it goes", async () => {
    emulator.projects.setLimits(projectId, { maxConcurrentInvocations: null });
    const read = await lifecycle.read({ id: projectId, state: {}, isImport: true }, contextOf());
    const state = read as unknown as State;
    expect(state.inputs).toEqual({
      projectId,
      maxConcurrentSessions: 3,
      uncapped: ["maxConcurrentInvocations"],
      onDelete: "restore",
    });
    expect(await deploy(state, { maxConcurrentSessions: 3, maxConcurrentInvocations: null })).toBe(state);
    await remove(state);
    expect(limits()).toEqual([3, null]);
  });

  describe("when the service has answered, but the engine could not write its state", () => {
    const nine = { maxConcurrentSessions: 9 };
    const twenty = { maxConcurrentSessions: 20 };

    test.each([
      ["is declared again", nine],
      ["changes", twenty],
    ])("the limits before are still known to a resource that %s", async (_what, news) => {
      await create(nine);
      await endAndNextRun();
      const state = await create(news);
      expect(messages.join()).not.toContain("interrupted deployment");
      expect(state.outputs.previous).toEqual({ maxConcurrentSessions: 3 });
      await settled(state, news);
      await remove(state);
      expect(limits()).toEqual([3, 4]);
    });

    test("limits that left the program stay, the next update tells once what was there before, and that is kept as long as they stay", async () => {
      await create(nine);
      await endAndNextRun();
      expect(lifecycle.hasLeftovers(contextOf({ urn: otherUrn }))).toBe(false);
      await lifecycle.end(true, contextOf({ urn: otherUrn }));
      expect(limits()).toEqual([9, 4]);
      expect(messages).toEqual([
        expect.stringMatching(`limits of project ${projectId}.*maxConcurrentSessions 3`),
      ]);
      nextRun();
      await lifecycle.end(true, contextOf({ urn: otherUrn }));
      expect(messages).toEqual([]);
      nextRun();
      const again = await create(twenty);
      expect(again.outputs.previous).toEqual({ maxConcurrentSessions: 3 });
      await endAndNextRun();
      emulator.projects.setLimits(projectId, { maxConcurrentSessions: 50 });
      await lifecycle.end(true, contextOf({ urn: otherUrn }));
      expect(messages).toEqual([]);
      expect(hasNotes()).toBe(false);
    });

    test.each([
      ["same", twenty],
      ["former", nine],
      ["another", { maxConcurrentSessions: 30 }],
    ])("an update is completed by a program with the %s limit", async (_what, news) => {
      const state = await settled(await create(nine), nine);
      await deploy(state, twenty);
      await endAndNextRun();
      const next = await deploy(state, news);
      expect(limits()).toEqual([news.maxConcurrentSessions, 4]);
      await settled(next, news);
      await remove(next);
      expect(limits()).toEqual([3, 4]);
    });

    test("an update is undone when the resource goes", async () => {
      const state = await settled(await create(nine), nine);
      await deploy(state, twenty);
      await endAndNextRun();
      await removeInThisRun(state);
      expect(limits()).toEqual([3, 4]);
    });

    test("an update is found also after a refresh has read the limit that it set", async () => {
      const state = await settled(await create(nine), nine);
      await deploy(state, twenty);
      await endAndNextRun();
      const read = (await lifecycle.read({ id: state.id, state: state.outputs }, contextOf())) as State;
      await checked(nine, state);
      lifecycle.diff({ id: state.id, olds: read.outputs, news: read.inputs }, contextOf());
      nextRun();
      await removeInThisRun({ ...state, ...read });
      expect(limits()).toEqual([3, 4]);
    });

    test.each([
      ["same", nine],
      ["another", twenty],
    ])("a deletion is found by a program that declares the %s limit", async (_what, news) => {
      const state = await settled(await create(nine), nine);
      await remove(state);
      await endAndNextRun();
      const again = await deploy(state, news);
      expect(limits()).toEqual([news.maxConcurrentSessions, 4]);
      await settled(again, news);
      await remove(again);
      expect(limits()).toEqual([3, 4]);
    });

    test("a deletion is repeated without harm, though somebody has set another limit since", async () => {
      const state = await settled(await create(nine), nine);
      await remove(state);
      await endAndNextRun();
      emulator.projects.setLimits(projectId, { maxConcurrentSessions: 50 });
      await removeInThisRun(state);
      expect(limits()).toEqual([50, 4]);
    });

    test("a destroy of forty resources leaves one small file, and the next update none", async () => {
      const projects = Array.from(
        { length: 40 },
        (_each, at) => emulator.createProject({ name: `web ${at}` }).id,
      );
      const states: State[] = [];
      for (const id of projects) {
        states.push(await create({ ...nine, projectId: id }, contextOf({ urn: `${urn}-${id}` })));
      }
      await endAndNextRun();
      for (const state of states) {
        await removeInThisRun(state, contextOf({ urn: `${urn}-${state.id}` }));
      }
      await lifecycle.end(true, contextOf());
      const folder = join(programFolder, journalFolder);
      const [file = "", ...others] = readdirSync(folder);
      expect(others).toEqual([]);
      expect(statSync(join(folder, file)).size).toBeLessThan(4_096);
      nextRun();
      await lifecycle.end(true, contextOf());
      expect(hasNotes()).toBe(false);
    });
  });

  describe("when the journal cannot be read", () => {
    const nine = { maxConcurrentSessions: 9 };

    function damage(): string {
      const folder = join(programFolder, journalFolder);
      const file = join(folder, readdirSync(folder)[0] ?? "");
      writeFileSync(file, "{");
      return file;
    }

    test("a preview warns, and a deployment fails and says which file it is and what to do", async () => {
      const state = await create(nine);
      await endAndNextRun();
      const file = damage();
      const news = await checked(nine, state);
      const request = { id: state.id, olds: state.outputs, news };
      expect(lifecycle.diff(request, contextOf())).toEqual({ changes: true });
      expect(messages).toEqual([expect.stringContaining(`cannot read "${file}"`)]);
      const before = emulator.requests.length;
      for (const work of [
        () => lifecycle.update(request, contextOf()),
        () => removeInThisRun(state),
        () => lifecycle.create(news, contextOf()),
      ]) {
        const error = await errorOf(work());
        expect(error).toMatchObject({ name: "LocalError", code: "journal_unreadable" });
        expect((error as Error).message).toContain(file);
        expect((error as Error).message).toContain("Restore the file");
      }
      expect(emulator.requests.slice(before).filter(({ method }) => method !== "GET")).toEqual([]);
    });
  });

  describe("when an answer is lost or the process is killed", () => {
    test("after a lost answer to the creation, the previous caps are still known", async () => {
      const lost = loseAnswers();
      const inputs = await checked({ maxConcurrentSessions: 9 });
      expect(await errorOf(lifecycle.create(inputs, contextOf()))).toMatchObject({ code: "outcome_unknown" });
      lost.remove();
      expect(limits()).toEqual([9, 4]);
      await endAndNextRun();
      const state = await create({ maxConcurrentSessions: 9 });
      expect(state.outputs.previous).toEqual({ maxConcurrentSessions: 3 });
      await remove(state);
      expect(limits()).toEqual([3, 4]);
    });

    test("what a lost answer leaves of limits that have left the program is undone, though that deployment ended by itself", async () => {
      const lost = loseAnswers();
      const inputs = await checked({ maxConcurrentSessions: 9 });
      expect(await errorOf(lifecycle.create(inputs, contextOf()))).toMatchObject({ code: "outcome_unknown" });
      lost.remove();
      await endAndNextRun();
      expect(lifecycle.hasLeftovers(contextOf({ urn: otherUrn }))).toBe(true);
      await lifecycle.end(true, contextOf({ urn: otherUrn }));
      expect(limits()).toEqual([3, 4]);
      nextRun();
      expect(lifecycle.hasLeftovers(contextOf({ urn: otherUrn }))).toBe(false);
    });

    test("after a kill between answer and state, also with other caps in the program", async () => {
      await create({ maxConcurrentSessions: 9 });
      nextRun();
      const state = await create({ maxConcurrentSessions: 12, maxConcurrentInvocations: 1 });
      expect(limits()).toEqual([12, 1]);
      expect(state.outputs.previous).toEqual({ maxConcurrentSessions: 3, maxConcurrentInvocations: 4 });
      await endAndNextRun();
      expect(await deploy(state, { maxConcurrentSessions: 12, maxConcurrentInvocations: 1 })).toBe(state);
      expect(hasNotes()).toBe(false);
    });

    test("a killed update is found when the program goes back", async () => {
      const state = await create({ maxConcurrentSessions: 9 });
      await endAndNextRun();
      await deploy(state, { maxConcurrentSessions: 20 });
      nextRun();
      const back = await deploy(state, { maxConcurrentSessions: 9 });
      expect(limits()).toEqual([9, 4]);
      await remove(back);
      expect(limits()).toEqual([3, 4]);
    });

    test("a cap that only a killed update declared is restored when the program gives another one, goes back, or goes", async () => {
      const state = await create({ maxConcurrentSessions: 9 });
      await endAndNextRun();
      const killed = { maxConcurrentSessions: 20, maxConcurrentInvocations: 7 };
      await deploy(state, killed);
      nextRun();
      const other = await deploy(state, { maxConcurrentSessions: 5 });
      expect(limits()).toEqual([5, 4]);
      expect(other.outputs.previous).toEqual({ maxConcurrentSessions: 3 });
      await endAndNextRun();
      await deploy(other, killed);
      nextRun();
      const back = await deploy(other, { maxConcurrentSessions: 5 });
      expect(limits()).toEqual([5, 4]);
      await endAndNextRun();
      await deploy(back, killed);
      nextRun();
      await remove(back);
      expect(limits()).toEqual([3, 4]);
    });

    test("a cap that only a killed creation declared is restored when the program no longer does", async () => {
      await create({ maxConcurrentSessions: 9, maxConcurrentInvocations: 7 });
      nextRun();
      const state = await create({ maxConcurrentSessions: 9 });
      expect(limits()).toEqual([9, 4]);
      await settled(state, { maxConcurrentSessions: 9 });
      await remove(state);
      expect(limits()).toEqual([3, 4]);
    });

    test('a cap that only a killed creation declared stays with onDelete "keep"', async () => {
      await create({ maxConcurrentSessions: 9, maxConcurrentInvocations: 7 });
      nextRun();
      await create({ maxConcurrentSessions: 9, onDelete: "keep" });
      expect(limits()).toEqual([9, 7]);
    });

    test("a cap that only a killed creation declared is restored also when the next one has failed", async () => {
      await create({ maxConcurrentSessions: 9, maxConcurrentInvocations: 7 });
      nextRun();
      const fault = loseRequests();
      expect(await errorOf(create({ maxConcurrentSessions: 9 }))).toMatchObject({ code: "outcome_unknown" });
      fault.remove();
      nextRun();
      await lifecycle.end(true, contextOf({ urn: otherUrn }));
      expect(limits()).toEqual([3, 4]);
    });

    test("a cap that only a killed update declared is restored also when the next one has failed", async () => {
      const nine = { maxConcurrentSessions: 9 };
      const state = await settled(await create(nine), nine);
      await deploy(state, { ...nine, maxConcurrentInvocations: 7 });
      nextRun();
      const fault = loseRequests();
      expect(await errorOf(deploy(state, nine))).toMatchObject({ code: "outcome_unknown" });
      fault.remove();
      nextRun();
      await deploy(state, nine);
      expect(limits()).toEqual([9, 4]);
    });

    test("what a killed creation set is undone at the end also when the service refused the next one", async () => {
      await create({ maxConcurrentSessions: 9 });
      nextRun();
      emulator.faults.add({ method: "PATCH", at: "before-commit", action: { answer: { status: 400 } } });
      expect(await errorOf(create({ maxConcurrentSessions: 12 }))).toMatchObject({ status: 400 });
      nextRun();
      await lifecycle.end(true, contextOf({ urn: otherUrn }));
      expect(limits()).toEqual([3, 4]);
    });

    test('with onDelete "keep" the caps stay also when a killed update had changed them', async () => {
      const keep = { maxConcurrentSessions: 9, onDelete: "keep" };
      const state = await settled(await create(keep), keep);
      await deploy(state, { ...keep, maxConcurrentSessions: 20 });
      await remove(state);
      nextRun();
      await lifecycle.end(true, contextOf({ urn: otherUrn }));
      expect(limits()).toEqual([20, 4]);
      expect(hasNotes()).toBe(false);
    });

    test('with onDelete "keep" the caps before are still known to a replacement that a kill has cut in two', async () => {
      const keep = { maxConcurrentSessions: 9, onDelete: "keep" };
      const state = await settled(await create(keep), keep);
      await checked(keep);
      await removeInThisRun(state);
      nextRun();
      expect((await create(keep)).outputs.previous).toEqual({ maxConcurrentSessions: 3 });
    });

    test("nothing is noted any more of a killed creation whose project is gone", async () => {
      await create({ maxConcurrentSessions: 9 });
      emulator.projects.remove(projectId);
      nextRun();
      await lifecycle.end(true, contextOf({ urn: otherUrn }));
      expect(hasNotes()).toBe(false);
    });

    test("nothing is noted any more of a deletion without an answer once it is repeated", async () => {
      const state = await create({ maxConcurrentSessions: 9 });
      await endAndNextRun();
      const lost = loseAnswers();
      expect(await errorOf(remove(state))).toMatchObject({ code: "outcome_unknown" });
      lost.remove();
      await remove(state);
      await endAndNextRun();
      await lifecycle.end(true, contextOf({ urn: otherUrn }));
      nextRun();
      await lifecycle.end(true, contextOf({ urn: otherUrn }));
      expect(hasNotes()).toBe(false);
    });

    test("what a killed deployment set, and the program no longer declares, is undone at the end", async () => {
      await create({ maxConcurrentSessions: 9 });
      nextRun();
      expect(lifecycle.hasLeftovers(contextOf({ urn: otherUrn }))).toBe(true);
      await lifecycle.end(true, contextOf({ urn: otherUrn }));
      expect(limits()).toEqual([3, 4]);
    });

    test("a killed deletion is continued by the next one, and undone by a program that still has it", async () => {
      const state = await create({ maxConcurrentSessions: 9 });
      await remove(state);
      await remove(state);
      expect(limits()).toEqual([3, 4]);
      nextRun();
      await deploy(state, { maxConcurrentSessions: 9 });
      expect(limits()).toEqual([9, 4]);
    });
  });
});
