import { join } from "node:path";
import { chromium } from "playwright-core";
import { startEmulator } from "../demo/emulator-process.mjs";
import { interleaved, paired, spreadOf } from "./measure.mjs";

/** Round trips in a run. */
const roundTrips = 300;

/** Length of the large answer, in characters. */
const largeLength = 10_000_000;

/**
 * A leased browser of the emulator, over the pipe, beside the same Chromium that Playwright starts and reaches
 * by its own connection.
 *
 * @param {import("./measure.mjs").Bench} bench
 * @returns {Promise<import("./report.mjs").Row[]>}
 */
export async function benchBrowsers(bench) {
  const emulator = await startEmulator(bench.node, join(bench.folder, "emulator-browsers"));
  const executablePath = emulator.browser;
  if (executablePath === null) {
    bench.say("Browsers: left out, because this machine has no Chromium and no Chrome");
    await emulator.stop();
    return [];
  }
  const chromiumSandbox = process.getuid?.() !== 0;
  const lease = async () => {
    const startedAt = performance.now();
    const session = await emulator.request("POST", "/browsers", { headless: true });
    const browser = await chromium.connectOverCDP(session.cdp_ws_url);
    const page = await browser.contexts()[0]?.newPage();
    const ms = performance.now() - startedAt;
    const end = async () => {
      await browser.close();
      await emulator.request("DELETE", `/browsers/${session.session_id}`);
    };
    return { ms, page, end };
  };
  const own = async () => {
    const startedAt = performance.now();
    const browser = await chromium.launch({ executablePath, chromiumSandbox });
    const page = await browser.newPage();
    const ms = performance.now() - startedAt;
    return { ms, page, end: () => browser.close() };
  };
  /** @param {typeof lease | typeof own} start */
  const run = (start) => async () => {
    const { ms: firstPage, page, end } = await start();
    let startedAt = performance.now();
    for (let count = 0; count < roundTrips; count += 1) {
      await page?.evaluate("1");
    }
    const roundTrip = (performance.now() - startedAt) / roundTrips;
    startedAt = performance.now();
    await page?.evaluate(`"x".repeat(${largeLength})`);
    const large = performance.now() - startedAt;
    await end();
    return { firstPage, roundTrip, large };
  };
  try {
    bench.say("Browsers");
    const runs = await interleaved(bench.isQuick ? 3 : 9, { direct: run(own), ours: run(lease) });
    const kinds = /** @type {const} */ ([
      ["firstPage", "first page", 1.5, "the emulator starts and prepares the browser before the answer"],
      ["roundTrip", "round trip", 1.3, "a message passes through one process more"],
      ["large", "answer of 10 MB", 2.5, "the answer is copied once more"],
    ]);
    return kinds.flatMap(([name, title, most, why]) => {
      const unit = "× chromium.launch";
      const ratio = paired(runs.ours, runs.direct, name, (value, other) => value / other);
      const row = { section: "Leased browsers of the emulator", unit: "ms" };
      return [
        { ...row, name: `${title}, chromium.launch`, ...spreadOf(runs.direct, name) },
        {
          ...{ ...row, name: `${title}, ours`, ...spreadOf(runs.ours, name) },
          beside: `${ratio.toFixed(2)} ${unit}`,
          target: { most, unit, actual: ratio, why },
        },
      ];
    });
  } finally {
    await emulator.stop();
  }
}
