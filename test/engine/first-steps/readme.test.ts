import { execFileSync } from "node:child_process";
import { firstStepsOf, follow } from "../../support/stacks/first-steps.js";

describe("the quick start of the README, with the packed package in a new folder", () => {
  test("the quick start deploys an extension in at most six commands as written, and Git ignores generated files", async () => {
    const steps = firstStepsOf("README.md", "Quick start");
    expect(steps.commands.trim().split("\n").length).toBeLessThanOrEqual(6);
    expect(steps.commands).toContain("npm install pulumi-browser-infra");
    expect(steps.commands).toContain("pulumi up --yes");
    const { extensions, output, program } = await follow(steps);
    expect(extensions.map(({ name }) => name)).toEqual([expect.stringMatching(/^[\w-]+-[0-9a-f]{7}$/)]);
    expect(output).toContain(extensions[0]?.id);
    const others = "git init --quiet && git ls-files --others --exclude-standard";
    const kept = execFileSync("bash", ["-c", others], { cwd: program, encoding: "utf8" });
    const written = ["Pulumi.dev.yaml", "package-lock.json", "package.json"];
    const files = steps.files.map(({ name }) => name);
    expect(kept.trim().split("\n").sort()).toEqual([...files, ...written].sort());
  });
});
