import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parse } from "yaml";
import { filesBelow } from "../support/files-below.js";

const root = resolve(__dirname, "../..");
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
/** Example without a program: the emulator in a container. */
const container = "emulator-container";
const examples = readdirSync(join(root, "examples")).filter((example) => example !== container);

describe.each(examples)("examples/%s", (example) => {
  const folder = join(root, "examples", example);
  const files = filesBelow(folder);
  const programs = files
    .filter((file) => file.endsWith("/package.json"))
    .map((file) => readFileSync(file, "utf8"));
  const project = readFileSync(files.find((file) => file.endsWith("/Pulumi.yaml")) ?? "", "utf8");
  const isForNode = /^runtime: nodejs$|^ {2}name: nodejs$/m.test(project);

  test("the example stands alone, with a package.json that names this version and a Pulumi.yaml", () => {
    const dependencies = programs.map((text) => JSON.parse(text).dependencies ?? {});
    const ours = dependencies.find((each) => "pulumi-browser-infra" in each);
    expect(ours).toMatchObject({ "pulumi-browser-infra": `^${manifest.version}` });
    if (isForNode) {
      expect(ours["@pulumi/pulumi"]).toMatch(/^\^3\.\d+\.0$/);
      expect(manifest.peerDependencies["@pulumi/pulumi"]).toContain(ours["@pulumi/pulumi"].slice(1));
    } else {
      expect(project).toContain("path: node_modules/pulumi-browser-infra/plugin\n");
    }
    expect(files.filter((file) => file.endsWith("/Pulumi.yaml"))).toHaveLength(1);
    const imports = files
      .filter((file) => /\.m?ts$/.test(file))
      .flatMap((file) =>
        [...readFileSync(file, "utf8").matchAll(/ from "([^"]+)"/g)].map(([, from]) => from),
      );
    expect(imports.filter((from) => !from?.startsWith("./") && !((from ?? "") in ours))).toEqual([]);
  });

  test("every deployment of the example refreshes first, with a key that no refresh takes from the state", () => {
    expect(parse(project).options).toEqual({ refresh: "always" });
    const readme = readFileSync(join(folder, "README.md"), "utf8");
    expect(isForNode && /--secret browser-infra:apiKey/.test(readme)).toBe(false);
  });
});

test("the emulator in a container has this version, accepts remote requests, and runs as an unprivileged user", () => {
  const read = (file: string) => readFileSync(join(root, "examples", container, file), "utf8");
  expect(JSON.parse(read("package.json")).dependencies).toEqual({
    "pulumi-browser-infra": `^${manifest.version}`,
  });
  const instructions = read("Dockerfile").replace(/\\\n +/g, "");
  for (const line of ["USER node", "EXPOSE 4010", "VOLUME /data", "HEALTHCHECK .* CMD \\[.*:4010/"]) {
    expect(instructions).toMatch(new RegExp(`^${line}`, "m"));
  }
  expect(instructions).toMatch(/^ENTRYPOINT \[.*"--host", "0\.0\.0\.0", "--allow-remote"\]$/m);
});

test("in the GitHub workflow of examples/pipeline, only deployments share a concurrency group", () => {
  const workflow = readFileSync(join(root, "examples/pipeline/.github/workflows/browsers.yml"), "utf8");
  const [, expression = ""] = /^ {2}group: browsers-production\$\{\{ (.+) \}\}$/m.exec(workflow) ?? [];
  const format = (text: string, value: unknown) => text.replace("{0}", String(value));
  const endOfGroup = new Function("github", "format", `return ${expression}`);
  const endOf = (event_name: string, run_id: number) => endOfGroup({ event_name, run_id }, format);
  expect([endOf("push", 1), endOf("push", 2)]).toEqual(["", ""]);
  expect([endOf("pull_request", 3), endOf("schedule", 4)]).toEqual(["-3", "-4"]);
});

describe("docs/programs/pipelines.md", () => {
  test("the page of pipelines shows the files of examples/pipeline", () => {
    const page = readFileSync(join(root, "docs/programs/pipelines.md"), "utf8");
    for (const file of ["Pulumi.yaml", ".github/workflows/browsers.yml", ".gitlab-ci.yml", "pipeline.sh"]) {
      const shown = new RegExp(`\`${file.replaceAll(".", "\\.")}\`:\n\n\`\`\`\\w+\n([\\s\\S]*?)\`\`\``).exec(
        page,
      );
      expect(shown?.[1]).toBe(readFileSync(join(root, "examples/pipeline", file), "utf8"));
    }
  });
});
