import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Emulator } from "../../../src/emulator/index.js";
import { manifest, startService, writesIn } from "../../stacks/service.js";
import { Stack } from "../../stacks/stack.js";
import { reference } from "../../stacks/yaml-program.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const variable = "BROWSER_INFRA_JOURNAL_DIR";

/** A file system in memory, of 64 KiB. Only root may mount one, and not in every container. */
const smallDisk = join(temporaryFolder(), "disk");
mkdirSync(smallDisk);
const mayMount = mount("-t", "tmpfs", "-o", "size=64k", "tmpfs", smallDisk);

/** Runs "mount". Returns whether it succeeded. */
function mount(...args: string[]): boolean {
  return spawnSync("mount", args, { stdio: "ignore" }).status === 0;
}

/** A reason why nothing can be written. */
interface Obstacle {
  readonly what: string;
  /** What the error says. */
  readonly why: string;
  /** The folder, if it is not the one in the program's folder. */
  readonly named?: string;
  /** Puts it in the place of the folder. Returns what takes it away again. */
  readonly occupy: (folder: string) => () => void;
}

const obstacles: Obstacle[] = [
  {
    what: "a link in its place",
    why: "a symbolic link",
    occupy: (folder) => {
      symlinkSync(temporaryFolder(), folder);
      return () => rmSync(folder);
    },
  },
  {
    what: "a file in its place",
    why: "not a folder",
    occupy: (folder) => {
      writeFileSync(folder, "mine");
      return () => rmSync(folder);
    },
  },
];

if (mayMount) {
  obstacles.push(
    {
      what: "a full disk",
      why: "the disk is full",
      named: join(smallDisk, "journal"),
      occupy: () => {
        const filler = join(smallDisk, "filler");
        // Ends with an error, when the disk is full.
        spawnSync("dd", ["if=/dev/zero", `of=${filler}`], { stdio: "ignore" });
        return () => rmSync(filler);
      },
    },
    {
      what: "a read-only program folder",
      why: "the file system is read-only",
      occupy: (folder) => {
        const program = dirname(folder);
        mount("--bind", program, program);
        mount("-o", "remount,ro,bind", program);
        return () => execFileSync("umount", [program]);
      },
    },
  );
} else {
  console.warn("Not tested: a full disk and a read-only folder. This machine does not let a test mount one.");
}

