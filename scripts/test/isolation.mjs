import { dirname } from "node:path";
import { quietPulumi } from "../setup/pulumi-cli/pulumi-cli.mjs";
import { settingsOfRegistries } from "./registries.mjs";

/**
 * Settings of a developer's shell that would point a test to a real service, account or stack, or
 * change Pulumi's behavior.
 */
const settings = /^(BROWSER_INFRA|KERNEL|PULUMI)_/;

/** Settings of the set-up, which is over. The tests do not need these settings. */
const setUpOnly = ["BROWSER_INFRA_PULUMI_ARCHIVES"];

/** Settings of the extent of the tests, and of the language hosts that they use. */
const extents = [
  "BROWSER_INFRA_TEST_HOSTS",
  "BROWSER_INFRA_TEST_KILLS",
  "BROWSER_INFRA_TEST_RUNS",
  "BROWSER_INFRA_TEST_SEQUENCES",
  "BROWSER_INFRA_TEST_SEED",
  "BROWSER_INFRA_TEST_WHOLE",
];

/**
 * Environment of the tests, without any outside setting of the service or of Pulumi. Package
 * managers install nothing newer than the lock.
 *
 * @param {NodeJS.ProcessEnv} env
 * @param {{ pulumi: string, toolsDir: string }} found result of the set-up; if `pulumi` is empty, the
 *   tests run without an engine.
 * @returns {{ env: NodeJS.ProcessEnv, removed: string[] }} `removed`: names of the removed
 *   settings, for the user to read; never values.
 */
export function isolateTests(env, { pulumi, toolsDir }) {
  const ours = {
    BROWSER_INFRA_TOOLS: toolsDir,
    ...(pulumi ? { BROWSER_INFRA_TEST_PULUMI: dirname(pulumi) } : { BROWSER_INFRA_TEST_WITHOUT_ENGINE: "1" }),
    ...quietPulumi,
    ...settingsOfRegistries(),
  };
  /** @param {string} name */
  const isForeign = (name) => settings.test(name) && !extents.includes(name);
  const kept = Object.entries(env).filter(([name]) => !isForeign(name) && name !== "NODE_ENV");
  const removed = Object.keys(env).filter(
    (name) => isForeign(name) && !(name in ours) && !setUpOnly.includes(name),
  );
  return { env: { ...Object.fromEntries(kept), ...ours }, removed };
}
