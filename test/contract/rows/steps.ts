import { kinds, programInputsOf } from "../../../src/bridges/kinds.js";
import { unknownMarker } from "../../../src/bridges/wire-values.js";
import type { DriverName } from "../model/drivers/driver.js";
import type { Registered } from "../model/played-engine.js";
import type { Sample } from "./samples.js";
import { main, type Stage } from "./stage.js";

/** Adds a test of the current kind. `story`: title of several similar rows. Default: the title. */
export type AddRow = (title: string, play: () => Promise<unknown>, story?: string) => void;

/** Further resource of the program, which fails. */
const failing: Record<string, Registered> = {
  failing: { type: "ProjectLimits", properties: { projectId: "nowhere", maxConcurrentSessions: 1 } },
};

/** Secret key other than the configured key. */
const otherSecret = `sk_live_${"0123456789abcdef".repeat(2)}`;

/** Tests of a program's steps with a resource, without faults. */
export function testSteps(stage: () => Stage, driver: DriverName, sample: Sample, row: AddRow): void {
  const { kind, first, changed, moved, automatic, automaticMoved } = sample;
  /** Inputs to test. A bridge treats all inputs alike, so a single input is enough. */
  const each = (inputs: readonly string[]) => (driver === "in process" ? inputs : inputs.slice(0, 1));
  const strings = Object.entries(programInputsOf(kinds[kind])).flatMap(([input, { schema }]) =>
    schema.type === "string" ? [input] : [],
  );
  const begin = async (program: Record<string, Registered["properties"]>) => {
    stage().begin(sample);
    await stage().succeed(program);
    return stage().idOf();
  };

  row("after the creation, the same program sends no write", async () => {
    await begin({ [main]: first });
    await stage().expectDeclared();
    const { writes } = stage();
    await stage().succeed();
    expect(stage().writes).toBe(writes);
    expect(await stage().destroy()).toBeUndefined();
    stage().expectNothing();
  });

  row("no message of --target, a failure or a refresh deletes a managed object", async () => {
    await begin({ [main]: first });
    stage().reported = [];
    expect(await stage().up({ target: "neighbour" })).toBeUndefined();
    stage().declare({ [main]: first }, [], failing);
    expect(await stage().up()).toBeDefined();
    expect(await stage().refresh()).toBeUndefined();
    const deletion = /"(?:browser-infra|pulumi) [^"]*delete[^"]*"/g;
    expect(stage().reported.flatMap((text) => text.match(deletion) ?? [])).toEqual([]);
  });

  if (changed !== undefined) {
    row("a change in place keeps the id", async () => {
      const id = await begin({ [main]: first });
      stage().declare({ [main]: changed });
      expect((await stage().engine.previewed()).steps).toEqual([`update ${main}`]);
      await stage().succeed();
      await stage().expectDeclared();
      expect(stage().idOf()).toBe(id);
    });
  }

  for (const [before, after] of [
    [first, moved],
    [automatic, automaticMoved],
  ]) {
    if (before !== undefined && after !== undefined) {
      row(`a change to ${JSON.stringify(after)} replaces the object`, async () => {
        const id = await begin({ [main]: before });
        stage().declare({ [main]: after });
        expect((await stage().engine.previewed()).steps).toEqual([`replace ${main}`]);
        await stage().succeed();
        await stage().expectDeclared();
        expect(stage().idOf()).not.toBe(id);
        expect(await stage().destroy()).toBeUndefined();
        stage().expectNothing();
      });
    }
  }

  if (automatic !== undefined) {
    row(
      "the deletion after a forced replacement, one deployment later, spares the reused object",
      async () => {
        const id = await begin({ [main]: automatic });
        // Without the option of the class, as in a YAML program.
        stage().declare({}, [], { [main]: { type: kind, properties: automatic }, ...failing });
        expect(await stage().up({ replace: main })).toMatch(/nowhere/);
        const isReused = stage().idOf() === id;
        await stage().succeed({ [main]: automatic });
        await stage().expectDeclared();
        expect(stage().idOf() === id).toBe(isReused);
        if (isReused) {
          expect(stage().reported.join("\n")).toMatch(/Keeping .*: this deployment reuses it\./);
        }
      },
    );
  }

  row("a refresh shows a change from outside, and the next deployment reverts the change", async () => {
    const id = await begin({ [main]: first });
    sample.drift(stage().emulator, id);
    stage().reported = [];
    expect(await stage().refresh()).toBeUndefined();
    expect(stage().reported.join("\n")).toContain(id);
    expect((await stage().engine.previewed()).steps).toHaveLength(1);
    await stage().succeed();
    await stage().expectDeclared();
  });

  const { remove } = sample;
  if (remove !== undefined) {
    row("a refresh warns of an object deleted outside, and drops the object from the state", async () => {
      const id = await begin({ [main]: first });
      remove(stage().emulator, id);
      expect(await stage().refresh()).toBeUndefined();
      const warnings = stage().engine.said.filter(({ isWarning }) => isWarning);
      expect(warnings.map(({ message }) => message).join("\n")).toContain(id);
      expect(stage().engine.find(main)).toBeUndefined();
    });

    row("an object deleted outside can be destroyed", async () => {
      remove(stage().emulator, await begin({ [main]: first }));
      expect(await stage().destroy()).toBeUndefined();
    });
  }

  if (sample.cannotBeLookedUp !== true) {
    row("a lookup finds the object, and fails for an unknown id", async () => {
      const id = await begin({ [main]: first });
      expect(await stage().engine.lookUp(kind, "found", id)).toBeDefined();
      await expect(stage().engine.lookUp(kind, "missing", "no-such-id")).rejects.toThrow(/no-such-id/);
    });
  }

  // Pulumi imports no dynamic resource by an id alone.
  if (sample.cannotBeImported !== true && driver !== "dynamic") {
    row("after an import, the same program sends no write", async () => {
      const id = await begin({ [main]: first });
      stage().engine.reset();
      expect(await stage().engine.import(kind, main, id)).toBeUndefined();
      const { writes } = stage();
      await stage().succeed({ [main]: { ...stage().engine.find(main)?.inputs, ...first } });
      expect(stage().writes).toBe(writes + (sample.hidesValues ? 1 : 0));
      await stage().expectDeclared();
    });
  }

  row(
    "two resources with the same name or object are refused, with the URN of the other resource",
    async () => {
      stage().begin(sample);
      stage().declare({ [main]: first, rival: first });
      const { failures } = await stage().engine.previewed();
      expect(failures.join("\n")).toContain(`::${main}`);
      expect(await stage().up()).toContain(`::${main}`);
      expect(Object.keys(sample.found(stage().emulator)).length).toBeLessThanOrEqual(
        Object.keys(sample.before ?? {}).length + 1,
      );
    },
  );

  // The kinds whose names are unique. Each plays the row, because the title names the kind.
  if (sample.withoutAlias === "advice") {
    row(`a program does not take over the ${kind} that somebody else created under the name`, async () => {
      await begin({ [main]: first });
      const before = sample.found(stage().emulator);
      stage().engine.forget(main);
      stage().declare({ [main]: first });
      expect(await stage().up()).toMatch(/is taken by|already exists/);
      expect(stage().engine.find(main)).toBeUndefined();
      expect(sample.found(stage().emulator)).toEqual(before);
    });
  }

  // An extension with an automatic name is reused only with the same bytes, and so without a warning.
  if (sample.withoutAlias === "advice" && automatic !== undefined && kind !== "Extension") {
    row(`the ${kind} of a stack with the same name in another backend is reused with a warning`, async () => {
      const id = await begin({ [main]: automatic });
      stage().engine.forget(main);
      stage().declare({ [main]: automatic });
      const warning = expect.stringMatching(
        new RegExp(
          `\\(${id}\\) already exists, and has the automatic name of this resource\\. .+ in another backend`,
        ),
      );
      const previewed = (await stage().engine.previewed()).warnings;
      expect(previewed).toEqual([warning]);
      expect(previewed.join()).not.toContain("pulumi state delete");
      expect(await stage().up()).toBeUndefined();
      const warnings = stage().engine.said.filter(({ isWarning }) => isWarning);
      expect(warnings.map(({ message }) => message)).toEqual([warning]);
      expect(warnings[0]?.message).toContain("pulumi state delete");
      expect(stage().idOf()).toBe(id);
    });
  }

  row("a rename with an alias sends no write", async () => {
    const id = await begin({ [main]: automatic ?? first });
    const { writes } = stage();
    stage().declare({ renamed: automatic ?? first }, [main]);
    expect((await stage().engine.previewed()).steps).toEqual([]);
    await stage().succeed({ renamed: automatic ?? first }, [main]);
    expect(stage().writes).toBe(writes);
    expect(stage().idOf("renamed")).toBe(id);
    // An automatic name stays.
    await stage().succeed({ renamed: automatic ?? first });
    expect(stage().writes).toBe(writes);
    expect(await stage().destroy()).toBeUndefined();
    stage().expectNothing();
  });

  row("a rename without an alias is refused with advice, or warns of every lost value", async () => {
    const id = await begin({ [main]: first });
    stage().declare({ other: first });
    const failure = await stage().up();
    if (sample.withoutAlias === "advice") {
      expect(failure).toMatch(/alias/);
      expect(Object.keys(sample.found(stage().emulator))).toEqual([id]);
      return;
    }
    expect(failure).toBeUndefined();
    await stage().expectDeclared();
    expect(await stage().destroy()).toBeUndefined();
    stage().declare({});
    for (const borrowed of stage().differences()) {
      // The previous value is lost, but was in a warning.
      expect(stage().hasReported(borrowed)).toBe(true);
      stage().repair(borrowed);
    }
    stage().expectNothing();
  });

  for (const input of each(strings)) {
    row(`a secret key as ${input} is refused, and no message repeats the key`, async () => {
      for (const secret of [stage().emulator.apiKeys[0], otherSecret]) {
        stage().begin(sample);
        stage().declare({ [main]: { ...first, [input]: secret } });
        const checks = await stage().engine.checks(main);
        for (const { inputs, failures } of checks) {
          expect(JSON.stringify({ inputs, failures })).not.toContain(secret);
          // The engine prints the value of a property that a failure names.
          expect(failures.map(({ property }) => property)).toEqual([""]);
        }
        expect(
          stage()
            .engine.said.map(({ message }) => message)
            .join("\n"),
        ).not.toContain(secret);
      }
    });
  }

  for (const input of each([...new Set([...Object.keys(first), ...strings])])) {
    row(`an unknown ${input} passes the preview, and is never sent`, async () => {
      const program = { [main]: { ...first, ...sample.needs?.[input], [input]: unknownMarker } };
      stage().begin(sample);
      await stage().succeed({});
      stage().declare(program);
      expect(await stage().engine.previewed()).toMatchObject({ steps: [`create ${main}`], failures: [] });
      await stage().succeed({ [main]: first });
      const { writes } = stage();
      stage().declare(program);
      const { steps, failures } = await stage().engine.previewed();
      expect(failures).toEqual([]);
      // An adoption has no effect on existing objects.
      expect(steps).toEqual(input === "adopt" ? [] : [expect.stringMatching(/^(?:update|replace) main$/)]);
      expect(stage().writes).toBe(writes);
      // The update of an extension sends nothing.
      if (steps[0] === `update ${main}` && kind !== "Extension") {
        expect(await stage().up()).toContain(`The "${input}" of this`);
        expect(stage().writes).toBe(writes);
      }
    });
  }
}
