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

/** Kinds with the life cycle of a kind that plays every row. So these kinds share the rows. */
export const similarKinds = [
  "Profile",
  "Proxy",
  "Credential",
  "AuthConnection",
  "OrganizationLimits",
  "ApiKeyName",
] as const satisfies readonly Kind[];

/**
 * Tests of the contract of every kind: all kinds run the same rows, with a sample per kind. Of
 * {@link similarKinds}, a single kind runs a row. `driver`: access of the played engine to the life
 * cycles. Through a bridge, every run starts a process, which takes time. So by default, a third of
 * the rows run through a bridge, with a single kind. The title of a row decides on bridge and kind.
 * `npm run test:all -- contract` runs every row through both bridges, with a single kind, and with
 * `--count 3` with all kinds.
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

/** Row per title, with a kind that the title decides. So a new row moves no existing row. */
function withOneKindEach(titles: readonly string[], rows: readonly Row[]): readonly Row[] {
  return titles.flatMap((title) => {
    const same = rows.filter((row) => row.title === title);
    return same[numberOf(title) % same.length] ?? [];
  });
}

/** Number that depends on the title only. */
function numberOf(title: string): number {
  return createHash("sha256").update(title).digest().readUInt32BE();
}
