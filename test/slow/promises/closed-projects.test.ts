import { join } from "node:path";
import type { Emulator } from "../../../src/emulator/index.js";
import { bridges } from "../../support/stacks/bridges.js";
import { programsFolder } from "../../support/stacks/install-package.js";
import { startEach } from "../../support/stacks/service.js";
import type { Stack } from "../../support/stacks/stack.js";

const command = join(programsFolder, "node_modules", ".bin", "browser-infra");

describe.each(bridges)("a stack in projects that others archive or delete, with $name", (bridge) => {
  let stack: Stack;
  let emulator: Emulator;

  startEach(
    bridge.create,
    (started) => {
      ({ stack, emulator } = started);
    },
    {
      seed: {
        projects: [
          { id: "shop", name: "Shop" },
          { id: "search", name: "Search" },
        ],
      },
    },
  );

  test("drift names each project once with the number of resources, and compares the rest of the stack", async () => {
    const options = { deleteBeforeReplace: true };
    const profile = (name: string, projectId?: string) => ({
      type: "Profile" as const,
      properties: { name, ...(projectId && { projectId }) },
      options,
    });
    bridge.declare(stack, {
      one: profile("one", "shop"),
      two: profile("two", "shop"),
      three: profile("three", "search"),
      four: profile("four"),
      five: profile("five"),
    });
    await stack.up();
    const drift = (...args: string[]) => stack.runScript(command, "drift", ...args);
    expect(await drift()).toEqual({ exitCode: 0, output: "Nothing has drifted.\n" });
    emulator.archiveProject("shop");
    emulator.projects.remove("search");
    const sentences = [
      "Project search is gone: 1 resource of this stack is in it.\n",
      'Project "Shop" (id shop) is archived: 2 resources of this stack are in it. "browser-infra projects activate shop --stack dev" makes it active again.\n',
    ].join("");
    expect(await drift()).toEqual({ exitCode: 7, output: sentences });
    const [{ id = "" } = {}] = emulator.profiles.list().filter(({ name }) => name === "four");
    emulator.profiles.remove(id);
    const repair = '"pulumi up --refresh --run-program --stack dev" repairs the drift.\n';
    expect(await drift()).toEqual({
      exitCode: 7,
      output: `${sentences}four (Profile): gone from the service.\n${repair}`,
    });
    const { exitCode, output } = await drift("--json");
    expect([exitCode, JSON.parse(output)]).toEqual([
      7,
      expect.objectContaining({
        clean: false,
        projects: [
          { id: "search", name: null, drift: "gone", resources: 1, repair: null },
          {
            id: "shop",
            name: "Shop",
            drift: "archived",
            resources: 2,
            repair: "browser-infra projects activate shop --stack dev",
          },
        ],
        resources: [expect.objectContaining({ name: "four", drift: "gone" })],
      }),
    ]);
  });
});
