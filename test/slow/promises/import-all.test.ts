import { execFile } from "node:child_process";
import { renameSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Emulator } from "../../../src/emulator/index.js";
import { programsFolder } from "../../support/stacks/install-package.js";
import { startService, writesIn } from "../../support/stacks/service.js";
import { Stack } from "../../support/stacks/stack.js";
import { createWholeProject } from "../../support/stacks/whole-project.js";

const installed = (name: string) => join(programsFolder, "node_modules", ".bin", name);

/** Forms of a program: language, a new stack, and what a person does with the program. */
const forms = [
  {
    language: "typescript",
    create: (environment: NodeJS.ProcessEnv) => Stack.create(environment, "name: shop\nruntime: nodejs\n"),
    use: (stack: Stack) => stack.write("index.ts", 'import "./imported";\n'),
  },
  {
    language: "yaml",
    create: (environment: NodeJS.ProcessEnv) => Stack.createYaml(environment),
    use: (stack: Stack) => renameSync(stack.path("imported.yaml"), stack.path("Main.yaml")),
  },
];

describe.each(forms)(
  "browser-infra import all in $language, with the real engine",
  ({ language, create, use }) => {
    let emulator: Emulator;
    let environment: NodeJS.ProcessEnv;
    let stack: Stack;

    beforeAll(async () => {
      ({ emulator, environment } = await startService());
      stack = await create(environment);
    });

    afterAll(() => stack.remove());

    test("import all brings two objects of every kind into a stack, and the written program changes nothing", async () => {
      await createWholeProject(emulator);
      const before = writesIn(emulator).length;
      const { stdout } = await promisify(execFile)(
        installed("browser-infra"),
        ["import", "all", "--project", "shop", "--language", language],
        { cwd: stack.path(), env: { ...process.env, ...environment } },
      );
      const [, importFile = ""] = /^ +pulumi (import --file .*)$/m.exec(stdout) ?? [];
      await stack.succeed(...importFile.split(" "), "--yes", "--skip-preview");
      use(stack);
      await stack.expectNoChanges();
      await stack.up("--refresh", "--expect-no-changes");
      await stack.expectNoChanges();
      expect(writesIn(emulator).slice(before)).toEqual([]);
      const ofKinds = stack
        .resources()
        .filter(({ type }) => type.includes("browser-infra") && !type.startsWith("pulumi:"));
      expect(ofKinds).toHaveLength(16);
    });
  },
);
