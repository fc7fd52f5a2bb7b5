import { TemporaryClone } from "./temporary-clone.js";

let clone: TemporaryClone;
beforeAll(async () => {
  clone = new TemporaryClone();
  await clone.run("setup.mjs");
});

function runTests(plan: object, args: readonly string[] = [], env: Record<string, string> = {}) {
  return clone.run("test.mjs", args, { FAKE_JEST: JSON.stringify(plan), ...env });
}

const lastLine = (text: string) => text.trimEnd().split("\n").at(-1);

describe("npm test", () => {
  test("counts type check, lint and every test, and ends with the sum", async () => {
    const { code, stdout } = await runTests({ statuses: ["passed", "passed", "passed"] });
    expect(lastLine(stdout)).toBe("5 passed, 0 failed");
    expect(code).toBe(0);
  });

  test("passes its arguments to jest and leaves out type check and lint", async () => {
    const { stdout, stderr } = await runTests({ statuses: ["passed"] }, ["test/archive"]);
    expect(stderr).toContain('jest got ["test/archive"]');
    expect(lastLine(stdout)).toBe("1 passed, 0 failed");
  });

  test("fails when a test fails or a test file cannot be loaded", async () => {
    const { code, stdout } = await runTests({ statuses: ["passed", "failed"], unloadable: 1, code: 1 });
    expect(lastLine(stdout)).toBe("3 passed, 2 failed");
    expect(code).toBe(1);
  });

  test("runs the tests even if the type check fails, and says so again at the end", async () => {
    const { code, stdout } = await runTests({ statuses: ["passed"] }, [], { FAKE_TSC: "fail" });
    expect(stdout).toContain("Type check: FAILED");
    expect(stdout).toMatch(/\nType check failed\. To see why: npm run check\n2 passed, 1 failed\n$/);
    expect(code).toBe(1);
  });

  test("fails when no test ran, and when jest fails without a failed test", async () => {
    const none = await runTests({ code: 1, crash: true }, ["test/none"]);
    expect(none.stdout).toContain("No test ran.");
    expect(lastLine(none.stdout)).toBe("0 passed, 1 failed");
    expect(none.code).toBe(1);

    const odd = await runTests({ statuses: ["passed"], code: 1 }, ["test/odd"]);
    expect(odd.stdout).toContain("although no test failed");
    expect(lastLine(odd.stdout)).toBe("1 passed, 1 failed");
    expect(odd.code).toBe(1);
  });

  test("hides the developer's settings of the service and of Pulumi from the tests, and names them without values", async () => {
    const secrets = {
      KERNEL_API_KEY: "sk-1",
      BROWSER_INFRA_BASE_URL: "https://sk-2",
      PULUMI_ACCESS_TOKEN: "sk-3",
    };
    const { stdout, stderr } = await runTests({ statuses: ["passed"] }, ["test/any"], secrets);
    expect(stderr).toContain(
      "jest sees BROWSER_INFRA_TEST_PULUMI,BROWSER_INFRA_TOOLS,PULUMI_HOME,PULUMI_SKIP_UPDATE_CHECK\n",
    );
    expect(stdout).toContain("real service: KERNEL_API_KEY, BROWSER_INFRA_BASE_URL, PULUMI_ACCESS_TOKEN.");
    expect(stdout + stderr).not.toContain("sk-");
  });

  test("names the tests that were skipped just before the sum", async () => {
    const { stdout } = await runTests({ statuses: ["passed", "pending"] });
    expect(stdout).toMatch(/SKIPPED 1 test:\n {2}test 1\n3 passed, 0 failed, 1 skipped\n$/);
  });

  test("fails with the remedy when there is no engine, instead of running fewer tests", async () => {
    const bare = new TemporaryClone();
    bare.uninstall("go");
    const { code, stdout, stderr } = await bare.run("test.mjs");
    expect(stderr).toContain("BROWSER_INFRA_TEST_WITHOUT_ENGINE=1 lets");
    expect(lastLine(stdout)).toBe("0 passed, 1 failed");
    expect(code).toBe(1);
  });

  test("runs without an engine only on demand, and says what it leaves out", async () => {
    const bare = new TemporaryClone();
    bare.uninstall("go");
    const { code, stdout } = await bare.run("test.mjs", [], {
      FAKE_JEST: JSON.stringify({ statuses: ["passed"] }),
      BROWSER_INFRA_TEST_WITHOUT_ENGINE: "1",
    });
    expect(stdout).toContain(
      "\nLEFT OUT every test that needs the Pulumi engine: BROWSER_INFRA_TEST_WITHOUT_ENGINE=1.\n",
    );
    expect(lastLine(stdout)).toBe("3 passed, 0 failed");
    expect(code).toBe(0);
  });
});

describe("npm run test:all", () => {
  const run = (args: readonly string[], plan: object = {}) =>
    clone.run("test-all.mjs", args, { FAKE_JEST: JSON.stringify(plan) });

  test("ends with a table of the suites that it was asked for, and with the sum", async () => {
    const { code, stdout } = await run(["walks", "slow"], { statuses: ["passed", "passed"] });
    expect(stdout).toContain("| walks | all | 2 of 2 |");
    expect(lastLine(stdout)).toBe("4 passed, 0 failed");
    expect(code).toBe(0);
    const none = await run(["walks"], { statuses: [] });
    expect(none.stdout).toContain("| | nothing ran | 0 of 1 | |");
    expect(lastLine(none.stdout)).toBe("0 passed, 1 failed");
    expect(none.code).toBe(1);
  });

  test("names the suites and the options that exist", async () => {
    expect((await run(["kill"])).stderr).toContain("There is no suite kill. There are: walks, contract, ");
    expect((await run(["--runs", "3"])).stderr).toContain("Known: --count N, --seed N, --only A,B.");
    expect((await run(["--count", "0"])).stderr).toContain("--count must be a whole number of at least 1");
  });
});
