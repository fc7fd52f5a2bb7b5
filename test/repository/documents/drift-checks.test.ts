import { pages } from "./pages.js";

const driftCheck = /\bpulumi (?:preview|refresh) [^`\n]*--run-program[^`\n]*--expect-no-changes/g;

describe("the drift checks of the pages", () => {
  // Without `--diff`, Pulumi's rows also list properties that have not drifted.
  test("every drift check with pulumi on the pages has --diff, so that only drifted properties are listed", () => {
    const checks = pages.flatMap(({ path, text }) =>
      [...text.matchAll(driftCheck)].map(([command]) => `${path}: ${command}`),
    );
    expect(checks.length).toBeGreaterThan(2);
    expect(checks.filter((check) => !check.includes(" --diff "))).toEqual([]);
  });
});
