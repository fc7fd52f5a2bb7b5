import { execFileSync } from "node:child_process";
import { join, resolve } from "node:path";
import { provideRuntime, type Runtime, runtimes } from "../archive/same-bytes/runtimes.js";

const built = resolve(__dirname, "../../dist/client/index.js");

describe("the client in Bun, which replaces undici", () => {
  const bun = runtimes.find(({ name }) => name.startsWith("bun")) as Runtime;
  let program: string | undefined;
  let problem = "";
  try {
    program = provideRuntime(bun);
  } catch (error) {
    problem = (error as Error).message;
  }

  const title = "says that it needs Node, before any request";
  if (program === undefined && !process.env.CI) {
    console.warn(`${bun.name} is not available here, so it is not tested. ${problem}`);
    test.todo(title);
    return;
  }

  test(title, () => {
    const script = `
      const { BrowserInfraClient } = require(${JSON.stringify(built)});
      try {
        new BrowserInfraClient({ apiKey: "sk_emulator", baseUrl: "http://127.0.0.1:9" });
      } catch (error) {
        console.log(error.code + ": " + error.message);
      }`;
    const printed = execFileSync(program ?? problem, ["-e", script], {
      cwd: join(built, "../../.."),
      encoding: "utf8",
    });
    expect(printed).toContain("runtime_unsupported: ");
    expect(printed).toContain('Run the program with Node: "runtime: nodejs" in Pulumi.yaml.');
  });
});
