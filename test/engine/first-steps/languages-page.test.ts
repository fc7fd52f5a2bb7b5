import { firstStepsOf, follow } from "../../stacks/first-steps.js";

describe("docs/languages.md, with the packed package in a new folder", () => {
  // Those in Python and Go are in test/slow/examples/languages.test.ts.
  test("leads to a deployed extension in YAML, run exactly as written", async () => {
    const { extensions, output } = await follow(firstStepsOf("docs/languages.md", "Start", "In YAML"));
    expect(output).toContain(`extensionId: "${extensions[0]?.id}"`);
  });
});
