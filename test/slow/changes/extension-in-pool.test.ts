import { BrowserInfraClient } from "../../../src/client/index.js";
import type { Emulator } from "../../../src/emulator/index.js";
import { manifest, startEach, writesIn } from "../../support/stacks/service.js";
import { Stack } from "../../support/stacks/stack.js";
import { reference } from "../../support/stacks/yaml-program.js";
import { storedZip } from "../../support/stored-zip.js";

/** Kinds of the writes after the first `before` writes, without ids. */
function kindsSince(emulator: Emulator, before: number): string[] {
  return writesIn(emulator)
    .slice(before)
    .map((write) => write.replace(/\/[a-z0-9]{24}$/, ""));
}

describe("an extension and the browser pool that loads it, with the real engine", () => {
  let emulator: Emulator;
  let stack: Stack;

  startEach(Stack.createYaml, (started) => ({ emulator, stack } = started), { speed: 1_000 });

  /** Declares extension and pool. `projectId` puts both into a project of the program. */
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
    const contents = manifest("0.9.0");
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
    expect(adopting.output).toContain(`unchanged, because browser pool "agents" (${pool.id}) loads it.`);
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

    // The engine first determines the resources to replace together with the project, and deletes
    // them.
    const urn = stack.resources().find(({ type }) => type.endsWith(":Project"))?.urn ?? "";
    await stack.up("--replace", urn);
    const [next] = emulator.projects.list();
    expect(next?.id).not.toBe(project?.id);
    expect(emulator.browserPools.list(next?.id)).toMatchObject([{ extensionIds: [stack.extension().id] }]);
    await stack.up("--expect-no-changes");
  });
});
