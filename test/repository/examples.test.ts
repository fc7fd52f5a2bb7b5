import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { parse } from "yaml";
import { filesBelow } from "../support/files-below.js";

const root = resolve(__dirname, "../..");
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const container = "emulator-container";
/** Examples without a program: the emulator in a container, and a policy pack. */
const others = [container, "policies"];
const examples = readdirSync(join(root, "examples")).filter((example) => !others.includes(example));

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
    "browser-infra-emulator": `^${manifest.version}`,
  });
  const instructions = read("Dockerfile").replace(/\\\n +/g, "");
  for (const line of ["USER node", "EXPOSE 4010", "VOLUME /data", "HEALTHCHECK .* CMD \\[.*:4010/"]) {
    expect(instructions).toMatch(new RegExp(`^${line}`, "m"));
  }
  const [, entry = ""] = /^ENTRYPOINT (\[.*\])$/m.exec(instructions) ?? [];
  const [shell, option, script = ""] = JSON.parse(entry);
  expect([shell, option]).toEqual(["sh", "-c"]);
  expect(script).toMatch(/^exec \S+browser-infra-emulator --host 0\.0\.0\.0 --allow-remote /);
  // The key of the environment, and the arguments after the image name.
  const argumentsFor = (env: Record<string, string>) =>
    execFileSync("sh", ["-c", script.replace(/^exec \S+/, 'printf "%s\\n"'), "emulator", "--data", "/a b"], {
      env,
    })
      .toString()
      .split("\n")
      .slice(5, -1);
  expect(argumentsFor({ EMULATOR_API_KEY: "sk 1" })).toEqual(["--api-key=sk 1", "--data", "/a b"]);
  expect(argumentsFor({})).toEqual(["--data", "/a b"]);
});

test("a build of the container reads the files that the Dockerfile copies, and no more", () => {
  const read = (file: string) => readFileSync(join(root, "examples", container, file), "utf8");
  const [, copied = ""] = /^COPY (.+) \S+$/m.exec(read("Dockerfile")) ?? [];
  const inContext = copied.split(" ").map((file) => `!${file}`);
  expect(read(".dockerignore").trim().split("\n")).toEqual(["*", ...inContext]);
});

describe("what pipelines run", () => {
  const places = [
    ".github/workflows",
    ...readdirSync(join(root, "examples")).map((name) => `examples/${name}`),
  ];
  const files = places
    .flatMap((place) => filesBelow(join(root, place)))
    .filter((file) => /\.ya?ml$|Dockerfile$/.test(file) && !/Pulumi(Policy|\.\w+)?\.yaml$|pnpm-/.test(file))
    .map((file) => [relative(root, file), readFileSync(file, "utf8")] as const);
  const linesOf = (text: string, begin: RegExp) => text.split("\n").filter((line) => begin.test(line));

  test("there are workflows and containers to check", () => {
    expect(files.map(([file]) => file).sort()).toEqual([
      ...["check", "nightly", "release"].map((name) => `.github/workflows/${name}.yml`),
      "examples/emulator-container/Dockerfile",
      "examples/pipeline/.github/workflows/browsers.yml",
      "examples/pipeline/.gitlab-ci.yml",
    ]);
  });

  test.each(files)("%s names every action by commit, and every image by digest", (_file, text) => {
    for (const line of linesOf(text, /^\s*(- )?uses:/)) {
      expect(line).toMatch(/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    }
    for (const line of linesOf(text, /^\s*(image:|FROM )/)) {
      expect(line).toMatch(/(image:|FROM) \S+:\S+@sha256:[0-9a-f]{64}$/);
    }
  });

  test.each(files)(
    "%s installs with a lock and without scripts, and runs no script from the network",
    (_file, text) => {
      for (const line of linesOf(text, /\bnpm (ci|i|install)\b/)) {
        expect(line).toMatch(
          /npm ci (.* )?--ignore-scripts|npm install --global --ignore-scripts npm@\d+\.\d+\.\d+$/,
        );
      }
      expect(text).not.toMatch(/curl[^\n]*\|\s*(ba)?sh/);
      // A program from the network is compared with a checksum before use.
      expect(linesOf(text, /curl/)).toHaveLength(linesOf(text, /\| sha256sum --check$/).length);
    },
  );

  test("the GitHub workflow of examples/pipeline gives secrets to three steps, and each environment has its own", () => {
    const workflow = parse(files.find(([file]) => file.endsWith("browsers.yml"))?.[1] ?? "");
    const { steps, environment, ...job } = workflow.jobs.browsers;
    const { jobs: _jobs, ...rest } = workflow;
    expect(JSON.stringify([rest, job])).not.toContain("secrets.");
    const withSecrets = steps.filter((step: object) => JSON.stringify(step).includes("secrets."));
    expect(withSecrets.map(({ run }: { run: string }) => run)).toEqual([
      "./pipeline.sh preview",
      "./pipeline.sh deploy",
      "./pipeline.sh drift",
    ]);
    const [, expression = ""] = /^\$\{\{ (.+) \}\}$/.exec(environment) ?? [];
    const environmentOf = new Function("github", `return ${expression}`);
    expect(["push", "pull_request", "schedule"].map((event_name) => environmentOf({ event_name }))).toEqual([
      "production",
      "preview",
      "preview",
    ]);
  });

  test("the GitLab pipeline deploys in another environment than it previews", () => {
    const { preview, deploy, drift } = parse(
      files.find(([file]) => file.endsWith("gitlab-ci.yml"))?.[1] ?? "",
    );
    expect(deploy.environment).toBe("production");
    expect([preview, drift].map(({ environment }) => environment)).toEqual(
      Array(2).fill({ name: "preview", action: "access" }),
    );
  });

  test("the pipelines install the version of the Pulumi CLI whose checksums the repository has", () => {
    const { version, sha256 } = JSON.parse(
      readFileSync(join(root, "scripts/setup/pulumi-cli/archives.json"), "utf8"),
    );
    const textOf = (end: string) => files.find(([file]) => file.endsWith(end))?.[1];
    const [github, gitlab] = [textOf("browsers.yml"), textOf("gitlab-ci.yml")];
    expect(github).toContain(`pulumi-version: ${version}\n`);
    expect(gitlab).toContain(`pulumi-v${version}-linux-x64.tar.gz\n`);
    expect(gitlab).toContain(`echo "${sha256["linux-x64"]}  pulumi.tar.gz" | sha256sum --check`);
  });
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
  test("the page of pipelines shows the Pulumi.yaml of examples/pipeline, and names the further files", () => {
    const page = readFileSync(join(root, "docs/programs/pipelines.md"), "utf8");
    const [, shown] = /`Pulumi\.yaml`:\n\n```\w+\n([\s\S]*?)```/.exec(page) ?? [];
    expect(shown).toBe(readFileSync(join(root, "examples/pipeline/Pulumi.yaml"), "utf8"));
    for (const file of [".github/workflows/browsers.yml", ".gitlab-ci.yml", "pipeline.sh"]) {
      expect(page).toContain(`\`${file}\``);
      expect(existsSync(join(root, "examples/pipeline", file))).toBe(true);
    }
  });
});
