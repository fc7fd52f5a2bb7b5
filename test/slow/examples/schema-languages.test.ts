import { cpSync, symlinkSync } from "node:fs";
import { delimiter, join } from "node:path";
import { schemaExamples } from "../../repository/documents/schema-examples.js";
import { startExampleService, writeExampleExtension } from "../../support/stacks/example-service.js";
import { goSettings } from "../../support/stacks/first-steps.js";
import { programsFolder } from "../../support/stacks/install-package.js";
import { Stack } from "../../support/stacks/stack.js";
import { pluginFolder } from "../../support/stacks/yaml-program.js";
import { sdks, testWithSdks } from "../../support/where-available.js";

/** A language, and how the examples of the language become a single program. */
interface Language {
  readonly name: string;
  /** Runtime in Pulumi.yaml. */
  readonly runtime: string;
  readonly environment: () => NodeJS.ProcessEnv;
  /** Writes the programs, all of which the project then runs. */
  readonly write: (stack: Stack, programs: readonly string[]) => void;
}

function typescript(name: string, entry: string): Language {
  return {
    name,
    runtime: "nodejs",
    // Pulumi checks the program's types, like for a user.
    environment: () => ({ PULUMI_NODEJS_TRANSPILE_ONLY: "false" }),
    write(stack, programs) {
      for (const [index, program] of programs.entries()) {
        stack.write(`example${index}.ts`, program.replace('"pulumi-browser-infra"', `"${entry}"`));
      }
      stack.write("index.ts", programs.map((_, index) => `export * from "./example${index}";`).join("\n"));
      const compilerOptions = { strict: true, module: "nodenext", target: "es2023", skipLibCheck: true };
      stack.write("tsconfig.json", JSON.stringify({ compilerOptions }));
    },
  };
}

const languages: Readonly<Record<string, readonly Language[]>> = {
  typescript: [
    typescript("TypeScript", "pulumi-browser-infra"),
    typescript("TypeScript, through the plugin", "pulumi-browser-infra/plugin"),
  ],
  python: [
    {
      name: "Python",
      runtime: "python",
      environment: () => ({ PATH: [join(sdks, "venv/bin"), process.env.PATH].join(delimiter) }),
      write(stack, programs) {
        for (const [index, program] of programs.entries()) {
          stack.write(`example${index}.py`, program);
        }
        stack.write("__main__.py", programs.map((_, index) => `import example${index}`).join("\n"));
        symlinkSync(join(sdks, "venv"), stack.path("venv"));
      },
    },
  ],
  go: [
    {
      name: "Go",
      runtime: "go",
      environment: () => ({ ...goSettings(), GOPROXY: "off", GOWORK: "off" }),
      write(stack, programs) {
        for (const file of ["go.mod", "go.sum"]) {
          cpSync(join(sdks, "go", file), stack.path(file));
        }
        // All programs in one package: "collect" in place of "pulumi.Run" adds a program to main.go.
        for (const [index, program] of programs.entries()) {
          const part = program.replace("func main() {", "func init() {").replace("pulumi.Run(", "collect(");
          stack.write(`example${index}.go`, part);
        }
        stack.write("main.go", goMain);
      },
    },
  ],
};

const goMain = `package main

import "github.com/pulumi/pulumi/sdk/v3/go/pulumi"

var programs []pulumi.RunFunc

func collect(program pulumi.RunFunc) { programs = append(programs, program) }

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		for _, program := range programs {
			if err := program(ctx); err != nil {
				return err
			}
		}
		return nil
	})
}
`;

describe("the examples in schema.json, with the real engine", () => {
  for (const [language, ways] of Object.entries(languages)) {
    for (const way of ways) {
      testWithSdks(
        `the examples in ${way.name} compile, and a preview shows every resource and every lookup`,
        () => previewAll(language, way),
      );
    }
  }
});

async function previewAll(language: string, { runtime, environment, write }: Language): Promise<void> {
  const { emulator, environment: ofService } = await startExampleService();
  const plugins = { providers: [{ name: "browser-infra", path: pluginFolder }] };
  const stack = await Stack.create(
    { ...ofService, ...environment() },
    JSON.stringify({ name: "shop", runtime, plugins }),
  );
  try {
    symlinkSync(join(programsFolder, "node_modules"), stack.path("node_modules"));
    writeExampleExtension(stack);
    write(
      stack,
      schemaExamples.map(({ programs }) => programs[language] ?? ""),
    );
    const { output, exitCode } = await stack.preview();
    expect({ exitCode, output }).toMatchObject({ exitCode: 0 });
    expect(output).not.toContain("warning");
    const resources = schemaExamples.flatMap(({ programs: { yaml = "" } }) =>
      Array.from(yaml.matchAll(/^ {2}(\w+):\n {4}type: /gm), ([, name = ""]) => name),
    );
    expect(resources.length).toBeGreaterThan(12);
    expect(resources.filter((name) => !output.includes(`::${name}]`))).toEqual([]);
    const outputs = schemaExamples.flatMap(({ programs: { yaml = "" } }) =>
      Array.from((yaml.split("outputs:\n")[1] ?? "").matchAll(/^ {2}(\w+): /gm), ([, name = ""]) => name),
    );
    expect(outputs.filter((name) => !output.includes(name))).toEqual([]);
  } finally {
    stack.remove();
    await emulator.close();
  }
}
