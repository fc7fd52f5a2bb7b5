import { join } from "node:path";
import * as fc from "fast-check";
import { foundWalks } from "../../contract/model/found-walks.js";
import { type Operation, operationWith } from "../../contract/model/operations.js";
import { Organization } from "../../contract/model/organization.js";
import { type WalkedStack, walk, walkKeys } from "../../contract/model/walk.js";
import { type Family, families, type RegisteredSlot, type Slot } from "../../contract/model/walk-program.js";
import { startService } from "../../support/stacks/service.js";
import { Stack } from "../../support/stacks/stack.js";

/** Number of sequences in a run of the tests, and the seed. Both can be set by variables. */
const sequences = Math.ceil(Number(process.env.BROWSER_INFRA_TEST_SEQUENCES ?? 80) / 40);
const seed = Number(process.env.BROWSER_INFRA_TEST_SEED ?? 20_261_121);

/** Limit in milliseconds. Several walks run at once, and each runs the command some ten times. */
const walkMsMax = 300_000;

const walks = (
  [
    ["extensions", sequences],
    ["organization", Math.ceil(sequences / 2)],
    ["logins", Math.ceil(sequences / 2)],
  ] as const
).flatMap(([what, numRuns]) =>
  fc
    .sample(fc.array(operationWith(4, families[what]), { minLength: 2, maxLength: 4, size: "max" }), {
      seed,
      numRuns,
    })
    .map((operations, index) => ({ what, operations, sequence: index + 1 })),
);

describe("a random walk, with the real engine", () => {
  test.concurrent.each(foundWalks.filter(({ ofTheEngine }) => ofTheEngine))(
    "a random walk that once failed succeeds: $what",
    ({ family, operations }) => walkInNewStack(families[family ?? "extensions"], operations),
    walkMsMax,
  );

  test.concurrent.each(walks)(
    `after a random walk, the service has the declared objects of the family of $what (seed ${seed}, sequence $sequence)`,
    ({ what, operations }) => walkInNewStack(families[what], operations),
    walkMsMax,
  );
});

async function walkInNewStack(family: Family, operations: readonly Operation[]): Promise<void> {
  const { emulator, environment } = await startService({ apiKeys: walkKeys });
  const stack = await Stack.createYaml({
    ...environment,
    NODE_OPTIONS: `--require ${join(__dirname, "../../contract/model/short-waits.cjs")}`,
  });
  try {
    const service = { emulator, organization: new Organization(emulator) };
    await walk(new EngineStack(stack), service, family, operations);
  } finally {
    stack.remove();
    await emulator.close();
  }
}

/** Stack of the real engine, driven by a walk. */
class EngineStack implements WalkedStack {
  readonly #stack: Stack;
  #running: ReturnType<Stack["start"]> | undefined;
  #isLocked = false;

  constructor(stack: Stack) {
    this.#stack = stack;
  }

  get folder(): string {
    return this.#stack.path();
  }

  write(resources: ReadonlyMap<Slot, RegisteredSlot>): void {
    this.#stack.declare(Object.fromEntries(resources));
  }

  up({ refresh, replace }: { refresh: boolean; replace?: Slot | undefined }) {
    const urn = replace === undefined ? undefined : this.#find(replace)?.urn;
    return this.#run(
      "up",
      ...(refresh ? ["--refresh"] : []),
      ...(urn === undefined ? [] : ["--replace", urn]),
    );
  }

  refresh() {
    return this.#run("refresh");
  }

  destroy({ refresh }: { refresh: boolean }) {
    return this.#run("destroy", ...(refresh ? ["--refresh"] : []));
  }

  async preview(): Promise<string | undefined> {
    const { exitCode, output } = await this.#stack.preview("--expect-no-changes");
    return exitCode === 0 ? undefined : output;
  }

  end(how: "kill" | "cancel"): void {
    if (how === "kill") {
      this.#isLocked = true;
      this.#running?.kill();
    } else {
      this.#running?.signal("SIGINT");
    }
  }

  find(slot: Slot) {
    const found = this.#find(slot);
    const { id, outputs } = found ?? {};
    return id === undefined || outputs === undefined || found?.pendingReplacement === true
      ? undefined
      : { id, outputs };
  }

  #find(slot: Slot) {
    return this.#stack
      .resources()
      .find(({ urn, delete: isCondemned }) => urn.endsWith(`::${slot}`) && isCondemned !== true);
  }

  /** Runs the command once, and returns the reason of a failure. */
  async #run(...args: string[]): Promise<string | undefined> {
    if (this.#isLocked) {
      // The file backend's lock survives a killed owner.
      await this.#stack.succeed("cancel", "--yes");
      this.#isLocked = false;
    }
    this.#running = this.#stack.start(...args, "--yes", "--skip-preview");
    const { exitCode, output } = await this.#running.ended;
    return exitCode === 0 ? undefined : output;
  }
}
