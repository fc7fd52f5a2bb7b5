import { cpSync, symlinkSync } from "node:fs";
import { delimiter, join } from "node:path";
import { page } from "../../repository/documents/pages.js";
import { schemaExamples, withEntry } from "../../repository/documents/schema-examples.js";
import { startExampleService, writeExampleExtension } from "../../support/stacks/example-service.js";
import { goSettings } from "../../support/stacks/first-steps.js";
import { programsFolder } from "../../support/stacks/install-package.js";
import { startService } from "../../support/stacks/service.js";
import { Stack } from "../../support/stacks/stack.js";
import { pluginFolder } from "../../support/stacks/yaml-program.js";
import { javaFolder, sdks, testWithJava, testWithSdks } from "../../support/where-available.js";

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
        stack.write(`example${index}.ts`, withEntry(program, entry));
      }
      stack.write("index.ts", programs.map((_, index) => `export * from "./example${index}";`).join("\n"));
      const compilerOptions = { strict: true, module: "nodenext", target: "es2023", skipLibCheck: true };
      stack.write("tsconfig.json", JSON.stringify({ compilerOptions }));
    },
  };
}

const java: Language = {
  name: "Java",
  runtime: "java",
  environment: () => ({ PATH: [javaFolder, process.env.PATH].join(delimiter) }),
  write(stack, programs) {
    cpSync(join(javaFolder, "java"), stack.path(), { recursive: true });
    // A source for each program, in a package of its own.
    const names = programs.map((_, index) => `example${index}`);
    for (const [index, program] of programs.entries()) {
      const source = program.replace("package generated_program;", `package ${names[index]};`);
      stack.write(`src/main/java/${names[index]}/App.java`, source);
    }
    const calls = names.map((name) => `${name}.App.stack(ctx);`).join(" ");
    const main = `public static void main(String[] args) { com.pulumi.Pulumi.run(ctx -> { ${calls} }); }`;
    stack.write("src/main/java/Main.java", `public class Main { ${main} }`);
  },
};

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
  java: [java],
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
      const title = `the examples in ${way.name} compile, and a preview shows every resource and every lookup`;
      const declareTest = way === java ? testWithJava : testWithSdks;
      declareTest(title, () => previewAll(language, way));
    }
  }

  const title =
    "the example of BrowserPool in Java deploys an extension and its pool, changes and destroys both";
  testWithJava(title, async () => {
    const { emulator, environment } = await startService({ speed: 50 });
    const program = schemaExamples.find(({ of }) => of === "BrowserPool")?.programs.java ?? "";
    const stack = await createStack(java, environment, [program]);
    // The program of the registry's page is only compiled.
    const ofPage = page("docs/_index.md").blocks.find(({ language }) => language === "java");
    stack.write("src/main/java/shop/App.java", ofPage?.code ?? "");
    try {
      await stack.up();
      const [pool] = emulator.browserPools.list();
      expect(pool).toMatchObject({ size: 5, extensionIds: [stack.extension().id] });
      expect(await stack.outputs()).toEqual({ researchersId: pool?.id });
      await stack.up("--expect-no-changes");

      stack.write("extension/content.js", "// version two\n");
      java.write(stack, [program.replace(".size(5)", ".size(6)")]);
      await stack.up();
      expect(emulator.browserPools.list()).toMatchObject([
        { id: pool?.id, size: 6, extensionIds: emulator.extensions.list().map(({ id }) => id) },
      ]);
      expect(pool?.extensionIds).not.toEqual([stack.extension().id]);

      await stack.destroy();
      expect([emulator.browserPools.list(), emulator.extensions.list()]).toEqual([[], []]);
    } finally {
      stack.remove();
      await emulator.close();
    }
  });
});

/** Stack of a project that runs the programs of a language. */
async function createStack(
  { runtime, environment, write }: Language,
  ofService: NodeJS.ProcessEnv,
  programs: readonly string[],
): Promise<Stack> {
  const plugins = { providers: [{ name: "browser-infra", path: pluginFolder }] };
  const stack = await Stack.create(
    { ...ofService, ...environment() },
    JSON.stringify({ name: "shop", runtime, plugins }),
  );
  symlinkSync(join(programsFolder, "node_modules"), stack.path("node_modules"));
  writeExampleExtension(stack);
  write(stack, programs);
  return stack;
}

async function previewAll(language: string, way: Language): Promise<void> {
  const { emulator, environment } = await startExampleService();
  const programs = schemaExamples.map((example) => example.programs[language] ?? "");
  const stack = await createStack(way, environment, programs);
  try {
    const output = await stack.succeed("preview", "--diff");
    // The CLI warns of a language host that is not in its own folder.
    expect(output.replace(/^warning: using pulumi-language-java from .*$/gm, "")).not.toContain("warning");
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
