import { join } from "node:path";
import * as fc from "fast-check";
import { type Emulator, startEmulator } from "../../src/emulator/index.js";
import { bridges, ProviderProcess, programFolder } from "../bridge/provider-process.js";
import { foundWalks } from "./found-walks.js";
import { type Operation, operationWith } from "./operations.js";
import { PlayedEngine } from "./played-engine.js";
import { walk } from "./walk.js";

/**
 * Number of sequences in one run of the tests, and their seed; these settings change both. Half of
 * them go through each bridge.
 */
const sequences = Math.ceil(Number(process.env.BROWSER_INFRA_TEST_SEQUENCES ?? 80) / bridges.length);
const seed = Number(process.env.BROWSER_INFRA_TEST_SEED ?? 20_261_121);

describe.each(bridges)("a random walk against the provider process of the %s bridge", (bridge) => {
  let emulator: Emulator;
  let engine: PlayedEngine;

  beforeAll(async () => {
    emulator = await startEmulator();
    const folder = programFolder();
    const start = () =>
      ProviderProcess.start(folder, {
        bridge,
        environment: {
          BROWSER_INFRA_BASE_URL: emulator.url,
          BROWSER_INFRA_API_KEY: emulator.apiKeys[0],
          NODE_OPTIONS: `--require ${join(__dirname, "short-waits.cjs")}`,
        },
      });
    engine = new PlayedEngine(folder, await start(), start);
  });

  afterAll(async () => {
    await engine.stop();
    await emulator.close();
  });

  async function walkInNewFolder(operations: readonly Operation[]): Promise<void> {
    engine.reset();
    emulator.faults.clear();
    for (const { id } of emulator.extensions.list()) {
      emulator.extensions.remove(id);
    }
    await walk(engine, emulator, operations);
  }

  test.each(foundWalks)("ends well where it once did not: $what", ({ operations }) =>
    walkInNewFolder(operations),
  );

  test(
    `ends with the service holding what the program declares, after each of ${sequences} sequences`,
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(operationWith(2), { minLength: 4, maxLength: 10, size: "max" }),
          walkInNewFolder,
        ),
        { seed: seed + bridges.indexOf(bridge), numRuns: sequences },
      );
    },
    60_000 + sequences * 3_000,
  );
});
