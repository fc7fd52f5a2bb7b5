/**
 * `npm run test:languages`: runs test/engine/languages.test.ts with everything it needs, which it
 * installs first: the language hosts for Python and Go, and the generated SDKs. Needs Python 3 and
 * Go. In CI, `npm test` does the same.
 */
import { join } from "node:path";
import { installSdks } from "./sdks/install.mjs";
import { CommandFailed, runInForeground } from "./setup/process/run-command.mjs";
import { projectFolder } from "./setup/project.mjs";
import { runMain, SetUpError } from "./setup/set-up-error.mjs";
import { setUp } from "./setup.mjs";
import { isolateTests } from "./test/isolation.mjs";

await runMain(async () => {
  const tools = await setUp({ needs: { engine: true, hosts: true } });
  let sdks;
  try {
    sdks = await installSdks(tools);
  } catch (error) {
    if (!(error instanceof CommandFailed)) {
      throw error;
    }
    throw new SetUpError([`The SDKs cannot be installed: ${error.reason}`, ...error.lines].join("\n  "));
  }
  const { env } = isolateTests(tools.env, { ...tools, sdks });
  const jest = join(projectFolder, "node_modules/jest/bin/jest.js");
  const args = [jest, "test/engine/languages.test.ts", "--selectProjects=engine", "--ci"];
  return runInForeground(tools.node, [...args, ...process.argv.slice(2)], { cwd: projectFolder, env });
});
