import { OutcomeUnknownError } from "../../../src/errors.js";
import type { LiveObject, OwnedResource } from "../../../src/providers/core/owned/declaration.js";
import { OwnedLifecycle } from "../../../src/providers/core/owned/lifecycle.js";
import type { LifecycleContext } from "../../../src/providers/lifecycle.js";
import { Properties, type PropertiesOf, string } from "../../../src/providers/properties.js";
import { errorOf } from "../../support/error-of.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const inputs = new Properties({ name: string, projectId: string });
const state = new Properties({ ...inputs.types, createdAt: string });
type Inputs = PropertiesOf<typeof inputs>;
type State = PropertiesOf<typeof state>;

describe("a kind whose names are not unique, and whose objects can be reused", () => {
  let service: Map<string, LiveObject>;
  let created: string[];
  /** What happens to the next request. */
  let mishap: "lost" | "refused" | undefined;
  let run: number;
  let folder: string;
  let lifecycle: OwnedLifecycle<Inputs, State, LiveObject>;

  /** Carries a request out, and loses its answer if the next one is to be lost. */
  function request(work: () => LiveObject): LiveObject {
    const how = mishap;
    mishap = undefined;
    if (how === "refused") {
      throw new Error("Not now.");
    }
    const live = work();
    if (how === "lost") {
      throw new OutcomeUnknownError("No answer.", { method: "POST", path: "/things" });
    }
    return live;
  }

  function make(name: string): LiveObject {
    const live = { id: `thing-${service.size + 1}`, name, createdAt: new Date().toISOString() };
    service.set(live.id, live);
    return live;
  }

  const things: OwnedResource<Inputs, State, LiveObject> = {
    resource: "Thing",
    kind: "thing",
    noun: "thing",
    notFoundCode: "thing_not_found",
    deleteCommand: "browser-infra things delete",
    naming: "one-time",
    inputs,
    state,
    essential: "createdAt",
    incidental: ["createdAt"],
    failures: () => [],
    complete: (declared) => declared,
    isSame: (known, { name }) => known.name === name,
    find: async (id) => service.get(id),
    holderOf: async (name) => [...service.values()].find((each) => each.name === name),
    create: async (_inputs, name) => {
      created.push(name);
      return request(() => make(name));
    },
    change: (live, { name = "" }) =>
      live.name === name
        ? undefined
        : async () =>
            request(() => {
              const renamed = { ...live, name };
              service.set(live.id, renamed);
              return renamed;
            }),
    remove: async (id) => service.delete(id),
    stateOf: (live, declared, known) => ({
      ...known,
      ...declared,
      name: live.name ?? undefined,
      createdAt: live.createdAt ?? undefined,
    }),
    withDefaults: (known) => known,
    drift: () => [],
  };

  beforeEach(() => {
    service = new Map();
    created = [];
    mishap = undefined;
    run = 0;
    folder = temporaryFolder();
    nextRun();
  });

  function nextRun(): void {
    run += 1;
    lifecycle = new OwnedLifecycle(things);
  }

  function contextOf(signal = new AbortController().signal): LifecycleContext {
    const quiet = () => undefined;
    return {
      urn: "urn:pulumi:dev::shop::browser-infra:index:Thing::one",
      programFolder: folder,
      deployment: `127.0.0.1:${run}`,
      configuration: () => undefined,
      environment: {
        BROWSER_INFRA_BASE_URL: "http://127.0.0.1:9",
        BROWSER_INFRA_API_KEY: "sk_0123456789abcdef",
      },
      signal,
      report: { progress: quiet, row: quiet, info: quiet, warning: quiet, debug: quiet },
    };
  }

  async function create(context = contextOf()): Promise<string> {
    const news = { name: "agents" };
    await lifecycle.check({ olds: undefined, news, memo: undefined }, context);
    return (await lifecycle.create(news, context)).id;
  }

  test("is created under a name that no other request has, and called as declared beside a namesake", async () => {
    const theirs = make("agents");
    const id = await create();
    expect(created).toEqual([expect.stringMatching(/^agents-[0-9a-f]{16}$/)]);
    expect([...service.values()]).toEqual([theirs, expect.objectContaining({ id, name: "agents" })]);
  });

  test("is found by that name when the answer is lost, and created once", async () => {
    mishap = "lost";
    const id = await create();
    expect([...service.values()]).toMatchObject([{ id, name: "agents" }]);
    expect(created).toHaveLength(1);
  });

  test("is found by the next deployment when the one before was given up", async () => {
    const ctrlC = new AbortController();
    ctrlC.abort();
    mishap = "lost";
    expect(await errorOf(create(contextOf(ctrlC.signal)))).toBeInstanceOf(OutcomeUnknownError);
    nextRun();
    const id = await create();
    expect([...service.values()]).toMatchObject([{ id, name: "agents" }]);
    expect(created).toHaveLength(1);
  });

  test.each(["a refused rename", "a kill"])(
    "is reused and named by the next deployment after %s",
    async (what) => {
      if (what === "a kill") {
        await create();
      } else {
        const original = things.create;
        const spy = jest.spyOn(things, "create").mockImplementation(async (...args) => {
          const live = await original(...args);
          mishap = "refused";
          return live;
        });
        expect((await errorOf(create())).message).toBe("Not now.");
        spy.mockRestore();
      }
      nextRun();
      const id = await create();
      expect([...service.values()]).toMatchObject([{ id, name: "agents" }]);
      expect(created).toHaveLength(1);
    },
  );
});
