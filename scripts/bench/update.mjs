import { benchDeployments } from "./deployment.mjs";
import { paired, spreadOf } from "./measure.mjs";
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
  /** @param {keyof typeof declarations} declaration */
  const deployment = (declaration) => ({
    name: declaration.replace(" ", "-"),
    files: {
      "index.js": `${declarations[declaration]}for (let index = 0; index < ${count}; index += 1) {
  declare("resource-" + index);
}
`,
    },
    count,
    command: ["up", "--yes", "--skip-preview", "--expect-no-changes"],
  });
  const runs = await benchDeployments(
    bench,
    { title: "Update", rounds: bench.isQuick ? 1 : 5 },
    { profiles: deployment("profiles"), "empty provider": deployment("empty provider") },
  );
  const actual = paired(runs.profiles, runs["empty provider"], "ms", (ours, theirs) => ours / theirs);
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
