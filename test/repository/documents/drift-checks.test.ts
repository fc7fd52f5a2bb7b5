import { pages } from "./pages.js";

const driftCheck = /\bpulumi (?:preview|refresh) [^`\n]*--run-program[^`\n]*--expect-no-changes/g;

describe("the drift checks of the pages", () => {
  // Without `--diff`, Pulumi's rows also list properties that have not drifted.
  test("have --diff, so that they name what has drifted and nothing else", () => {
    const checks = pages.flatMap(({ path, text }) =>
      [...text.matchAll(driftCheck)].map(([command]) => `${path}: ${command}`),
    );
    expect(checks.length).toBeGreaterThan(3);
    expect(checks.filter((check) => !check.includes(" --diff "))).toEqual([]);
  });
});
