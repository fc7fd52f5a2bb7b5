import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parse } from "yaml";
import { temporaryFolder } from "../support/temporary-folder.js";

const root = resolve(__dirname, "../..");
const workflows = join(root, ".github", "workflows");

/** Members of a workflow that the tests read. */
interface Workflow {
  readonly on: unknown;
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

interface Job {
  readonly needs?: string | readonly string[];
  readonly strategy?: {
    readonly matrix: { readonly include?: readonly Readonly<Record<string, string>>[] };
  };
  readonly environment?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps: readonly { readonly run?: string }[];
}

describe("the release workflow", () => {
  const text = readFileSync(join(workflows, "release.yml"), "utf8");
  const workflow: Workflow = parse(text);
  const {
    test: tests,
    executables,
    windows,
    publish,
  } = workflow.jobs as Readonly<Record<"test" | "executables" | "windows" | "publish", Job>>;
  const commandsOf = (job: Job) => job.steps.map(({ run = "" }) => run).join("\n");

  test("X16: the release workflow runs only for version tags", () => {
    expect(workflow.on).toEqual({ push: { tags: ["v*"] } });
  });

  test("X16: the release workflow publishes the tested package, with provenance and a list of components", () => {
    expect(commandsOf(tests)).toContain("check-release.mjs");
    expect(commandsOf(tests)).toContain("npm test");
    expect(commandsOf(tests)).toContain("node scripts/publish/sbom.mjs > release/");
    expect(commandsOf(tests)).toMatch(/npm run generate:docs\n\s*npm run generate:sdks\n\s*npm pack /);
    expect(publish.needs).toEqual(["test", "executables", "windows"]);
    expect(commandsOf(tests)).toMatch(/npm pack .*\n\s*npm run package -- --platform none/);
    expect(commandsOf(publish)).toMatch(/for tarball in release\/\*\.tgz; do\n\s*npm publish --provenance /);
    expect(commandsOf(publish)).not.toMatch(/npm (ci|test|run)/);
  });

  test("X16: the release workflow tests each executable on its own system, and lists all executables by SHA-256", () => {
    const machines = executables.strategy?.matrix.include ?? [];
    expect(machines.map(({ runner }) => runner)).toEqual([
      "ubuntu-24.04",
      "ubuntu-24.04-arm",
      "macos-15-intel",
      "macos-15",
    ]);
    // Linux and macOS make their own; the set-up does not run on Windows.
    expect(machines.flatMap(({ others = [] }) => others)).toEqual(["win32-x64"]);
    expect(commandsOf(executables)).toContain("npm run test:all -- package");
    expect(windows.needs).toBe("executables");
    expect(commandsOf(windows)).toContain("./pulumi-resource-browser-infra.exe");
    expect(commandsOf(publish)).toContain("sha256sum *.tar.gz >SHA256SUMS");
  });

  test("X16: only the publishing job of the release workflow may write and sign, after the approval of a person", () => {
    expect(workflow.permissions).toEqual({ contents: "read" });
    expect([tests, executables, windows].map(({ permissions }) => permissions)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(publish.permissions).toEqual({ contents: "write", "id-token": "write" });
    expect(publish.environment).toBe("npm");
    expect(JSON.stringify(workflow)).not.toMatch(/secrets\.|NODE_AUTH_TOKEN/);
  });

  test("X16: the list of components has users' dependencies and bundled packages, with licences and hashes", () => {
    const script = join(root, "scripts/publish/sbom.mjs");
    const list = JSON.parse(execFileSync(process.execPath, [script], { encoding: "utf8" }));
    const components: { purl: string; hashes?: unknown[]; licenses?: unknown[] }[] = list.components;
    const locked: Record<string, { version: string; dev?: boolean; devOptional?: boolean }> = JSON.parse(
      readFileSync(join(root, "package-lock.json"), "utf8"),
    ).packages;
    const ofUsers = Object.entries(locked)
      .filter(([path, { dev, devOptional }]) => path !== "" && !dev && !devOptional)
      .map(([path, { version }]) => `pkg:npm/${path.replace(/^.*node_modules\//, "")}@${version}`);
    const notices = readFileSync(join(root, "plugin/NOTICES.txt"), "utf8");
    const bundled = [...notices.matchAll(/^=+\n(\S+) (\S+) \(/gm)].map(
      ([, name, version]) => `pkg:npm/${name}@${version}`,
    );
    expect(bundled.length).toBeGreaterThan(5);
    // The compressor is compiled from C, and is in no package of npm.
    const expected = new Set([...ofUsers, ...bundled.filter((each) => !each.includes("/libdeflate@"))]);
    expect(components.map(({ purl }) => purl.replace("%40", "@")).sort()).toEqual([...expected].sort());
    const silent = components.filter(({ hashes = [], licenses = [] }) => !hashes.length || !licenses.length);
    expect(silent).toEqual([]);
  });
});

describe("the workflows", () => {
  const all = readdirSync(workflows).map((file) => {
    const text = readFileSync(join(workflows, file), "utf8");
    return { file, text, workflow: parse(text) as Workflow };
  });
  const jobsOf = (name: string): Workflow["jobs"] =>
    all.find(({ file }) => file === name)?.workflow.jobs ?? {};

  test("X16: the workflows name every action by a commit, with the version beside the commit", () => {
    const uses = all.flatMap(({ text }) => text.match(/uses:.*/g) ?? []);
    expect(uses.length).toBeGreaterThan(3);
    expect(
      uses.filter((each) => !/^uses: actions\/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(each)),
    ).toEqual([]);
    // The same action has the same commit everywhere.
    expect(new Set(uses).size).toBe(new Set(uses.map((each) => each.replace(/@.*/, ""))).size);
  });

  test("X16: no workflow but the release workflow may write, sign or read a secret", () => {
    const others = all.filter(({ file }) => file !== "release.yml");
    expect(others.map(({ file }) => file)).toEqual(["check.yml", "nightly.yml"]);
    for (const { text, workflow } of others) {
      expect(workflow.permissions).toEqual({ contents: "read" });
      expect(Object.values(workflow.jobs).filter(({ permissions }) => permissions !== undefined)).toEqual([]);
      expect(text).not.toMatch(/secrets\.|pull_request_target/);
    }
  });

  test("every change is tested as in .ci/run, on Linux and macOS, with the oldest and the newest Node of the pages", () => {
    const [job] = Object.values(jobsOf("check.yml"));
    expect(job?.steps.at(-1)?.run).toBe(".ci/run");
    expect(job?.strategy?.matrix).toEqual({ runner: ["ubuntu-24.04", "macos-15"], node: ["22", "24"] });
    expect(readFileSync(join(root, ".node-version"), "utf8")).toBe("24\n");
  });

  test("every night, the guards meet the service, the newest versions and Chromium", () => {
    const steps = Object.values(jobsOf("nightly.yml")).flatMap((job) => job.steps);
    const commands = steps.flatMap(({ run = [] }) => run);
    expect(commands).toEqual([
      "npm test -- test/repository/service",
      "npm run test:all -- contract",
      "npm run test:newer",
      "npm run measure:chromium",
    ]);
  });
});

test("X18: SECURITY.md states the address for reports and the supported versions, and the README links to the page", () => {
  const page = readFileSync(join(root, "SECURITY.md"), "utf8");
  expect(page).toMatch(/## Reporting a vulnerability\n\nWrite to \*\*\S+@\S+\*\*/);
  expect(page).toContain("gets security fixes");
  expect(readFileSync(join(root, "README.md"), "utf8")).toContain("](SECURITY.md)");
});

describe("the check before a release", () => {
  const files = ["package.json", "package-lock.json", "schema.json", "CHANGELOG.md", "SECURITY.md"];
  const script = join(root, "scripts/publish/check-release.mjs");
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

  test("X16: the check before a release refuses placeholders, a different tag, and a changelog without a date", () => {
    const { status, stderr } = spawnSync(process.execPath, [script, "v9.9.9"], {
      cwd: root,
      encoding: "utf8",
    });
    expect(status).toBe(1);
    expect(stderr).toContain(`The tag is "v9.9.9", and package.json has version ${version}.`);
    expect(stderr).toContain('"homepage", "repository" and "bugs" in package.json are placeholders.');
    expect(stderr).toContain("The address for vulnerabilities in SECURITY.md is a placeholder.");
    expect(stderr).toContain('"pluginDownloadURL" in package.json is a placeholder.');
    expect(stderr).toContain(`CHANGELOG.md must begin with "## ${version} (YYYY-MM-DD)".`);
  });

  test("X16: the check before a release accepts a folder without placeholders and with a dated changelog", () => {
    const folder = temporaryFolder();
    for (const file of files) {
      cpSync(join(root, file), join(folder, file));
    }
    const choose = (text: string) =>
      text.replaceAll("example.com", "git.test").replaceAll("/example/", "/browsers/");
    edit("package.json", choose);
    edit("schema.json", choose);
    edit("SECURITY.md", (text) => text.replaceAll("example.invalid", "git.test"));
    edit("CHANGELOG.md", (text) => text.replace(/^## .*$/m, `## ${version} (2026-12-01)`));
    const { status, stderr, stdout } = spawnSync(process.execPath, [script, `v${version}`], {
      cwd: folder,
      encoding: "utf8",
    });
    expect([stderr, status]).toEqual(["", 0]);
    expect(stdout).toBe(`pulumi-browser-infra ${version} may be published.\n`);

    function edit(file: string, change: (text: string) => string): void {
      writeFileSync(join(folder, file), change(readFileSync(join(folder, file), "utf8")));
    }
  });
});
