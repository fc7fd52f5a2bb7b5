import { readdirSync } from "node:fs";
import { BrowserInfraClient } from "../../../src/client/index.js";
import type { Emulator, FaultPoint, FaultRule } from "../../../src/emulator/index.js";
import { startEach, writesIn } from "../../support/stacks/service.js";
import { Stack } from "../../support/stacks/stack.js";

const points: readonly FaultPoint[] = ["before-reading", "before-commit", "after-commit", "while-answering"];

describe("the last working version under a fixed name, with the real engine", () => {
  let emulator: Emulator;
  let stack: Stack;
  let client: BrowserInfraClient;
  let lastVersion: { id: string; checksum: unknown; bytes: Uint8Array };

  /** Names beside the program before the first deployment. */
  let files: readonly string[];
  startEach(Stack.createYaml, (started) => {
    ({ emulator, stack } = started);
    client = new BrowserInfraClient({ baseUrl: emulator.url, apiKey: emulator.apiKeys[0] ?? "" });
  });

  beforeEach(async () => {
    stack.write("extension/content.js", "// one\n");
    declare("reader");
    files = readdirSync(stack.path()).sort();
    await stack.up();
    const { id, outputs } = stack.extension();
    lastVersion = { id, checksum: outputs.checksum, bytes: await client.extensions.download("reader") };
    stack.write("extension/content.js", "// two\n");
  });

  function declare(name: string): void {
    stack.declare({ reader: { type: "Extension", properties: { path: "./extension", name } } });
  }

  function refuseUploads(status: number, times = 1): void {
    emulator.faults.add({
      method: "POST",
      path: "/extensions",
      times,
      at: "before-commit",
      action: { answer: { status, body: { code: "refused", message: "not this one" } } },
    });
  }

  /** The service contains exactly the objects of the state, and nothing is left to do. */
  async function expectConverged(): Promise<void> {
    const { id, outputs } = stack.extension();
    expect(emulator.extensions.list()).toMatchObject([
      { id, name: outputs.name, checksum: outputs.checksum },
    ]);
    await stack.expectNoChanges();
    expect(readdirSync(stack.path()).sort()).toEqual(files);
  }

  test("the last version is restored after a refused replacement, and is replaced by the next deployment", async () => {
    for (const status of [400, 409]) {
      const { checksum } = stack.extension().outputs;
      const bytes = await client.extensions.download("reader");
      stack.write("extension/content.js", `// after ${status}\n`);
      refuseUploads(status);
      expect(await stack.failingUp()).toContain('The previous version was restored under "reader"');
      expect(await client.extensions.download("reader")).toEqual(bytes);
      const { id, outputs } = stack.extension();
      expect(outputs).toMatchObject({
        checksum,
        unfinished: { reason: expect.stringContaining(`${status}`) },
      });
      expect(emulator.extensions.list()).toMatchObject([{ id, checksum }]);

      await stack.up();
      expect(stack.extension().outputs.checksum).not.toBe(checksum);
      expect(stack.extension().outputs).not.toHaveProperty("unfinished");
      await expectConverged();
    }
  });

  test("a restored last version needs no replacement if the folder is reverted as well", async () => {
    refuseUploads(400);
    await stack.failingUp();
    const { id } = stack.extension();
    const writesBefore = writesIn(emulator);
    stack.write("extension/content.js", "// one\n");
    await stack.up();
    expect(writesIn(emulator)).toEqual(writesBefore);
    expect(stack.extension()).toMatchObject({ id, outputs: { checksum: lastVersion.checksum } });
    await expectConverged();
  });

  test("the last version can be downloaded at every moment except between deletion and restoration", async () => {
    const moments: { at: string; isThere: boolean }[] = [];
    let isLooking = false;
    for (const at of points) {
      emulator.faults.add({
        at,
        times: Number.POSITIVE_INFINITY,
        action: {
          call: async ({ method }) => {
            if (isLooking) {
              return;
            }
            isLooking = true;
            const bytes = await client.extensions.download("reader").catch(() => undefined);
            isLooking = false;
            const isThere = bytes !== undefined && Buffer.compare(bytes, lastVersion.bytes) === 0;
            moments.push({ at: `${method} ${at}`, isThere });
          },
        },
      });
    }
    refuseUploads(422);
    await stack.failingUp();

    const gone = moments.flatMap(({ isThere }, index) => (isThere ? [] : [index]));
    const [first = -1] = gone;
    const last = gone.at(-1) ?? -1;
    expect(gone).toEqual(Array.from({ length: last - first + 1 }, (_, index) => first + index));
    expect(moments[first]?.at).toBe("DELETE after-commit");
    expect(moments[last + 1]?.at).toBe("POST after-commit");
    expect(moments.filter(({ at }) => at === "POST after-commit")).toHaveLength(1);
    expect(moments.at(-1)?.isThere).toBe(true);
  });

  describe("a deletion without a response, followed by a failing lookup", () => {
    /** Faults of every read after the deletion. */
    const looks: Readonly<Record<string, FaultRule["action"]>> = {
      "was refused": { answer: { status: 403 } },
      "lost its connection": "reset",
      "was interrupted": "hang",
    };

    test.each(Object.keys(looks))(
      "up --refresh uploads the last version again after a deletion without a response whose lookup %s",
      async (what) => {
        const looked = new Promise<void>((resolve) => {
          const breakLooks = () => {
            emulator.faults.add({
              method: "GET",
              at: "before-commit",
              action: { call: async () => resolve() },
            });
            emulator.faults.add({
              method: "GET",
              times: Number.POSITIVE_INFINITY,
              at: "before-commit",
              action: looks[what] ?? "reset",
            });
          };
          emulator.faults.add({ method: "DELETE", at: "before-commit", action: { call: breakLooks } });
        });
        emulator.faults.add({ method: "DELETE", at: "after-commit", action: "reset" });
        const running = stack.start("up", "--yes", "--skip-preview");
        await looked;
        if (what === "was interrupted") {
          running.signal("SIGINT");
        }
        const { exitCode, output } = await running.ended;
        expect(exitCode).not.toBe(0);
        expect(output.replace(/\s+/g, " ")).toMatch(/may or may not have happened|the extension may be gone/);
        expect(emulator.extensions.list()).toEqual([]);

        emulator.faults.clear();
        stack.write("extension/content.js", "// one\n");
        await stack.succeed("up", "--yes", "--skip-preview", "--refresh");
        expect(await client.extensions.download("reader")).toEqual(lastVersion.bytes);
        await expectConverged();
      },
    );
  });

  test("the last version is restored after the upload under a new name is refused", async () => {
    declare("viewer");
    refuseUploads(400);
    await stack.failingUp();
    expect(emulator.extensions.list()).toMatchObject([{ checksum: lastVersion.checksum }]);
  });
});
