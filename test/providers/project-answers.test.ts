import { type Emulator, type FaultAction, type FaultPoint, startEmulator } from "../../src/emulator/index.js";
import type { LifecycleContext, ResourceLifecycle } from "../../src/providers/lifecycle.js";
import { ProjectLifecycle } from "../../src/providers/project/project.js";
import { ProjectLimitsLifecycle } from "../../src/providers/project-limits/lifecycle.js";
import type { PropertyMap } from "../../src/providers/properties.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** How the answer to a write is lost. `null`: the process is killed before the state is written. */
const losses: readonly (readonly [string, FaultPoint, FaultAction | null])[] = [
  ["reset before the request is read", "before-reading", "reset"],
  ["reset after the commit", "after-commit", "reset"],
  ["answered 500 after the commit", "after-commit", { answer: { status: 500 } }],
  ["answered in part", "while-answering", { truncateAfterBytes: 0 }],
  ["followed by a kill", "after-commit", null],
];

/** A resource as the state has it. */
interface State {
  readonly id: string;
  readonly inputs: PropertyMap;
  readonly outputs: PropertyMap;
}

let emulator: Emulator;
let programFolder: string;
let run: number;
let projectId: string;

beforeEach(async () => {
  emulator = await startEmulator();
  programFolder = temporaryFolder();
  run = 0;
  projectId = emulator.createProject({ name: "limited", limits: { maxConcurrentSessions: 3 } }).id;
});

afterEach(() => emulator.close());

/** One run of the engine, with a process of its own. A look that takes long is cut short. */
class Run {
  readonly #lifecycle: ResourceLifecycle;
  readonly #context: LifecycleContext;

  constructor(kind: "Project" | "ProjectLimits") {
    run += 1;
    const ends = new AbortController();
    const ignore = () => {};
    this.#lifecycle = kind === "Project" ? new ProjectLifecycle() : new ProjectLimitsLifecycle();
    this.#context = {
      urn: `urn:pulumi:dev::shop::browser-infra:index:${kind}::web`,
      programFolder,
      deployment: `127.0.0.1:${run}`,
      configuration: () => undefined,
      environment: { BROWSER_INFRA_BASE_URL: emulator.url, BROWSER_INFRA_API_KEY: emulator.apiKeys[0] },
      signal: ends.signal,
      // Of a write that never arrived, nothing is to be found for 15 s.
      report: {
        progress: () => setTimeout(() => ends.abort(), 200),
        row: ignore,
        info: ignore,
        warning: ignore,
        debug: ignore,
      },
    };
  }

  /** Deploys a program. Returns the state as it is then; on an error, that from before. */
  async deploy(news: PropertyMap, state?: State): Promise<State | undefined> {
    const lifecycle = this.#lifecycle;
    const context = this.#context;
    const { inputs, failures } = await lifecycle.check(
      { news, olds: state?.inputs, memo: undefined },
      context,
    );
    expect(failures).toEqual([]);
    try {
      if (state === undefined) {
        return { ...(await lifecycle.create(inputs, context)), inputs };
      }
      const request = { id: state.id, olds: state.outputs, news: inputs };
      return lifecycle.diff(request, context).changes === false
        ? state
        : { ...state, inputs, outputs: await lifecycle.update(request, context) };
    } catch (error) {
      expect(error).toMatchObject({ code: "outcome_unknown" });
      return state;
    }
  }

  /** Whether a deployment of this program would do anything. */
  async wouldChange(news: PropertyMap, state: State): Promise<boolean> {
    const { inputs } = await this.#lifecycle.check(
      { news, olds: state.inputs, memo: undefined },
      this.#context,
    );
    const request = { id: state.id, olds: state.outputs, news: inputs };
    return this.#lifecycle.diff(request, this.#context).changes !== false;
  }

  /** Deletes the resource. Returns what the state has of it then. */
  async remove(state: State): Promise<State | undefined> {
    try {
      await this.#lifecycle.delete({ id: state.id, state: state.outputs }, this.#context);
      return undefined;
    } catch (error) {
      expect(error).toMatchObject({ code: "outcome_unknown" });
      return state;
    }
  }

  end(): Promise<void> {
    return this.#lifecycle.end?.(true, this.#context) ?? Promise.resolve();
  }
}

