import type { DriverName } from "../model/drivers/driver.js";
import { runs, testAnswers } from "./answers.js";
import { testJournal } from "./journal.js";
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
 * Through a bridge, each run is a process, which takes its time. So by default, one row of three
 * runs through a bridge, with one kind, and the next one through the other. `npm run test:all --
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
    for (const addRows of [testSteps, testJournal, testAnswers]) {
      addRows(() => stage, driver, samples[kind], add);
    }
    return rows;
  });
  const isSimilar = ({ kind }: Row) => similarKinds.some((each) => each === kind);
  const isPlayed = (_title: string, index: number) => index % 6 === (driver === "plugin" ? 3 : 0);
  const titles = titlesOf(all);
  const chosen =
    runs > 2
      ? all
      : driver === "in process"
        ? [...all.filter((row) => !isSimilar(row)), ...withOneKindEach(titles, all.filter(isSimilar))]
        : withOneKindEach(runs === 1 ? titles.filter(isPlayed) : titles, all, driver === "plugin" ? 1 : 0);

  describe.each(kinds)("%s keeps the contract of every kind", (kind) => {
    for (const { title, play } of chosen.filter((row) => row.kind === kind)) {
      test(title, play);
    }
  });
}

function titlesOf(rows: readonly Row[]): readonly string[] {
  return [...new Set(rows.map(({ title }) => title))];
}

/** One row of each title, each with another kind, from the kind with this number on. */
function withOneKindEach(titles: readonly string[], rows: readonly Row[], first = 0): readonly Row[] {
  return titles.flatMap((title, index) => {
    const same = rows.filter((row) => row.title === title);
    return same[(index + first) % same.length] ?? [];
  });
}