describe("the folder of the journal, with the real engine", () => {
  let emulator: Emulator;
  let environment: NodeJS.ProcessEnv;
  let stack: Stack;

  beforeEach(async () => {
    ({ emulator, environment } = await startService());
  });

  afterEach(() => stack.remove());

  afterAll(() => {
    if (mayMount) {
      execFileSync("umount", [smallDisk]);
    }
  });

  function declare(name: string, inputs: Record<string, unknown> = {}, version = "1.0.0"): void {
    stack.write(`${name}/manifest.json`, manifest(version, name));
    stack.declare({ [name]: { type: "Extension", properties: { path: `./${name}`, ...inputs } } });
  }

  test.each(obstacles)(
    "with $what stops what needs a note, with one error and no request",
    async (obstacle) => {
      const { why, named, occupy } = obstacle;
      stack = await Stack.createYaml({ ...environment, [variable]: named });
      const folder = named ?? stack.path(".browser-infra");
      declare("reader", { name: "reader" });
      await stack.up();
      const before = emulator.extensions.list();
      const writes = writesIn(emulator).length;
      rmSync(folder, { recursive: true, force: true });
      // A replacement, which would delete the old version first.
      declare("reader", { name: "reader" }, "2.0.0");
      const free = occupy(folder);
      try {
        const { exitCode, output } = await stack.run("up", "--yes", "--skip-preview");
        expect(exitCode).not.toBe(0);
        // The CLI repeats there what it showed on the resource's row.
        const [, diagnostics = ""] = output.split("Diagnostics:");
        const errors = diagnostics.match(/The provider cannot note in .*/g) ?? [];
        expect(errors).toEqual([expect.stringContaining(`"${folder}" what it is about to do, because `)]);
        expect(errors[0]).toContain(why);
        expect(errors[0]).toContain(`set ${variable} to `);
        expect(writesIn(emulator)).toHaveLength(writes);
        expect(emulator.extensions.list()).toEqual(before);

        // What changes nothing needs no note.
        await stack.succeed("preview");
        await stack.refresh();
        expect(emulator.extensions.list()).toEqual(before);
      } finally {
        free();
      }
      await stack.up();
      expect(emulator.extensions.list()).toMatchObject([{ id: stack.extension().id, name: "reader" }]);
      expect(stack.extension().id).not.toBe(before[0]?.id);
    },
  );

  test("with a file in its place lets resources leave, with a warning", async () => {
    stack = await Stack.createYaml(environment);
    declare("reader");
    await stack.up();
    const folder = stack.path(".browser-infra");
    rmSync(folder, { recursive: true, force: true });
    writeFileSync(folder, "mine");
    const output = await stack.destroy();
    expect(output).toContain(`warning: The provider cannot note in "${folder}"`);
    expect(emulator.extensions.list()).toEqual([]);
  });

  test("elsewhere completes in a fresh checkout what was interrupted in another", async () => {
    const elsewhere = temporaryFolder();
    stack = await Stack.createYaml({ ...environment, [variable]: elsewhere });
    declare("reader");
    await killedAfterUpload();
    await stack.run("cancel", "--yes");
    rmSync(stack.path(".browser-infra"), { recursive: true, force: true });
    expect(readdirSync(elsewhere)).not.toEqual([]);
    declare("reader", {}, "2.0.0");
    await stack.up();
    // Only what is declared is left: the entry named the first upload.
    expect(emulator.extensions.list()).toMatchObject([{ id: stack.extension().id }]);
    expect(readdirSync(stack.path())).not.toContain(".browser-infra");
  });

  /** Kills everything after the upload was committed and before its answer. */
  async function killedAfterUpload(): Promise<void> {
    const struck = new Promise<void>((resolve) => {
      emulator.faults.add({
        method: "POST",
        path: "/extensions",
        at: "after-commit",
        action: { call: async () => resolve() },
      });
      emulator.faults.add({ method: "POST", path: "/extensions", at: "after-commit", action: "hang" });
    });
    const running = stack.start("up", "--yes", "--skip-preview");
    await struck;
    running.kill();
    await running.ended;
    emulator.faults.clear();
  }

  test("is shared by two deployments of one folder at once", async () => {
    stack = await Stack.createYaml(environment);
    await stack.succeed("stack", "init", "prod");
    const names = ["one", "two", "three", "four"];
    for (const version of ["1.0.0", "2.0.0"]) {
      for (const name of names) {
        stack.write(`${name}/manifest.json`, manifest(version, name));
      }
      const resources = names.map((name) => [
        name,
        {
          type: "Extension",
          properties: { path: `./${name}`, name: `${reference("pulumi.stack")}-${name}` },
        },
      ]);
      stack.declare(Object.fromEntries(resources));
      await Promise.all([
        stack.succeed("up", "--yes", "--skip-preview", "--stack", "dev"),
        stack.succeed("up", "--yes", "--skip-preview", "--stack", "prod"),
      ]);
    }
    const live = emulator.extensions.list().map(({ name }) => name);
    const declared = ["dev", "prod"].flatMap((each) => names.map((name) => `${each}-${name}`));
    expect(live.sort()).toEqual(declared.sort());
    for (const each of ["dev", "prod"]) {
      await stack.succeed("up", "--yes", "--skip-preview", "--expect-no-changes", "--stack", each);
    }
    await Promise.all([stack.destroy("--stack", "dev"), stack.destroy("--stack", "prod")]);
    expect(emulator.extensions.list()).toEqual([]);
  });
});
