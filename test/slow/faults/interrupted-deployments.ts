import type { FaultPoint } from "../../../src/emulator/index.js";
import { kinds, samples } from "../../contract/rows/samples.js";
import type { Bridge } from "../../support/stacks/bridges.js";
import { type End, type Inputs, StackOfEveryKind } from "../../support/stacks/interrupted.js";

const first: Inputs = (sample) => sample.first;
const automatic: Inputs = (sample) => sample.automatic ?? sample.first;
const changed: Inputs = ({ rotated, changed: inPlace, moved, first: same }) =>
  rotated ?? inPlace ?? moved ?? same;
const third: Inputs = (sample) => sample.third;
const moved: Inputs = (sample) => sample.moved ?? sample.third;
const none: Inputs = () => undefined;

type Next =
  | "the same program"
  | "a different program"
  | "the previous program"
  | "a program without resources";

interface Operation {
  readonly before: Inputs;
  readonly after: Inputs;
  readonly nexts: Readonly<Partial<Record<Next, Inputs>>>;
}

const operations: Readonly<Record<string, Operation>> = {
  creation: {
    before: none,
    after: automatic,
    nexts: {
      "the same program": automatic,
      "a different program": third,
      "a program without resources": none,
    },
  },
  change: {
    before: first,
    after: changed,
    nexts: {
      "the same program": changed,
      "a different program": third,
      "the previous program": first,
      "a program without resources": none,
    },
  },
  deletion: {
    before: first,
    after: none,
    nexts: { "the same program": none, "the previous program": first },
  },
};

/** Two interrupted deployments in a row. The last program is deployed once more. */
const chains: readonly {
  readonly title: string;
  readonly before: Inputs;
  readonly programs: readonly [Inputs, Inputs];
  readonly at: readonly [FaultPoint, FaultPoint];
  readonly isExported?: boolean;
}[] = [
  {
    title: "a creation that arrives, an export and import, then a change that arrives",
    before: none,
    programs: [first, changed],
    at: ["after-commit", "after-commit"],
    isExported: true,
  },
  {
    title: "a creation that never arrives, then a different program that arrives",
    before: none,
    programs: [first, third],
    at: ["before-reading", "after-commit"],
  },
  {
    title: "a change that arrives, then the former program that arrives",
    before: first,
    programs: [changed, first],
    at: ["after-commit", "after-commit"],
  },
  {
    title: "a replacement that arrives, then the former program that never arrives",
    before: first,
    programs: [moved, first],
    at: ["after-commit", "before-reading"],
  },
  {
    title: "a replacement that never arrives, an export and import, then a change that arrives",
    before: first,
    programs: [moved, changed],
    at: ["before-reading", "after-commit"],
    isExported: true,
  },
  {
    title: "a deletion that arrives, then the former program that arrives",
    before: first,
    programs: [none, first],
    at: ["after-commit", "after-commit"],
  },
  {
    title: "a change that arrives, then a deletion that arrives",
    before: first,
    programs: [changed, none],
    at: ["after-commit", "after-commit"],
  },
];

/** Number of writes after which the second deployment of a chain is interrupted. */
const secondWrites = 5;

/**
 * Kinds whose previous values are in no state after a killed creation, and whose values look
 * changed from outside after a killed change. `pending` reports the sent values.
 */
const settings: readonly string[] = ["ProjectLimits", "OrganizationLimits", "ApiKeyName"];

/**
 * Kind whose change is a creation, without a name of its own. After SIGKILL, only a person knows whose a new
 * deployment is, so the next up asks for the id in `adopt`.
 */
const newCode = "AppDeployment";

const ends: readonly End[] = ["Ctrl-C", "SIGTERM", "no response", "SIGKILL"];

/** Cells that `npm run test:all -- slow` runs. The suite `interruptions` runs all. */
const isUsual =
  /^(creation, Ctrl-C, then a different program|change, SIGTERM, then the previous program|(creation|change), SIGKILL, then the same program|deletion, no response, then the previous program)$/;
const isWhole = process.env.BROWSER_INFRA_TEST_RUNS !== undefined;

