import type { Emulator } from "../../../src/emulator/index.js";
import { startEach } from "../../support/stacks/service.js";
import { Stack } from "../../support/stacks/stack.js";
import { reference } from "../../support/stacks/yaml-program.js";

describe("an extension and the browser pool that loads it, with the real engine", () => {
  let emulator: Emulator;
  let stack: Stack;

  startEach(Stack.createYaml, (started) => ({ emulator, stack } = started), { speed: 1_000 });

  /** Declares extension and pool. `projectId` puts both into a project of the program. */
  function declare(projectId?: string): void {
    const where = projectId === undefined ? {} : { projectId: reference(projectId) };
    const properties = { path: "./extension", ...where };
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

  test("an extension and its pool are replaced when both move to a new project, and the preview shows the replacements", async () => {
    declare();
    await stack.up();
    const [pool] = emulator.browserPools.list();
    declare("shop.id");
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
