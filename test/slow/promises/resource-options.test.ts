import type { Emulator } from "../../../src/emulator/index.js";
import { startEach, writesIn } from "../../support/stacks/service.js";
import { javaScriptProject, Stack } from "../../support/stacks/stack.js";
import { pluginFolder } from "../../support/stacks/yaml-program.js";

const project = `${javaScriptProject}
plugins:
  providers:
    - name: browser-infra
      path: ${pluginFolder}
`;

describe.each(["pulumi-browser-infra", "pulumi-browser-infra/plugin"])(
  "newer options of Pulumi for resources of %s, with the real engine",
  (entry) => {
    let emulator: Emulator;
    let stack: Stack;
    startEach(
      (environment) => Stack.create(environment, project),
      (started) => {
        emulator = started.emulator;
        stack = started.stack;
      },
    );

    /** Writes a program of two profiles. `first`, `second`: code of the options. */
    function declare(first: string, second = "{}", name = "one"): void {
      stack.write(
        "index.js",
        `const { Profile } = require("${entry}");
        const first = new Profile("first", { name: "${name}" }, ${first});
        const second = new Profile("second", { name: "two" }, ${second});
        exports.ids = [first.id, second.id];`,
      );
    }

    const idsOf = async (): Promise<readonly string[]> => (await stack.outputs()).ids;

    test("a changed replacementTrigger replaces a resource, and replaceWith replaces another one with it", async () => {
      declare('{ replacementTrigger: "1" }', "{ replaceWith: [first] }");
      await stack.up();
      const before = await idsOf();
      await stack.expectNoChanges();
      declare('{ replacementTrigger: "2" }', "{ replaceWith: [first] }");
      await stack.up();
      const after = await idsOf();
      expect(after.filter((id) => before.includes(id))).toEqual([]);
      expect(emulator.profiles.list().map(({ id }) => id)).toEqual(expect.arrayContaining([...after]));
      expect(emulator.profiles.list()).toHaveLength(2);
    });

    test("a property of hideDiffs is changed, and the preview does not show its value", async () => {
      declare('{ hideDiffs: ["name"] }');
      await stack.up();
      declare('{ hideDiffs: ["name"] }', "{}", "renamed");
      const { output } = await stack.preview();
      expect(output).toContain("~ 1 to update");
      expect(output).not.toContain("renamed");
      await stack.up();
      expect(emulator.profiles.list().map(({ name }) => name)).toContain("renamed");
    });

    test("a resource that is deletedWith another one is not deleted itself", async () => {
      declare("{}", "{ deletedWith: first }");
      await stack.up();
      const [first, second] = await idsOf();
      const { length } = writesIn(emulator);
      await stack.destroy();
      expect(writesIn(emulator).slice(length)).toEqual([expect.stringMatching(`DELETE .*${first}`)]);
      expect(emulator.profiles.list().map(({ id }) => id)).toEqual([second]);
    });
  },
);
