import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LocalWorkspace, type Stack } from "@pulumi/pulumi/automation";
import { type Emulator, startEmulator } from "pulumi-browser-infra/emulator";
import { Extension } from "../../../src/index.js";
import { programsFolder } from "../../support/stacks/install-package.js";

// docs/emulator/testing.md names this file.
/** The folder of the program, with Pulumi.yaml and an empty folder "state". */
let folder: string;
let emulator: Emulator;
let stack: Stack;

beforeAll(() => {
  folder = mkdtempSync(join(programsFolder, "automation-"));
  mkdirSync(join(folder, "state"));
  mkdirSync(join(folder, "extension"));
  writeFileSync(
    join(folder, "Pulumi.yaml"),
    "{ name: shop, runtime: { name: nodejs, options: { typescript: false } } }",
  );
  writeFileSync(
    join(folder, "index.js"),
    `const { Extension } = require("pulumi-browser-infra");
     exports.extensionId = new Extension("page-reader", { path: "./extension" }).id;`,
  );
  const manifest = { manifest_version: 3, name: "Page Reader", version: "1.0.0" };
  writeFileSync(join(folder, "extension", "manifest.json"), JSON.stringify(manifest));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeAll(async () => {
  emulator = await startEmulator();
  stack = await LocalWorkspace.createOrSelectStack(
    { stackName: "test", workDir: folder },
    {
      pulumiHome: join(folder, "home"),
      envVars: {
        PULUMI_SKIP_UPDATE_CHECK: "true",
        PULUMI_BACKEND_URL: `file://${join(folder, "state")}`,
        PULUMI_CONFIG_PASSPHRASE: "test",
        BROWSER_INFRA_BASE_URL: emulator.url,
        BROWSER_INFRA_API_KEY: emulator.apiKeys[0] ?? "",
      },
    },
  );
});

afterAll(() => emulator.close());

test("two deployments upload the extension once", async () => {
  const { outputs } = await stack.up();
  expect(outputs.extensionId?.value).toBe(emulator.extensions.list()[0]?.id);
  const writes = () => emulator.requests.filter(({ method }) => method !== "GET");
  expect(writes()).toHaveLength(1);
  await stack.up({ expectNoChanges: true });
  expect(writes()).toHaveLength(1);
  await stack.destroy();
  expect(emulator.extensions.list()).toEqual([]);
});

test("a relative path in an inline program starts at the working directory of the process", async () => {
  const path = join(folder.slice(process.cwd().length + 1), "extension");
  const program = async () => ({ checksum: new Extension("page-reader", { path }).checksum });
  const { workspace } = stack;
  const inline = await LocalWorkspace.createOrSelectStack(
    { stackName: "inline", projectName: "inline", program },
    { pulumiHome: workspace.pulumiHome ?? "", envVars: workspace.envVars },
  );
  const { changeSummary } = await inline.preview();
  expect(changeSummary).toEqual({ create: 2 });
});
