import { execFileSync } from "node:child_process";
import { join, resolve } from "node:path";
import { provideRuntime, type Runtime, runtimes } from "../archive/same-bytes/runtimes.js";
import { testWhereAvailable } from "../support/where-available.js";

const built = resolve(__dirname, "../../dist/client/index.js");

describe("the client in Bun, which replaces undici", () => {
  const bun = runtimes.find(({ name }) => name.startsWith("bun")) as Runtime;
  let program = "";
  let missing: string | undefined;
  try {
    program = provideRuntime(bun);
  } catch (error) {
    missing = `${bun.name}: ${(error as Error).message}`;
  }

  testWhereAvailable(
    "the client in Bun throws an error that asks for Node, before any request",
    missing,
    () => {
      const script = `
      const { BrowserInfraClient } = require(${JSON.stringify(built)});
      try {
        new BrowserInfraClient({ apiKey: "sk_emulator", baseUrl: "http://127.0.0.1:9" });
      } catch (error) {
        console.log(error.code + ": " + error.message);
      }`;
      const printed = execFileSync(program, ["-e", script], {
        cwd: join(built, "../../.."),
        encoding: "utf8",
      });
      expect(printed).toContain("runtime_unsupported: ");
      expect(printed).toContain('Run the program with Node: "runtime: nodejs" in Pulumi.yaml.');
    },
  );
});
