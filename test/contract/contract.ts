import { createHash } from "node:crypto";
import type { DriverName } from "../model/drivers/driver.js";
import { runs, testInterruptions } from "./interruptions.js";
import { samples } from "./samples.js";
import { shortenWaits } from "./shorter-waits.js";
import { Stage } from "./stage.js";
import { type AddRow, testSteps } from "./steps.js";

type Kind = keyof typeof samples;

interface Row {
  readonly kind: Kind;
  readonly title: string;
  readonly play: () => Promise<unknown>;
}

/** Kinds that share a life cycle with one that plays every row. So they share the rows. */
export const similarKinds = [
  "Profile",
  "Proxy",
  "Credential",
  "AuthConnection",
  "OrganizationLimits",
  "ApiKeyName",
] as const satisfies readonly Kind[];

/**
 * What every kind of resource promises, as tests: each kind runs the same rows with a sample of its
 * own, but of {@link similarKinds} one runs each row. `driver`: what the played engine drives.
 * Through a bridge, each run is a process, which takes its time. So by default, a third of the rows
 * run through a bridge, each with one kind. The title of a row decides which. `npm run test:all --
 * contract` runs each row through both, with one kind each, and with `--count 3` with all kinds.
 */
export function testContract(driver: DriverName, kinds: readonly Kind[]): void {
  let stage: Stage;

  shortenWaits();

  beforeAll(async () => {
    stage = await Stage.open(driver);
  });

  afterAll(() => stage.close());

  const all = kinds.flatMap((kind) => {
    const rows: Row[] = [];
    const add: AddRow = (title, play) => rows.push({ kind, title, play });
    for (const addRows of [testSteps, testInterruptions]) {
      addRows(() => stage, driver, samples[kind], add);
    }
    return rows;
  });
  const isSimilar = ({ kind }: Row) => similarKinds.some((each) => each === kind);
  const isPlayed = (title: string) => numberOf(title) % 6 === (driver === "plugin" ? 3 : 0);
  const titles = titlesOf(all);
  const chosen =
    runs > 2
      ? all
      : driver === "in process"
        ? [...all.filter((row) => !isSimilar(row)), ...withOneKindEach(titles, all.filter(isSimilar))]
        : withOneKindEach(runs === 1 ? titles.filter(isPlayed) : titles, all);

  describe.each(kinds)("%s keeps the contract of every kind", (kind) => {
    for (const { title, play } of chosen.filter((row) => row.kind === kind)) {
      test(title, play);
    }
  });
}

function titlesOf(rows: readonly Row[]): readonly string[] {
  return [...new Set(rows.map(({ title }) => title))];
}

/** One row of each title, with a kind that the title decides. So a new row moves no other row. */
function withOneKindEach(titles: readonly string[], rows: readonly Row[]): readonly Row[] {
  return titles.flatMap((title) => {
    const same = rows.filter((row) => row.title === title);
    return same[numberOf(title) % same.length] ?? [];
  });
}

/** A number that depends on the title alone. */
function numberOf(title: string): number {
  return createHash("sha256").update(title).digest().readUInt32BE();
}
