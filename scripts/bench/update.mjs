import { join } from "node:path";
import { startEmulator } from "../demo/emulator-process.mjs";
import { deploy } from "./deployment.mjs";
import { interleaved, paired, spreadOf } from "./measure.mjs";
import { figure } from "./report.mjs";

/** Most time of an unchanged `up`, as a multiple of the peer's. */
const most = 1.2;

/**
 * Declarations of resources by name in the table. The peer has the outputs of a profile, and its
 * provider does nothing: the least that Pulumi needs for a dynamic resource.
 */
const declarations = {
  profiles: `const { Profile } = require("pulumi-browser-infra");
const declare = (name) => new Profile(name);
`,
  "empty provider": `const pulumi = require("@pulumi/pulumi");
const provider = {
  check: async (_, inputs) => ({ inputs }),
  diff: async () => ({ changes: false }),
  create: async () => ({ id: "1", outs: { name: "a", projectId: null, createdAt: "2026-11-01T00:00:00Z" } }),
};
class Empty extends pulumi.dynamic.Resource {}
const declare = (name) =>
  new Empty(provider, name, { name: undefined, projectId: undefined, createdAt: undefined });
`,
};

/**
 * Complete deployments with the real CLI, of unchanged programs with many resources.
 *
 * @param {import("./measure.mjs").Bench} bench
 * @returns {Promise<import("./report.mjs").Row[]>}
 */
export async function benchUpdates(bench) {
  const count = bench.isQuick ? 100 : 1_000;
  const emulator = await startEmulator(bench.node, join(bench.folder, "emulator"));
  /** @type {Record<string, () => Promise<import("./measure.mjs").Figures>>} */
  const candidates = {};
  /** @type {Readonly<Record<string, import("./measure.mjs").Figures[]>>} */
  let runs;
  try {
    for (const [name, declaration] of Object.entries(declarations)) {
      bench.say(`Update: deploying ${count} resources, ${name}`);
      const program = `${declaration}for (let index = 0; index < ${count}; index += 1) {
  declare("resource-" + index);
}
`;
      const deployment = { name: name.replace(" ", "-"), files: { "index.js": program }, count };
      const run = await deploy(deployment, bench, emulator);
      candidates[name] = () => run("up", "--yes", "--skip-preview", "--expect-no-changes");
    }
    bench.say("Update: unchanged programs");
    runs = await interleaved(bench.isQuick ? 1 : 5, candidates);
  } finally {
    await emulator.stop();
  }
  const { profiles = [], "empty provider": peer = [] } = runs;
  const actual = paired(profiles, peer, "ms", (ours, theirs) => ours / theirs);
  const unit = "× empty provider";
  const why = "Pulumi's SDK and engine spend time on each property, and a profile has two hidden ones";
  return Object.entries(runs).map(([name, figures]) => ({
    section: `A whole pulumi up, ${count} unchanged resources`,
    name,
    unit: "ms",
    ...spreadOf(figures, "ms"),
    ...(name === "profiles" && { beside: figure(actual, unit), target: { most, unit, actual, why } }),
  }));
}
