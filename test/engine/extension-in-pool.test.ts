import { BrowserInfraClient } from "../../src/client/index.js";
import type { Emulator } from "../../src/emulator/index.js";
import { storedZip } from "../support/stored-zip.js";
import { startService, writesIn } from "./service.js";
import { Stack } from "./stack.js";
import { reference } from "./yaml-program.js";

const manifest = '{ "manifest_version": 3, "name": "Reader", "version": "1.0.0" }';

/** Kinds of write since a number of them, without ids. */
function kindsSince(emulator: Emulator, before: number): string[] {
  return writesIn(emulator)
    .slice(before)
    .map((write) => write.replace(/\/[a-z0-9]{24}$/, ""));
}

describe("an extension and the browser pool that loads it, with the real engine", () => {
  let emulator: Emulator;
  let stack: Stack;

  beforeEach(async () => {
    const service = await startService({ speed: 1_000 });
    emulator = service.emulator;
    stack = await Stack.createYaml(service.environment);
    stack.write("extension/manifest.json", manifest);
  });

  afterEach(async () => {
    stack.remove();
    await emulator.close();
  });

  /** Declares both. They go into a project of the program if `projectId` says so. */
  function declare(extension: Readonly<Record<string, unknown>>, projectId?: string): void {
    const where = projectId === undefined ? {} : { projectId: reference(projectId) };
    const properties = { path: "./extension", ...extension, ...where };
    const options = { deleteBeforeReplace: true };
    stack.declare({
      ...(projectId === undefined ? {} : { shop: { type: "Project", properties: {}, options } }),
      reader: { type: "Extension", properties },
      agents: {
        type: "BrowserPool",
        properties: { name: "agents", size: 1, extensionIds: [reference("reader.id")], ...where },
        options,
      },
    });
  }

  test("both come under management although the folder differs, and the next deployment replaces the extension", async () => {
    const client = new BrowserInfraClient({ baseUrl: emulator.url, apiKey: emulator.apiKeys[0] ?? "" });
    const contents = manifest.replace("1.0.0", "0.9.0");
    const archive = storedZip([{ name: "manifest.json", contents }]);
    const old = await client.extensions.upload({ archive, name: "theirs" });
    await client.close();
    const pool = emulator.browserPools.create({ name: "agents", size: 1, extensions: [{ id: old.id }] });
    stack.declare({});
    const options = ["--generate-code=false", "--protect=false", "--yes", "--skip-preview"];
    await stack.succeed("import", "browser-infra:index:BrowserPool", "agents", pool.id, ...options);

    declare({ adopt: old.id });
    const adopting = await stack.preview();
    expect(`${adopting.exitCode} ${adopting.output}`).toMatch(/^0 /);
    expect(adopting.output).toContain(`as it is, because browser pool "agents" (${pool.id}) loads it.`);
    const before = writesIn(emulator).length;
    expect(await stack.up()).toContain('Run "pulumi up" again to replace it');
    expect(kindsSince(emulator, before)).toEqual([]);
    expect(stack.extension().id).toBe(old.id);

    expect((await stack.preview("--expect-no-changes")).exitCode).not.toBe(0);
    await stack.up();
    expect(kindsSince(emulator, before)).toEqual([
      "POST /extensions",
      "PATCH /browser_pools",
      "DELETE /extensions",
    ]);
    expect(emulator.extensions.list()).toMatchObject([{ id: stack.extension().id }]);
    expect(emulator.browserPools.list()).toMatchObject([
      { id: pool.id, extensionIds: [stack.extension().id] },
    ]);
    await stack.up("--expect-no-changes");
  });

  test("both are replaced when they move to a project that the program creates, and the preview says so", async () => {
    declare({});
    await stack.up();
    const [pool] = emulator.browserPools.list();
    declare({}, "shop.id");
    const { exitCode, output } = await stack.preview();
    expect(`${exitCode} ${output}`).toMatch(/^0 /);
    expect(output).toContain("+-browser-infra:index:BrowserPool: (replace)");
    expect(output).toContain("+-browser-infra:index:Extension: (replace)");
    await stack.up();
    const [project] = emulator.projects.list();
    expect(emulator.browserPools.list()).toEqual([]);
    expect(emulator.extensions.list()).toEqual([]);
    expect(emulator.browserPools.list(project?.id)).toMatchObject([
      { name: "agents", extensionIds: [stack.extension().id] },
    ]);
    expect(emulator.browserPools.list(project?.id)[0]?.id).not.toBe(pool?.id);
    await stack.up("--expect-no-changes");

    // The engine asks what goes together with the project, and deletes that first.
    const urn = stack.resources().find(({ type }) => type.endsWith(":Project"))?.urn ?? "";
    await stack.up("--replace", urn);
    const [next] = emulator.projects.list();
    expect(next?.id).not.toBe(project?.id);
    expect(emulator.browserPools.list(next?.id)).toMatchObject([{ extensionIds: [stack.extension().id] }]);
    await stack.up("--expect-no-changes");
  });

  test("an extension with a fixed name does not move together with its pool, and the preview says so", async () => {
    declare({ name: "reader" });
    await stack.up();
    const before = writesIn(emulator).length;
    declare({ name: "reader" }, "shop.id");
    const { exitCode, output } = await stack.preview();
    expect(exitCode).not.toBe(0);
    expect(output).toContain("cannot be replaced by one with a fixed name");
    expect(output).toContain('Leave "name" out:');
    expect(kindsSince(emulator, before)).toEqual([]);
  });
});

describe("an extension and the browser pool of a program in JavaScript, with the real engine", () => {
  test("both are replaced in the preview when they move to a project that the program creates", async () => {
    const { emulator, environment } = await startService();
    const stack = await Stack.create(environment);
    stack.write("extension/manifest.json", manifest);
    const declare = (projectId: string) =>
      stack.write(
        "index.js",
        `const { BrowserPool, Extension, Project } = require("pulumi-browser-infra");
         const projectId = ${projectId};
         const reader = new Extension("reader", { path: "./extension", projectId });
         new BrowserPool("agents", { size: 1, extensionIds: [reader.id], projectId });`,
      );
    try {
      declare("undefined");
      await stack.up();
      declare('new Project("shop").id');
      const { exitCode, output } = await stack.preview();
      expect(`${exitCode} ${output}`).toMatch(/^0 /);
      expect(output).toContain("dynamic/browser-infra:BrowserPool: (replace)");
      expect(output).toContain("dynamic/browser-infra:Extension: (replace)");
      await stack.up();
      expect(emulator.browserPools.list()).toEqual([]);
      expect(emulator.extensions.list()).toEqual([]);
      await stack.up("--expect-no-changes");
    } finally {
      stack.remove();
      await emulator.close();
    }
  });
});
