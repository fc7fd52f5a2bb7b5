import { createHash } from "node:crypto";
import { isWhole } from "../../support/where-available.js";
import type { DriverName } from "../model/drivers/driver.js";
import { testChains } from "./chains.js";
import { runs, testInterruptions } from "./interruptions.js";
import { testRetries } from "./retries.js";
import { samples } from "./samples.js";
import { shortenWaits } from "./shorter-waits.js";
import { Stage } from "./stage.js";
import { type AddRow, testSteps } from "./steps.js";
import { testStrangers } from "./strangers.js";

type Kind = keyof typeof samples;

interface Row {
  readonly kind: Kind;
  readonly title: string;
  readonly play: () => Promise<unknown>;
  /** Title of several similar rows. */
  readonly story: string;
}

/**
 * Kinds that only declare their objects, and share the life cycle of `core/owned` without a rule of
 * their own, or of `core/borrowed`. Of each list, a single kind runs a row.
 */
export const similarKinds = {
  owned: [
    ...["Project", "Profile", "Proxy", "Credential", "CredentialProvider", "AuthConnection"],
    "TelemetryDestination",
  ],
  borrowed: ["ProjectLimits", "OrganizationLimits", "ApiKeyName"],
} as const satisfies Readonly<Record<string, readonly Kind[]>>;

/**
 * Tests of the contract of every kind: all kinds run the same rows, with a sample per kind.
 * `driver`: access of the played engine to the life cycles. In this process, `extent` decides
 * whether every kind runs a row, or a single kind; of a story, a single row runs, in `npm test` of
 * every third story, and in `npm run test:all -- slow` of all. Through a bridge, every run starts a
 * process, which takes time. So by default, an eighth of the rows run through a bridge, with a
 * single kind. The title of a row decides on row, bridge and kind.
 * `npm run test:all -- contract` runs every row with every kind in this process, and with a single
 * kind through both bridges; with `--count 3`, also with every kind through both bridges.
 */
export function testContract(
  driver: DriverName,
  kinds: readonly Kind[],
  extent: "all kinds" | "a kind each" = driver === "in process" ? "all kinds" : "a kind each",
): void {
  let stage: Stage;

  shortenWaits();

  beforeAll(async () => {
    stage = await Stage.open(driver);
  });

  afterAll(() => stage.close());

  const all = kinds.flatMap((kind) => {
    const rows: Row[] = [];
    const add: AddRow = (title, play, story = title) => rows.push({ kind, title, play, story });
    for (const addRows of [testSteps, testInterruptions, testRetries, testChains, testStrangers]) {
      addRows(() => stage, driver, samples[kind], add);
    }
    return rows;
  });
  const keyOf = ({ kind, title, story }: Row) =>
    extent === "all kinds" ? `${kind} ${story}` : driver === "in process" ? story : title;
  const isPlayed = ({ title }: Row) =>
    driver === "in process" || runs > 1 || numberOf(title) % 16 === (driver === "plugin" ? 4 : 0);
  const playsAll = runs > (driver === "in process" ? 1 : 2);
  const isSampled = (key: string) => isWhole || driver !== "in process" || numberOf(key) % 3 === 1;
  const chosen = playsAll ? all : oneOfEach(all.filter(isPlayed), keyOf, isSampled);

  describe.each(kinds)("%s keeps the contract of every kind", (kind) => {
    for (const { title, play } of chosen.filter((row) => row.kind === kind)) {
      test(title, play);
    }
  });
}

/** A row per sampled key. The key decides, so a new story moves no row, and kinds play different rows of a story. */
function oneOfEach(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  isSampled: (key: string) => boolean,
): readonly Row[] {
  return [...new Set(rows.map(keyOf))].filter(isSampled).flatMap((key) => {
    const same = rows.filter((row) => keyOf(row) === key);
    return same[numberOf(key) % same.length] ?? [];
  });
}

/** Number that depends on the title only. */
function numberOf(title: string): number {
  return createHash("sha256").update(title).digest().readUInt32BE();
}
