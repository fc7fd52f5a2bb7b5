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
 * runs through a bridge, with one kind, and the next one through the other.
 * `npm run test:all -- contract` runs all rows through both, and with `--count 3` each with all kinds.
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
  const played = [
    ...all.filter((row) => !isSimilar(row)),
    ...withOneKindEach(titlesOf(all.filter(isSimilar)), all.filter(isSimilar)),
  ];
  const isSample = driver !== "in process" && runs === 1;
  const isPlayed = (_title: string, index: number) => index % 6 === (driver === "plugin" ? 3 : 0);
  const chosen = runs > 2 ? all : isSample ? withOneKindEach(titlesOf(all).filter(isPlayed), all) : played;

  describe.each(kinds)("%s keeps the contract of every kind", (kind) => {
    for (const { title, play } of chosen.filter((row) => row.kind === kind)) {
      test(title, play);
    }
  });
}

function titlesOf(rows: readonly Row[]): readonly string[] {
  return [...new Set(rows.map(({ title }) => title))];
}

/** One row of each title, each with another kind. */
function withOneKindEach(titles: readonly string[], rows: readonly Row[]): readonly Row[] {
  return titles.map((title, index) => {
    const same = rows.filter((row) => row.title === title);
    return same[index % same.length] as Row;
  });
}