/** Carries out a write whose answer is lost, and ends the run unless it is killed. */
async function losing(
  kind: "Project" | "ProjectLimits",
  method: string,
  [, at, action]: (typeof losses)[number],
  before: State | undefined,
  work: (current: Run) => Promise<State | undefined>,
): Promise<State | undefined> {
  const struck = action === null ? undefined : emulator.faults.add({ method, at, action });
  const current = new Run(kind);
  const after = await work(current);
  if (struck === undefined) {
    return before;
  }
  expect(struck.hits).toBe(1);
  await current.end();
  return after;
}

const named = (name: string) => emulator.projects.list().filter((project) => project.name === name);
const sessions = () =>
  emulator.projects.list().find(({ id }) => id === projectId)?.limits.maxConcurrentSessions;

/** Lets the next run deploy the program, and the one after it find nothing to do. */
async function settle(kind: "Project" | "ProjectLimits", news: PropertyMap, state: State | undefined) {
  const next = new Run(kind);
  const settled = (await next.deploy(news, state)) as State;
  await next.end();
  expect(await new Run(kind).wouldChange(news, settled)).toBe(false);
  return settled;
}

async function deployed(kind: "Project" | "ProjectLimits", news: PropertyMap): Promise<State> {
  const first = new Run(kind);
  const state = (await first.deploy(news)) as State;
  await first.end();
  return state;
}

describe.each(losses)("an answer that is %s", (...loss) => {
  test("leaves one project after a creation", async () => {
    const news = { name: "web" };
    const state = await losing("Project", "POST", loss, undefined, (current) => current.deploy(news));
    const { id } = await settle("Project", news, state);
    expect(named("web")).toMatchObject([{ id }]);
    expect(emulator.projects.list()).toHaveLength(3);
  });

  test("leaves one project under the new name after a rename, and the old one when the program goes back", async () => {
    const state = await deployed("Project", { name: "web" });
    const news = { name: "shop" };
    const after = await losing("Project", "PATCH", loss, state, (current) => current.deploy(news, state));
    const back = await settle("Project", { name: "web" }, after);
    expect(named("web")).toMatchObject([{ id: state.id }]);
    await settle("Project", news, back);
    expect(named("shop")).toMatchObject([{ id: state.id }]);
    expect(named("web")).toEqual([]);
  });

  test("leaves no project after a deletion, and an archived one after an archiving", async () => {
    for (const [onDelete, method] of [
      ["delete", "DELETE"],
      ["archive", "PATCH"],
    ] as const) {
      const state = await deployed("Project", { name: onDelete, onDelete });
      const after = await losing("Project", method, loss, state, (current) => current.remove(state));
      if (after !== undefined) {
        expect(await new Run("Project").remove(after)).toBeUndefined();
      }
    }
    expect(named("delete")).toEqual([]);
    expect(named("archive")).toMatchObject([{ status: "archived" }]);
  });

  test("loses no previous limit after limits are set, changed and restored", async () => {
    const first = { projectId, maxConcurrentSessions: 9 };
    const created = await losing("ProjectLimits", "PATCH", loss, undefined, (current) =>
      current.deploy(first),
    );
    const state = await settle("ProjectLimits", first, created);
    expect([sessions(), state.outputs.previous]).toEqual([9, { maxConcurrentSessions: 3 }]);
    const second = { projectId, maxConcurrentSessions: 20 };
    const changed = await losing("ProjectLimits", "PATCH", loss, state, (current) =>
      current.deploy(second, state),
    );
    const settled = await settle("ProjectLimits", second, changed);
    expect([sessions(), settled.outputs.previous]).toEqual([20, { maxConcurrentSessions: 3 }]);
    const removed = await losing("ProjectLimits", "PATCH", loss, settled, (current) =>
      current.remove(settled),
    );
    if (removed !== undefined) {
      expect(await new Run("ProjectLimits").remove(removed)).toBeUndefined();
    }
    expect(sessions()).toBe(3);
  });
});
