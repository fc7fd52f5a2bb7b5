import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { programsFolder } from "../../support/stacks/install-package.js";
import { startService } from "../../support/stacks/service.js";
import { Stack } from "../../support/stacks/stack.js";
import { createWholeProject } from "../../support/stacks/whole-project.js";

const installed = (name: string) => join(programsFolder, "node_modules", ".bin", name);

describe("a program of browser-infra import all", () => {
  test("a TypeScript program of import all compiles without a type error", async () => {
    const { emulator, environment } = await startService();
    await createWholeProject(emulator);
    const stack = await Stack.create(environment);
    const env = { ...process.env, ...environment };
    await promisify(execFile)(installed("browser-infra"), ["import", "all", "--project", "shop"], {
      cwd: stack.path(),
      env,
    });
    const compilerOptions = {
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      noUnusedLocals: true,
      module: "node16",
      types: [],
    };
    writeFileSync(stack.path("tsconfig.json"), JSON.stringify({ compilerOptions, files: ["imported.ts"] }));
    await promisify(execFile)(installed("tsc"), ["-p", stack.path()], { env });
    stack.remove();
  });
});
