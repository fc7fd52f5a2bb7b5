import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { interleaved, paired, spreadOf, timed } from "./measure.mjs";

const child = join(dirname(fileURLToPath(import.meta.url)), "program-child.cjs");
const resources = 100;

/**
 * Costs of the package in a Pulumi program: loading the package, and declaring resources.
 *
 * @param {import("./measure.mjs").Bench} bench
 * @returns {Promise<import("./report.mjs").Row[]>}
 */
export async function benchProgram({ node, env, isQuick, say }) {
  say("The Pulumi program: loading and declaring");
  const run =
    /** @param {string[]} args */
      (...args) =>
      async () => {
        const { ms, stdout } = await timed([node, child, ...args], { env });
        return { ms, ...JSON.parse(stdout) };
      };
  const runs = await interleaved(isQuick ? 5 : 21, { sdk: run("nothing"), both: run("load") });
  const declaring = await interleaved(isQuick ? 3 : 9, {
    ours: run("ours", String(resources)),
    closures: run("closures", String(resources)),
  });
  const section = "The Pulumi program";
  const load = spreadOf(runs.both, "loadMs");
  const difference = paired(runs.both, runs.sdk, "ms", (a, b) => a - b);
  const ours = eachOf(declaring.ours);
  const ratio = paired(declaring.ours, declaring.closures, "declareMs", (a, b) => a / b);
  return [
    { section, name: "process that loads @pulumi/pulumi", unit: "ms", ...spreadOf(runs.sdk, "ms") },
    { section, name: "process that loads this package too", unit: "ms", ...spreadOf(runs.both, "ms") },
    { section, name: "difference of the two, in each round", unit: "ms", ...difference },
    {
      section,
      name: "require of this package, measured within the process",
      unit: "ms",
      ...load,
      target: { most: 5, unit: "ms", actual: load.median, why: "load" },
    },
    { section, name: "a dynamic resource of the SDK, one of 100", unit: "ms", ...eachOf(declaring.closures) },
    {
      section,
      name: "an Extension, one of 100",
      unit: "ms",
      ...ours,
      beside: { value: ratio.median, unit: "× the SDK's" },
      target: { most: 2, unit: "ms", actual: ours.median, why: "declare" },
    },
  ];
}

/** @param {readonly import("./measure.mjs").Figures[]} runs */
function eachOf(runs) {
  return spreadOf(
    runs.map(({ declareMs = Number.NaN }) => ({ ms: declareMs / resources })),
    "ms",
  );
}