/** Tests of every interruption of a deployment of every kind, through one bridge. */
export function testInterruptedDeployments(bridge: Bridge): void {
  let all: StackOfEveryKind;

  beforeEach(async () => {
    all = await StackOfEveryKind.create(bridge);
  });

  afterEach(async () => {
    const violations = all.ownership.violations();
    await all.remove();
    expect(violations).toEqual([]);
  });

  for (const { title, before, programs, at, isExported } of chains) {
    if (isWhole || title === chains[0]?.title) {
      test(`refresh always: ${title}`, async () => {
        all.lookFirst();
        all.declare(before);
        await all.stack.up();
        const [one, other] = programs;
        all.declare(one);
        await all.strike("Ctrl-C", { at: at[0] });
        if (isExported) {
          await all.exportAndImport();
        }
        all.declare(other);
        await all.strike("Ctrl-C", { at: at[1], expected: secondWrites });
        await converge("", []);
        await all.stack.expectNoChanges();
        await all.stack.destroy();
        all.declare(none);
        expect(all.differences()).toEqual({});
      });
    }
  }

  test.each(["up", "destroy"])(
    "objects of others with the names of a creation that never arrived stay, and %s names each",
    async (command) => {
      all.declare(first);
      await all.strike("Ctrl-C", { at: "before-reading" });
      const made = await all.makeAsOthers();
      const inTheWay = kinds.filter((kind) => !/one-time|borrowed/.test(samples[kind].strangers.evidence));
      const { exitCode, output } = await all.stack.run(
        ...[command, "--yes", "--skip-preview", "--continue-on-error"],
      );
      expect(exitCode === 0).toBe(command === "destroy");
      expect(inTheWay.filter((kind) => !output.includes(made[kind] ?? kind))).toEqual([]);
      await all.stack.destroy();
      await all.others.remove();
      all.declare(none);
      expect(all.differences()).toEqual({});
    },
  );

  for (const [what, { before, after, nexts }] of Object.entries(operations)) {
    for (const end of ends) {
      for (const [next, program] of Object.entries(nexts)) {
        const title = `${what}, ${end}, then ${next}`;
        if (isWhole || isUsual.test(title)) {
          test(title, async () => {
            all.declare(before);
            await all.stack.up();
            const asks = end === "SIGKILL" && what !== "deletion";
            all.declare((sample) => (asks && sample.kind === newCode ? before(sample) : after(sample)));
            const fewer = asks ? { expected: kinds.length - 1 } : {};
            const struck = await all.strike(end, fewer);
            all.declare(program);
            const without = end === "SIGKILL" && what !== "deletion" ? settings : [];
            if (end === "SIGKILL") {
              await repairPending(what, next === "the same program" ? "keep it" : "delete it");
            }
            const deleted = what === "deletion" ? kinds : what === "change" ? ["Extension"] : [];
            await converge(struck, deleted, without);
            await all.stack.expectNoChanges();
            await all.forgetPending();
            await all.stack.destroy();
            all.declare(none);
            expect(all.differences(without)).toEqual({});
          });
        }
      }
    }
  }

  /** Pulumi names every operation, and `browser-infra pending` the command that repairs. */
  async function repairPending(what: string, purpose: string): Promise<void> {
    const struck = kinds.filter((kind) => what === "deletion" || kind !== newCode);
    const findings = await all.pending();
    expect(findings.map(({ name }) => name).sort()).toEqual([...struck].sort());
    expect(await all.isNamedByDrift()).toBe(true);
    // The engine lists pending operations in a deployment without a refresh, and in no preview.
    const { output } = await all.stack.run(
      "up",
      "--yes",
      "--skip-preview",
      "--target",
      "urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev",
    );
    const isNamed = (kind: string) => output.includes(`::${kind}, interrupted while`);
    expect({ unnamed: struck.filter((kind) => !isNamed(kind)), output }).toMatchObject({ unnamed: [] });
    // That deployment has forgotten changes and deletions, and keeps creations.
    const left = (await all.pending()).map(({ name }) => name).sort();
    expect(left).toEqual(what === "creation" ? [...struck].sort() : []);
    await all.repair(findings, purpose);
  }

  /**
   * The next `up` converges. After a deletion without a response, such as for the kinds in
   * `deleted`, the refresh that the error requests may come first.
   */
  async function converge(
    struck: string,
    deleted: readonly string[],
    without?: readonly string[],
  ): Promise<void> {
    const { exitCode, output } = await all.stack.run("up", "--yes", "--skip-preview");
    // After several lost responses for keys in one run, a warning lists the keys that could not be
    // deleted.
    await all.deleteNamed(struck);
    const wrong = all.differences(without);
    const isTold = (kind: string) => deleted.includes(kind) && struck.includes("--refresh");
    if (
      (exitCode !== 0 && isTold(deleted[0] ?? "")) ||
      (exitCode === 0 && Object.keys(wrong).length > 0 && Object.keys(wrong).every(isTold))
    ) {
      await all.stack.up("--refresh");
    } else {
      const said = { exitCode, wrong: Object.keys(wrong), struck, output };
      expect(said).toMatchObject({ exitCode: 0, wrong: [] });
    }
    expect(all.differences(without)).toEqual({});
  }
}
