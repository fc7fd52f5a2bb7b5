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
 * its time. So by default, each row runs through one of the two bridges with one kind, others for
 * each; `npm run test:all -- contract` runs all of them.
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
  const chosen = driver === "in process" || runs > 1 ? all : someOf(all, driver === "plugin" ? 1 : 0);

  describe.each(kinds)("%s keeps the contract of every kind", (kind) => {
    for (const { title, play } of chosen.filter((row) => row.kind === kind)) {
      test(title, play);
    }
  });
}

/** Every second title from the `first` on, which is 0 or 1, each with another kind. */
function someOf(rows: readonly Row[], first: number): readonly Row[] {
  const titles = [...new Set(rows.map(({ title }) => title))];
  return titles.flatMap((title, index) => {
    const same = rows.filter((row) => row.title === title);
    return index % 2 === first ? [same[Math.floor(index / 2) % same.length] as Row] : [];
  });
}
