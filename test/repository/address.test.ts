import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { temporaryFolder } from "../support/temporary-folder.js";

const root = resolve(__dirname, "../..");
const script = join(root, "scripts/publish/repository-address.mjs");
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const tracked = execFileSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8" }).split("\0");

/** Runs the command in a folder with a repository. */
function run(cwd: string, ...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
    cwd,
    encoding: "utf8",
  });
  return { status, stderr, lines: stdout.trim().split("\n") };
}

/** Copy of the files that have the address, in a repository of its own. */
function copyOfAddresses(): string {
  const folder = temporaryFolder();
  const files = ["package.json", "schema.json", "README.md", ".github", "docs", "examples"];
  for (const file of tracked.filter((each) =>
    files.some((part) => each === part || each.startsWith(`${part}/`)),
  )) {
    cpSync(join(root, file), join(folder, file));
  }
  execFileSync("git", ["init", "--quiet"], { cwd: folder });
  execFileSync("git", ["add", "--all"], { cwd: folder });
  return folder;
}

describe("the address of the repository", () => {
  test("the address of the repository is the same in every file as in package.json", () => {
    expect(run(root, "--check")).toMatchObject({ status: 0, lines: [expect.stringMatching(/^0 files /)] });
    const address = manifest.repository.url.replace(/^git\+|\.git$/g, "");
    expect([manifest.homepage, manifest.bugs.url]).toEqual([`${address}#readme`, `${address}/issues`]);
  });

  test("one command writes a new address and the account of the releases into every file", () => {
    const folder = copyOfAddresses();
    const { status, lines } = run(folder, `https://github.com/acme/${manifest.name}`);
    expect(status).toBe(0);
    expect(lines.at(-1)).toMatch(/^\d{2} files written\. Now run npm run generate:schema/);
    const older = spawnSync("git", ["grep", "-lE", "example(\\.com)?/(pulumi-browser-infra|maintainers)"], {
      cwd: folder,
      encoding: "utf8",
    });
    expect(older.stdout).toBe("");
    const written = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    expect(written).toMatchObject({
      homepage: `https://github.com/acme/${manifest.name}#readme`,
      repository: { url: `git+https://github.com/acme/${manifest.name}.git` },
      pluginDownloadURL: `github://api.github.com/acme/${manifest.name}`,
    });
    expect(readFileSync(join(folder, "examples/quickstart-go/go.mod"), "utf8")).toContain(
      `github.com/acme/${manifest.name}/sdk/go => ./node_modules/${manifest.name}/sdk/go`,
    );
    expect(run(folder, "--check").status).toBe(0);
  });

  test("the command refuses an address of another package, and changes nothing", () => {
    const folder = copyOfAddresses();
    expect(run(folder, "https://github.com/acme/other")).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("is no address of the repository. Give one such as"),
    });
    expect(execFileSync("git", ["diff", "--name-only"], { cwd: folder, encoding: "utf8" })).toBe("");
  });
});
