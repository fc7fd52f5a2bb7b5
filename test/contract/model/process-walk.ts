import { rmSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { type Bridge, bridges, ProviderProcess, programFolder } from "../../bridges/provider-process.js";
import { shareEmulator } from "../../support/emulator.js";
import { ProcessDriver } from "./drivers/process-driver.js";
import { foundWalks } from "./found-walks.js";
import { type Operation, operationWith } from "./operations.js";
import { Organization } from "./organization.js";
import { PlayedEngine } from "./played-engine.js";
import { walk, walkKeys } from "./walk.js";
import { type Family, families } from "./walk-program.js";

/**
 * Number of sequences per bridge in a run of the tests. Environment variables change the total, by
 * default 12, and the seed.
 */
const sequences = Math.ceil(Number(process.env.BROWSER_INFRA_TEST_SEQUENCES ?? 12) / bridges.length);
const seed = Number(process.env.BROWSER_INFRA_TEST_SEED ?? 20_261_121);

/** Tests of the walks against the provider process of a bridge. */
export function testProcessWalk(bridge: Bridge): void {
  const emulator = shareEmulator({ apiKeys: walkKeys });
  let organization: Organization;
  let engine: PlayedEngine;

  beforeAll(() => {
    organization = new Organization(emulator);
    const folder = programFolder();
    const start = () =>
      ProviderProcess.start(folder, {
        bridge,
        isAttached: bridge === "plugin",
        environment: {
          BROWSER_INFRA_BASE_URL: emulator.url,
          BROWSER_INFRA_API_KEY: emulator.apiKeys[0],
          NODE_OPTIONS: `--require ${join(__dirname, "short-waits.cjs")}`,
        },
      });
    engine = new PlayedEngine(folder, new ProcessDriver(bridge, start));
  });

  afterAll(async () => {
    await engine.stop();
    rmSync(engine.folder, { recursive: true, force: true });
  });

  async function walkInNewFolder(family: Family, operations: readonly Operation[]): Promise<void> {
    engine.reset();
    emulator.faults.clear();
    for (const { id } of emulator.extensions.list()) {
      emulator.extensions.remove(id);
    }
    organization.reset();
    await walk(engine, { emulator, organization }, family, operations);
  }

  test.each(foundWalks)("a walk that failed in the past succeeds: $what", ({ family, operations }) =>
    walkInNewFolder(families[family ?? "extensions"], operations),
  );

  test.each([
    ["extensions", sequences],
    ["organization", Math.ceil(sequences / 4)],
    ["logins", Math.ceil(sequences / 4)],
  ] as const)(
    "after a random walk, the service has the declared resources of the family %s, in each of %i sequences",
    async (name, count) => {
      const family = families[name];
      await fc.assert(
        fc.asyncProperty(
          fc.array(operationWith(2, family), { minLength: 4, maxLength: 10, size: "max" }),
          (operations) => walkInNewFolder(family, operations),
        ),
        { seed: seed + bridges.indexOf(bridge), numRuns: count },
      );
    },
    60_000 + sequences * 3_000,
  );
}
