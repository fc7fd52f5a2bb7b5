import { appendFileSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { fromSource, installPackages, TemporaryClone, yamlHost } from "./temporary-clone.js";

const pythonHost = ["go version", "go build pulumi-language-python", "go list"];
const goHost = ["go version", "go build pulumi-language-go"];

let clone: TemporaryClone;
/** The folder of the Pulumi CLI. */
let cli: string;
beforeAll(async () => {
  clone = new TemporaryClone();
  await clone.run("setup.mjs");
  const [folder = ""] = readdirSync(clone.tools).filter((name) => name.startsWith("pulumi-3"));
  cli = join(clone.tools, folder);
});
beforeEach(() => {
  clone.takeCalls();
});

describe("language hosts of a Pulumi CLI that was built from source", () => {
  test("are those for Node.js and YAML, beside the CLI, where it finds them before any other", () => {
    expect(readdirSync(cli).filter((name) => name.startsWith("pulumi-language-"))).toEqual([
      "pulumi-language-nodejs",
      "pulumi-language-yaml",
    ]);
  });

  test("are completed by the one for YAML when an earlier set-up left a CLI without it, which stays as it is", async () => {
    rmSync(join(cli, "pulumi-language-yaml"));
    const before = statSync(join(cli, "pulumi"));
    const folders = readdirSync(clone.tools);
    const { code, stderr } = await clone.run("setup.mjs");
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /^Building Pulumi's language host for YAML from its published Go module, because .*\n {2}done after \d+ s\n$/,
    );
    expect(clone.takeCalls()).toEqual(yamlHost);
    expect(statSync(join(cli, "pulumi"))).toMatchObject({ ino: before.ino, mtimeMs: before.mtimeMs });
    expect(readdirSync(clone.tools)).toEqual(folders);
    expect(await clone.run("setup.mjs")).toMatchObject({ code: 0, stderr: "" });
  });

  test("are built again, with their CLI, when a go.mod has changed", async () => {
    const other = new TemporaryClone();
    await other.run("setup.mjs");
    appendFileSync(join(other.folder, "scripts/setup/language-hosts/go.mod"), "// another version\n");
    other.takeCalls();
    expect((await other.run("setup.mjs")).code).toBe(0);
    expect(other.takeCalls()).toEqual(fromSource);
    expect(await other.run("setup.mjs")).toMatchObject({ code: 0, stderr: "" });
  });

  test("are only those that a command needs: the demo builds none but that for Node.js", async () => {
    const other = new TemporaryClone();
    await other.run("demo.mjs");
    const cliOnly = fromSource.filter((call) => !call.includes("yaml"));
    expect(new Set(other.takeCalls())).toEqual(new Set([installPackages, ...cliOnly]));
  });

  test("include those for Python and Go only on demand", async () => {
    const { code, stdout } = await clone.run("setup.mjs", ["--hosts"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/the Pulumi CLI \S+ with its hosts for Python and Go\.\n$/);
    expect(clone.takeCalls()).toEqual([...pythonHost, ...goHost]);
    const executor = join(cli, "pulumi-language-python-exec");
    expect(readFileSync(executor, "utf8")).toBe("#!/usr/bin/env python");
    expect(statSync(executor).mode & 0o777).toBe(0o755);
    expect(await clone.run("setup.mjs", ["--hosts"])).toMatchObject({ code: 0, stderr: "" });
    expect(clone.takeCalls()).toEqual([]);
  });

  test("refuse another option of the set-up and name theirs", async () => {
    const { code, stderr } = await clone.run("setup.mjs", ["--host"]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/Unknown option '--host'.* Known: --hosts\.\n$/s);
  });

  test("that cannot be built leave the CLI in place, and the set-up says which, why and the remedy", async () => {
    const other = new TemporaryClone();
    const { code, stderr } = await other.run("setup.mjs", [], { FAKE_GO_FAILS: "pulumi-language-yaml" });
    expect(code).toBe(1);
    expect(stderr).toContain("Pulumi's language host for YAML is missing, and every way to get it failed:");
    expect(stderr).toContain("proxy: 403 Forbidden");
    expect(stderr).toMatch(
      /that Go 1\.25\.\d+ or newer is installed, or put Pulumi 3\.254\.0 or newer with pulumi and pulumi-language-nodejs and pulumi-language-yaml on PATH .*, and run the same command again\./,
    );
    expect(other.takeCalls()).toEqual([installPackages, ...fromSource]);
    expect(other.leftovers()).toEqual([]);
    expect((await other.run("setup.mjs")).code).toBe(0);
    expect(other.takeCalls()).toEqual(yamlHost);
  });
});
