import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DriverName } from "../model/drivers/driver.js";
import type { Sample } from "./samples.js";
import { main, type Stage } from "./stage.js";
import type { AddRow } from "./steps.js";

/** What may be wrong with a file of the journal. */
const damages: Readonly<Record<string, (contents: string) => string>> = {
  "that cannot be read": () => "no JSON",
  "from a newer version": (contents) => JSON.stringify({ ...JSON.parse(contents), version: 99 }),
};

/** What a journal that is not there, or not legible, means to a kind, as tests. */
export function testJournal(stage: () => Stage, driver: DriverName, sample: Sample, row: AddRow): void {
  /** A deployment creates the resource, and is killed before the state has it. */
  async function killCreation(inputs = sample.first): Promise<void> {
    stage().begin(sample);
    await stage().succeed({});
    const call = () => stage().engine.killAfterCall();
    const { create: method } = sample.methods;
    stage().emulator.faults.add({ method, at: "after-commit", action: { call } });
    stage().declare({ [main]: inputs });
    await stage().up();
    stage().reported = [];
  }

  for (const [what, damage] of Object.entries(damages)) {
    row(`an entry ${what} stops the deployment, which says where it is and what to do`, async () => {
      await killCreation();
      expect(stage().journal).not.toEqual([]);
      const kept = new Map(
        stage().journal.map((file) => {
          const path = join(stage().folder, ".browser-infra", file);
          const contents = readFileSync(path, "utf8");
          writeFileSync(path, damage(contents));
          return [path, contents];
        }),
      );
      const [file = ""] = stage().journal;
      const { failures, warnings } = await stage().engine.previewed();
      expect(failures).toEqual([]);
      expect(warnings.join("\n")).toContain(`.browser-infra/${file}`);
      const { writes } = stage();
      expect(await stage().up()).toContain(`.browser-infra/${file}`);
      expect(stage().writes).toBe(writes);

      for (const [path, contents] of kept) {
        writeFileSync(path, contents);
      }
      expect(await stage().up()).toBeUndefined();
      await stage().expectDeclared();
    });
  }

  row(
    "without the journal, what a killed deployment left is not taken for another owner's without a warning",
    async () => {
      await killCreation(sample.automatic);
      rmSync(join(stage().folder, ".browser-infra"), { recursive: true });
      const left = Object.entries(sample.found(stage().emulator)).filter(
        ([id, line]) => sample.before?.[id] !== line,
      );
      expect(left).toHaveLength(1);
      const [[id = ""] = []] = left;
      await stage().up();
      expect(stage().reported.join("\n")).toContain(id);
    },
  );

  row("a preview undoes nothing of what a killed deployment left", async () => {
    await killCreation();
    const left = sample.found(stage().emulator);
    stage().declare({});
    const { writes } = stage();
    await stage().engine.previewed();
    expect(stage().writes).toBe(writes);
    expect(sample.found(stage().emulator)).toEqual(left);
    await stage().succeed({});
    await stage().expectDeclared();
  });

  row("of a deletion that was killed, and which a refresh then found, nothing is left", async () => {
    stage().begin(sample);
    await stage().succeed({ [main]: sample.first });
    stage().engine.killAfterCall();
    await stage().destroy();
    expect(await stage().refresh()).toBeUndefined();
    await stage().succeed({});
    await stage().expectDeclared();
    await stage().succeed({});
    await stage().succeed({});
    expectLittleIn(stage().journal);
  });

  row("of what succeeded, nothing is left in the journal after the next deployment", async () => {
    const { first, changed = first } = sample;
    stage().begin(sample);
    await stage().succeed({ [main]: first });
    await stage().succeed({ [main]: changed });
    await stage().succeed();
    expect(stage().journal).toEqual([]);
    await stage().succeed({});
    await stage().succeed();
    expectLittleIn(stage().journal);
  });

  /**
   * The plugin does not know whether a run in which nothing changes was an update. Until one does
   * that, it keeps one file for all deletions, and what a deleted object had.
   */
  function expectLittleIn(journal: readonly string[]): void {
    const others = driver === "plugin" ? journal.filter((file) => !file.includes("-left.")) : journal;
    expect(others.length).toBeLessThanOrEqual(driver === "plugin" ? 1 : 0);
  }
}
