import { join } from "node:path";
import { TemporaryClone } from "./temporary-clone.js";

/** Fake Pulumi CLI that writes SDKs, except in the languages of FAKE_WITHOUT. */
const pulumi = String.raw`
const { appendFileSync } = require("node:fs");
const args = process.argv.slice(2);
if (args[0] === "version") {
  console.log("v3.999.0");
} else {
  appendFileSync(process.env.FAKE_LOG, "pulumi " + args.join(" ") + "\n");
  const language = args[args.indexOf("--language") + 1];
  if (process.env.FAKE_WITHOUT?.split(",").includes(language)) {
    console.error("error: rpc error: code = Unimplemented desc = unknown method GeneratePackage");
    process.exit(1);
  }
}
`;

let clone: TemporaryClone;
beforeAll(async () => {
  clone = new TemporaryClone();
  clone.install("pulumi", pulumi);
  for (const name of ["pulumi-language-nodejs", "pulumi-resource-pulumi-nodejs", "pulumi-language-yaml"]) {
    clone.install(name, "");
  }
  await clone.run("setup.mjs");
});
beforeEach(() => {
  clone.takeCalls();
});

const schema = () => join(clone.folder, "schema.json");
const out = () => join(clone.folder, "sdk");
const asked = () =>
  ["python", "go"].map(
    (language) => `pulumi package gen-sdk ${schema()} --language ${language} --out ${out()}`,
  );

describe("npm run generate:sdks", () => {
  test("has the CLI's language hosts write the SDKs of schema.json into sdk, where they can", async () => {
    const { code, stdout } = await clone.run("sdks/generate.mjs");
    expect(stdout).toBe("Wrote the SDKs for Python and Go into sdk.\n");
    expect(code).toBe(0);
    expect(clone.takeCalls()).toEqual(asked());
  });

  test("builds the CLI's own generators for the languages whose host cannot", async () => {
    const { code, stderr } = await clone.run("sdks/generate.mjs", [], { FAKE_WITHOUT: "go" });
    expect(stderr).toContain("Building the generator of SDKs from its published Go module, because ");
    expect(code).toBe(0);
    expect(clone.takeCalls()).toEqual([
      ...asked(),
      "go version",
      "go build sdk-generator",
      `generator ${schema()} ${out()} go`,
    ]);
  });

  test("says what is missing when neither way works", async () => {
    const { code, stderr } = await clone.run("sdks/generate.mjs", [], {
      FAKE_WITHOUT: "python",
      FAKE_GO: "1.19",
    });
    expect(code).toBe(1);
    expect(stderr).toMatch(/The SDKs cannot be generated: the go on PATH is 1\.19, older than 1\.25\.\d+/);
  });
});
