import { firstStepsOf, follow } from "../../stacks/first-steps.js";

describe("the quick start of the README, with the packed package in a new folder", () => {
  test("leads to a deployed extension in at most six commands, run exactly as written", async () => {
    const steps = firstStepsOf("README.md", "Quick start");
    expect(steps.commands.trim().split("\n").length).toBeLessThanOrEqual(6);
    expect(steps.commands).toContain("npm install pulumi-browser-infra");
    expect(steps.commands).toContain("pulumi up --yes");
    const { extensions, output } = await follow(steps);
    expect(extensions.map(({ name }) => name)).toEqual([expect.stringMatching(/^[\w-]+-[0-9a-f]{7}$/)]);
    expect(output).toContain(extensions[0]?.id);
  });
});
