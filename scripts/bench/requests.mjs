import { join } from "node:path";
import { startEmulator } from "../demo/emulator-process.mjs";
import { deploy } from "./deployment.mjs";
import { spreadOf } from "./measure.mjs";

/** @typedef {import("./measure.mjs").Figures} Figures */

/**
 * Commands on a program with many new or unchanged resources, with the most requests to the service.
 *
 * @type {Readonly<Record<string, { args: string[], isNew: boolean, most: (count: number) => number }>>}
 */
const commands = {
  preview: { args: ["preview"], isNew: true, most: () => 5 },
  up: { args: ["up", "--yes", "--skip-preview"], isNew: true, most: (count) => count + 5 },
  "up --refresh": {
    args: ["up", "--yes", "--skip-preview", "--refresh", "--expect-no-changes"],
    isNew: false,
    most: (count) => count / 100 + 5,
  },
};

/**
 * Requests that the service gets from complete commands with the real CLI, and the time of the commands.
 *
 * @param {import("./measure.mjs").Bench} bench
 * @returns {Promise<import("./report.mjs").Row[]>}
 */
export async function benchRequests(bench) {
  const count = 200;
  const emulator = await startEmulator(bench.node, join(bench.folder, "emulator-requests"));
  /** @type {Record<string, Figures[]>} */
  const runs = {};
  try {
    bench.say(`Requests: ${count} profiles`);
    for (let round = 0; round < (bench.isQuick ? 1 : 3); round += 1) {
      const program = {
        name: `requests-${round}`,
        files: {
          "index.js": `const { Profile } = require("pulumi-browser-infra");
for (let index = 0; index < (process.env.BENCH_COUNT ?? 0); index += 1) {
  new Profile("profile-${round}-" + index);
}
`,
        },
        count: 0,
      };
      const run = await deploy(program, bench, emulator);
      for (const [name, { args }] of Object.entries(commands)) {
        await emulator.request("DELETE", "/_emulator/requests");
        const { ms } = await run(args, { BENCH_COUNT: String(count) });
        const { length: requests } = await emulator.request("GET", "/_emulator/requests");
        runs[name] = [...(runs[name] ?? []), { ms, requests }];
      }
      await run(["destroy", "--yes", "--skip-preview"], {});
    }
  } finally {
    await emulator.stop();
  }
  return Object.entries(commands).map(([name, { isNew, most }]) => {
    const figures = runs[name] ?? [];
    const unit = "requests";
    const measured = spreadOf(figures, unit);
    const why = "an object that the list lacks is read alone";
    return {
      section: `Requests of a whole command, ${count} resources of one kind`,
      name: `${name}, ${isNew ? "new" : "unchanged"} profiles`,
      unit,
      ...measured,
      target: { most: most(count), unit, actual: measured.median, why },
      note: `${spreadOf(figures, "ms").median.toFixed(0)} ms`,
    };
  });
}
