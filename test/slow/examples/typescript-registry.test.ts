import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packExtension } from "../../../src/archive/index.js";
import { kinds, type ResourceKind, resourceKinds } from "../../../src/bridges/kinds.js";
import type { Emulator } from "../../../src/emulator/index.js";
import { page } from "../../repository/documents/pages.js";
import { descriptions } from "../../repository/documents/schema-examples.js";
import { programsFolder } from "../../support/stacks/install-package.js";
import { manifest, startService } from "../../support/stacks/service.js";
import { Stack } from "../../support/stacks/stack.js";
import { newHostsEnvironment, testWithNewHosts } from "../../support/where-available.js";

/** An object to import. `completed`: the printed code with the values that no read shows. */
interface Row {
  /** `archive`: files of the folder `theirs`, packed. */
  make(emulator: Emulator, projectId: string, archive: Buffer): string;
  completed?(code: string): string;
}

const withInput = (input: string) => (code: string) => code.replace(/, \{/, `, {\n    ${input},\n`);

const importable: { readonly [Kind in ResourceKind]?: Row } = {
  ApiKey: { make: (emulator) => emulator.createApiKey({ name: "agents" }).id },
  ApiKeyName: { make: (emulator) => emulator.createApiKey({ name: "ci" }).id },
  AuthConnection: {
    make: (emulator) => emulator.authConnections.create({ domain: "shop.example", profileName: "buyer" }).id,
  },
  BrowserPool: { make: (emulator) => emulator.browserPools.create({ name: "agents", size: 1 }).id },
  Credential: {
    make: (emulator) =>
      emulator.credentials.create({ name: "shop", domain: "shop.example", fields: { user: "a" } }).id,
    completed: (code) => code.replace("values: {}", 'values: { user: "a" }'),
  },
  CredentialProvider: {
    make: (emulator) => emulator.credentialProviders.create({ name: "vault", token: "t" }).id,
    completed: withInput('tokenFromEnv: "VAULT_TOKEN"'),
  },
  Extension: {
    make: (emulator, projectId, bytes) =>
      emulator.extensions.createFrom({ name: "theirs", archive: "", bytes }, projectId).id,
    completed: (code) => withInput('path: "./theirs"')(code.replace(/^ +path: .*\n/m, "")),
  },
  OrganizationLimits: { make: () => "organization" },
  Profile: { make: (emulator, projectId) => emulator.profiles.createFrom({ name: "work" }, projectId).id },
  Project: { make: (emulator) => emulator.createProject({ name: "Shop" }).id },
  ProjectLimits: {
    make: (emulator) => emulator.createProject({ name: "Limited", limits: { maxConcurrentSessions: 5 } }).id,
  },
  Proxy: { make: (emulator) => emulator.proxies.create({ name: "exit", type: "isp" }).id },
  TelemetryDestination: {
    make: (emulator) =>
      emulator.telemetryDestinations.create({ name: "logs", endpoint: "https://otlp.example.com" }).id,
  },
};

/** Commands of a page of the registry in TypeScript, as written. */
function commandsOf(path: string, chapter: string): string[] {
  const block = page(path).blocks.find((each) => each.language === "sh" && each.chapter === chapter);
  return (block?.code ?? "").trim().split("\n");
}

describe("the registry's pages in a TypeScript project", () => {
  let emulator: Emulator;
  let stack: Stack;

  beforeAll(async () => {
    const service = await startService();
    emulator = service.emulator;
    stack = await Stack.create(
      {
        ...newHostsEnvironment(),
        VAULT_TOKEN: "t",
      },
      JSON.stringify({ name: "shop", runtime: "nodejs" }),
    );
    stack.write("extension/manifest.json", manifest());
  });

  afterAll(() => stack.remove());

  testWithNewHosts(
    "every command in order, import of every kind included, ends with an empty preview",
    async () => {
      const own = `file:${join(programsFolder, "package.tgz")}`;
      stack.write("package.json", JSON.stringify({ private: true }));
      const npm = (...args: string[]) =>
        execFileSync("npm", [...args, "--no-fund", "--no-audit"], { cwd: stack.path(), encoding: "utf8" });
      const [install = "", add = "", ...others] = commandsOf(
        "docs/installation-configuration.md",
        "Installation",
      );
      expect(others).toEqual([]);
      npm(...install.replace("npm ", "").replace("pulumi-browser-infra", own).split(" "));
      await stack.succeed(...add.replace("pulumi ", "").split(" "));
      // The package of the registry stands beside ours.
      const { dependencies } = JSON.parse(readFileSync(stack.path("package.json"), "utf8"));
      expect(dependencies).toMatchObject({
        "@pulumi/browser-infra": "file:sdks/browser-infra",
        "pulumi-browser-infra": expect.stringContaining("package.tgz"),
      });
      const [key = "", url = ""] = commandsOf("docs/installation-configuration.md", "Configuration");
      await stack.succeedWithInput(emulator.apiKeys[0] ?? "", ...key.replace("pulumi ", "").split(" "));
      await stack.succeed(...url.replace("pulumi ", "").split(" ").slice(0, -1), emulator.url);
      const program = page("docs/_index.md").blocks.find(({ language }) => language === "ts")?.code ?? "";
      stack.write("index.ts", program);
      await stack.up();
      await stack.expectNoChanges();

      stack.write(
        "theirs/manifest.json",
        JSON.stringify({ manifest_version: 3, name: "Example", version: "1.0.0" }),
      );
      stack.write("theirs/content.js", "// ");
      const { bytes } = await packExtension(stack.path("theirs"));
      const files: string[] = [];
      const made: Record<string, string> = {};
      for (const [kind, row] of Object.entries(importable)) {
        const [, command = ""] = /```sh\npulumi (import .*)\n```/.exec(descriptions.get(kind) ?? "") ?? [];
        made[kind] = row.make(emulator, emulator.defaultProject.id, Buffer.from(bytes));
        const name = kind.replace(/^./, (letter) => letter.toLowerCase());
        const args = command
          .replace("example", name)
          .replace(/"<.*>"|"organization"/, made[kind])
          .split(" ");
        await stack.succeed(...args, "--yes", "--skip-preview", "--out", `${name}.ts`);
        const code = readFileSync(stack.path(`${name}.ts`), "utf8");
        stack.write(`${name}.ts`, row.completed?.(code) ?? code);
        files.push(`import "./${name}";\n`);
      }
      stack.write("index.ts", `${files.join("")}${program}`);
      // Sends the values that no read shows, and replaces nothing.
      const output = await stack.up();
      expect(output).not.toMatch(/created|deleted|replaced/);
      // With a check of the types, like for a user.
      stack.export({ PULUMI_NODEJS_TRANSPILE_ONLY: "false" });
      await stack.expectNoChanges();
      for (const { type, id } of stack.resources()) {
        const kind = type.replace("browser-infra:index:", "");
        expect([kind, kind === "Extension" || made[kind] === undefined || made[kind] === id]).toEqual([
          kind,
          true,
        ]);
      }
    },
  );

  test("every kind that can be imported is imported here", () => {
    // No read shows the code of a deployment, so the first up after an import may deploy anew.
    const known = resourceKinds.filter(
      (kind) => kind !== "AppDeployment" && kinds[kind].lifecycle().importIds.length > 0,
    );
    expect(Object.keys(importable).sort()).toEqual([...known].sort());
  });
});
