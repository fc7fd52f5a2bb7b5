/**
 * `npm run test:package`: makes the executable for this machine in the folder `release`, and runs
 * test/release with it. The exit code is 0 only when every test passed.
 */
import { join } from "node:path";
import jestConfig from "../../jest.config.js";
import { runInForeground } from "../setup/process/run-command.mjs";
import { projectFolder } from "../setup/project.mjs";
import { runMain } from "../setup/set-up-error.mjs";
import { setUp } from "../setup.mjs";
import { isolateTests } from "../test/isolation.mjs";
import { ownPlatform } from "./nodes.mjs";

await runMain(async () => {
  const { node, env: found, pulumi, toolsDir } = await setUp({ needs: { engine: true } });
  const { env } = isolateTests(found, { pulumi, toolsDir });
  const make = ["scripts/plugin/package.mjs", "--platform", ownPlatform];
  const made = await runInForeground(node, make, { cwd: projectFolder, env: found });
  if (made !== 0) {
    return made;
  }
  const engine = jestConfig.projects.find(({ displayName }) => displayName === "engine");
  const config = {
    ...engine,
    displayName: "release",
    rootDir: projectFolder,
    testMatch: ["<rootDir>/test/release/**/*.test.ts"],
    testTimeout: jestConfig.testTimeout,
  };
  const jest = ["node_modules/jest/bin/jest.js", `--config=${JSON.stringify(config)}`, "--ci"];
  return runInForeground(node, [...jest, ...process.argv.slice(2)], {
    cwd: projectFolder,
    env: { ...env, BROWSER_INFRA_TEST_RELEASE: join(projectFolder, "release") },
  });
});
