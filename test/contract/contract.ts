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

/**
 * What every kind of resource promises, as tests: each kind runs the same rows with a sample of its
 * own. `driver`: what the played engine drives. Through a bridge, each run is a process, which takes
 * its time. So by default, one row of three runs through a bridge, with one kind, and the next one
 * through the other. `isShared`: in one process too, each row runs with one of the kinds, which share a life cycle
 * with a kind that runs all rows. `npm run test:all -- contract` runs all of them.
 */
export function testContract(
  driver: DriverName,
  kinds: readonly Kind[],
  { isShared = driver !== "in process" }: { readonly isShared?: boolean } = {},
): void {
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
  const titles = [...new Set(all.map(({ title }) => title))];
  const isPlayed = (_title: string, index: number) =>
    driver === "in process" || index % 6 === (driver === "plugin" ? 3 : 0);
  const chosen = isShared && runs === 1 ? withOneKindEach(titles.filter(isPlayed), all) : all;

  describe.each(kinds)("%s keeps the contract of every kind", (kind) => {
    for (const { title, play } of chosen.filter((row) => row.kind === kind)) {
      test(title, play);
    }
  });
}

/** One row of each title, each with another kind. */
function withOneKindEach(titles: readonly string[], rows: readonly Row[]): readonly Row[] {
  return titles.map((title, index) => {
    const same = rows.filter((row) => row.title === title);
    return same[index % same.length] as Row;
  });
}
