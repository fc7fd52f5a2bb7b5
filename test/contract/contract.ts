import type { DriverName } from "../model/drivers/driver.js";
import { testAnswers } from "./answers.js";
import { testJournal } from "./journal.js";
import { samples } from "./samples.js";
import { shortenWaits } from "./shorter-waits.js";
import { Stage } from "./stage.js";
import { testSteps } from "./steps.js";

/**
 * What every kind of resource promises, as tests: each kind runs the same rows with a sample of its
 * own. `driver`: what the played engine drives.
 */
export function testContract(driver: DriverName, kinds: readonly (keyof typeof samples)[]): void {
  let stage: Stage;

  shortenWaits();

  beforeAll(async () => {
    stage = await Stage.open(driver);
  });

  afterAll(() => stage.close());

  describe.each(kinds)("%s keeps the contract of every kind", (kind) => {
    const sample = samples[kind];
    testSteps(() => stage, driver, sample);
    testJournal(() => stage, driver, sample);
    testAnswers(() => stage, driver, sample);
  });
}
