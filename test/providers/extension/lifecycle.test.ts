import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { BrowserInfraClient } from "../../../src/client/index.js";
import { type Emulator, startEmulator } from "../../../src/emulator/index.js";
import { ExtensionLifecycle } from "../../../src/providers/extension/lifecycle.js";
import { journalFolder } from "../../../src/providers/journal/files.js";
import {
  type Created,
  type LifecycleContext,
  PartiallyCreatedError,
} from "../../../src/providers/lifecycle.js";
import { type PropertyMap, type PropertyValue, unknownValue } from "../../../src/providers/properties.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const urn = "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/browser-infra:Extension::reader";

describe("the life cycle of an extension", () => {
  let emulator: Emulator;
  let programFolder: string;
  let folder: string;
  let messages: string[];
  let lifecycle: ExtensionLifecycle;

  beforeEach(async () => {
    emulator = await startEmulator();
    programFolder = temporaryFolder();
    folder = join(programFolder, "extension");
    messages = [];
    lifecycle = new ExtensionLifecycle();
    write("manifest.json", '{ "manifest_version": 3, "name": "Reader", "version": "1.0.0" }');
    write("content.js", "// one\n");
  });

  afterEach(() => emulator.close());

  function write(file: string, content: string): void {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), content);
  }

  function contextOf(changes: Partial<LifecycleContext> = {}): LifecycleContext {
    const say = (message: string) => messages.push(message);
    return {
      urn,
      programFolder,
      deployment: "127.0.0.1:1",
      configuration: () => undefined,
      environment: { BROWSER_INFRA_BASE_URL: emulator.url, BROWSER_INFRA_API_KEY: emulator.apiKeys[0] },
      signal: new AbortController().signal,
      report: { progress: say, row: say, info: say, warning: say, debug: say },
      ...changes,
    };
  }

  /** The checked inputs, which have no failures. */
  async function check(
    news: PropertyMap = {},
    olds?: { inputs: PropertyMap; memo?: PropertyMap },
    context = contextOf(),
  ) {
    const result = await lifecycle.check(
      { news: { path: folder, ...news }, olds: olds?.inputs, memo: olds?.memo },
      context,
    );
    expect(result.failures).toEqual([]);
    return result;
  }

  /** Lets the next run find the extension in the state. Whether a note is left then. */
  async function leavesNotesAfterNextRun(id: string, outputs: PropertyMap, news: PropertyMap) {
    const run = new ExtensionLifecycle();
    const context = contextOf({ deployment: "127.0.0.1:9" });
    await run.check({ news: { ...news, path: folder }, olds: outputs, memo: undefined }, context);
    run.diff({ id, olds: outputs, news }, context);
    await run.end(true, context);
    return existsSync(join(programFolder, journalFolder));
  }

  function uploads(): number {
    return emulator.requests.filter(({ method }) => method === "POST").length;
  }

  test("shows in a preview what it will upload, and sends nothing", async () => {
    const { inputs } = await check();
    expect(inputs).toMatchObject({
      name: expect.stringMatching(/^reader-[0-9a-f]{7}$/),
      checksum: expect.stringMatching(/^[0-9a-f]{64}$/),
      fileCount: 2,
      manifest: { name: "Reader", version: "1.0.0" },
      files: { "content.js": expect.any(String), "manifest.json": expect.any(String) },
    });
    expect(emulator.requests).toEqual([]);
  });

  test("keeps no absolute path", async () => {
    const { inputs } = await check();
    expect(inputs.path).toBe("extension");
  });

  test.each([
    ["path", unknownValue],
    ["exclude", ["a", unknownValue]],
  ] as [string, PropertyValue][])(
    "leaves everything unknown that an unknown %s decides",
    async (input, value) => {
      const { inputs } = await check({ [input]: value });
      expect(inputs).toMatchObject({ checksum: unknownValue, name: unknownValue, files: unknownValue });
      expect(lifecycle.diff({ id: "a", olds: { checksum: "b" }, news: inputs }, contextOf())).toEqual({});
    },
  );

  test.each([
    ["path is missing", { path: null }, "path"],
    ["path is a number", { path: 1 }, "path"],
    ["the folder is missing", { path: "./nowhere" }, "path"],
    ["the name has a space", { name: "a b" }, "name"],
    ["the name looks like an id", { name: "abcdefghijklmnopqrstuvwx" }, "name"],
    ["the project is only whitespace", { projectId: " " }, "projectId"],
    ["the project has a space", { projectId: "bad id" }, "projectId"],
    ["exclude is a string", { exclude: "*.map" }, "exclude"],
    ["exclude has a number in it", { exclude: [1] }, "exclude"],
    ["exclude leads out of the folder", { exclude: ["../*"] }, "exclude"],
    ["an input is misspelt", { nmae: "a" }, ""],
  ])("refuses, at the input at fault, when %s", async (_what, news: PropertyMap, property) => {
    const given: PropertyMap = Object.fromEntries(
      Object.entries({ path: folder, ...news }).filter(([, value]) => value !== null),
    );
    const { failures } = await lifecycle.check(
      { news: given, olds: undefined, memo: undefined },
      contextOf(),
    );
    expect(failures.map((failure) => failure.property)).toEqual([property]);
    expect(emulator.requests).toEqual([]);
  });

  test.each(["name", "adopt", "projectId", "path"])(
    "refuses a secret key as %s without repeating it",
    async (input) => {
      const secret = "sk_live_0123456789abcdef0123";
      const news = { path: folder, name: "reader", [input]: secret };
      const result = await lifecycle.check({ news, olds: undefined, memo: undefined }, contextOf());
      expect(result.failures[0]?.reason).toContain(`The "${input}" is a secret key`);
      expect(JSON.stringify([result, messages])).not.toContain(secret);
    },
  );

  test("refuses a missing setting in one sentence, which names no input", async () => {
    const { failures } = await lifecycle.check(
      { news: { path: folder }, olds: undefined, memo: undefined },
      contextOf({ environment: {} }),
    );
    expect(failures).toEqual([{ property: "", reason: expect.stringContaining("browser-infra:apiKey") }]);
  });

  test("does not pack a folder again whose content it knows", async () => {
    const first = await check();
    write("content.js", "// one\n");
    const second = await check(
      {},
      { inputs: first.inputs, memo: { ...first.memo, archive: known(first.memo) } },
    );
    expect(second.inputs.checksum).toBe("a checksum that no packing gives");
    write("content.js", "// two\n");
    const third = await check({}, second as never);
    expect(third.inputs.checksum).toMatch(/^[0-9a-f]{64}$/);

    function known(memo: PropertyMap | undefined): PropertyMap {
      return { ...(memo?.archive as PropertyMap), checksum: "a checksum that no packing gives" };
    }
  });

  test("recognizes an unchanged folder although the service was found to hold other bytes", async () => {
    const first = await check();
    const drifted = { inputs: { ...first.inputs, checksum: "f".repeat(64) }, memo: first.memo ?? {} };
    expect((await check({}, drifted)).inputs.checksum).toBe(first.inputs.checksum);
  });

  test("keeps its automatic name when only the resource was renamed", async () => {
    const first = await check();
    const renamed = contextOf({ urn: `${urn}-renamed` });
    expect((await check({}, first as never, renamed)).inputs.name).toBe(first.inputs.name);
    write("content.js", "// two\n");
    expect((await check({}, first as never, renamed)).inputs.name).toMatch(/^reader-renamed-/);
  });

  test("uploads what was checked, or nothing when the folder has changed since", async () => {
    const { inputs } = await check();
    write("content.js", "// changed after the check\n");
    const elsewhere = new ExtensionLifecycle();
    await expect(elsewhere.create(inputs, contextOf())).rejects.toThrow("Nothing was uploaded");
    expect(uploads()).toBe(0);

    await lifecycle.create(inputs, contextOf());
    expect(emulator.extensions.list()).toMatchObject([{ checksum: inputs.checksum }]);
  });

  test("reuses an upload of an earlier run instead of sending it twice, and says so", async () => {
    const { inputs } = await check();
    const { id } = await lifecycle.create(inputs, contextOf());
    const nextRun = new ExtensionLifecycle();
    const again = await nextRun.create(inputs, contextOf());
    expect(again.id).toBe(id);
    expect(uploads()).toBe(1);
    expect(messages.join()).toContain("reusing it");
  });

  test.each(["reset", "close", "truncated", "500"])(
    "finds an upload whose response was lost (%s)",
    async (how) => {
      emulator.faults.add({
        method: "POST",
        path: "/extensions",
        ...(
          {
            reset: { at: "after-commit", action: "reset" },
            close: { at: "after-commit", action: "close" },
            truncated: { at: "while-answering", action: { truncateAfterBytes: 5 } },
            "500": { at: "after-commit", action: { answer: { status: 500 } } },
          } as const
        )[how as "reset"],
      });
      const { inputs } = await check();
      const { id } = await lifecycle.create(inputs, contextOf());
      expect(emulator.extensions.list()).toMatchObject([{ id }]);
      expect(uploads()).toBe(1);
      expect(messages.join()).toContain("The response to the creation was lost, but it succeeded");
    },
  );

  test("does not touch a name that belongs to other bytes", async () => {
    const { inputs } = await check({ name: "reader" });
    const { id } = await lifecycle.create(inputs, contextOf());
    emulator.extensions.putBytes(id, Buffer.from("other bytes"));
    await expect(new ExtensionLifecycle().create(inputs, contextOf())).rejects.toThrow(
      `The name "reader" is taken by extension ${id}`,
    );
    expect(uploads()).toBe(1);
  });

  test("says when two resources of a program declare the same extension", async () => {
    const { inputs } = await check({ name: "reader" });
    await lifecycle.create(inputs, contextOf());
    const other = contextOf({ urn: `${urn}-2` });
    await expect(lifecycle.create(inputs, other)).rejects.toThrow(
      `It is that of another resource of this program, ${urn}. To move the name, use two deployments`,
    );
  });

  test("keeps a forced replacement's upload when the bytes are the same", async () => {
    const { inputs } = await check();
    const { id } = await lifecycle.create(inputs, contextOf());
    const nextRun = new ExtensionLifecycle();
    const replacement = await nextRun.create(inputs, contextOf());
    await nextRun.delete({ id, state: replacement.outputs }, contextOf());
    expect(emulator.extensions.list()).toMatchObject([{ id }]);
    expect(messages.join()).toContain("Keeping extension");
  });

  test("deletes nothing that the same run keeps, and everything that it replaces", async () => {
    const { inputs } = await check();
    const { id, outputs } = await lifecycle.create(inputs, contextOf());
    const nextRun = new ExtensionLifecycle();
    await nextRun.check({ news: { path: folder }, olds: inputs, memo: undefined }, contextOf());
    expect(nextRun.diff({ id, olds: outputs, news: inputs }, contextOf())).toEqual({ changes: false });
    await nextRun.delete({ id, state: outputs }, contextOf());
    expect(emulator.extensions.list()).toHaveLength(1);

    const changed = { ...inputs, checksum: "f".repeat(64), name: "another" };
    expect(nextRun.diff({ id, olds: outputs, news: changed }, contextOf())).toEqual({
      replaces: ["checksum", "name"],
      deleteBeforeReplace: false,
    });
    await nextRun.delete({ id, state: outputs }, contextOf());
    expect(emulator.extensions.list()).toEqual([]);
  });

  test.each([
    ["is kept when another process of the same deployment reuses it", "127.0.0.1:1", 1],
    ["is deleted when it was an earlier deployment that reused it", "127.0.0.1:2", 0],
  ])("%s", async (_what, deployment, left) => {
    const { inputs } = await check();
    const { id, outputs } = await lifecycle.create(inputs, contextOf());
    expect((await new ExtensionLifecycle().create(inputs, contextOf())).id).toBe(id);
    await new ExtensionLifecycle().delete({ id, state: outputs }, contextOf({ deployment }));
    expect(emulator.extensions.list()).toHaveLength(left);
  });

  test("says what an interrupted deployment had uploaded when it deletes it", async () => {
    const { inputs } = await check();
    emulator.faults.add({ method: "POST", path: "/extensions", at: "after-commit", action: "hang" });
    const controller = new AbortController();
    const interrupted = lifecycle.create(inputs, contextOf({ signal: controller.signal }));
    while (emulator.extensions.list().length === 0) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    controller.abort();
    await expect(interrupted).rejects.toThrow("may exist now");
    const [lost] = emulator.extensions.list();
    write("content.js", "// two\n");
    const run = new ExtensionLifecycle();
    const next = await run.check({ news: { path: folder }, olds: undefined, memo: undefined }, contextOf());
    const { id, outputs } = await run.create(next.inputs, contextOf());
    expect(emulator.extensions.list()).toMatchObject([{ id }]);
    expect(messages.join("\n")).toContain(`(${lost?.id}): an interrupted deployment`);
    await run.end(true, contextOf());
    expect(await leavesNotesAfterNextRun(id, outputs, next.inputs)).toBe(false);
  });

  describe("whose first create was killed before the state was written", () => {
    const other = `${urn}2`;
    const later = (changes: Partial<LifecycleContext> = {}) =>
      contextOf({ deployment: "127.0.0.1:2", ...changes });

    beforeEach(async () => {
      const { inputs } = await check();
      await lifecycle.create(inputs, contextOf());
    });

    test("is deleted at the end of the next update if it left the program", async () => {
      const run = new ExtensionLifecycle();
      await run.end(true, later({ urn: other }));
      expect(emulator.extensions.list()).toEqual([]);
      expect(messages.join()).toContain("an interrupted deployment had created it");
      await new ExtensionLifecycle().end(true, contextOf({ urn: other, deployment: "127.0.0.1:3" }));
      expect(existsSync(join(programFolder, journalFolder))).toBe(false);
    });

    test("stays when the program still declares it", async () => {
      const run = new ExtensionLifecycle();
      await run.check({ news: { path: folder }, olds: undefined, memo: undefined }, later());
      await run.end(true, later({ urn: other }));
      expect(emulator.extensions.list()).toHaveLength(1);
    });

    test("stays when another process of the deployment has created its resource", async () => {
      const theirs = new ExtensionLifecycle();
      const request = { news: { path: folder }, olds: undefined, memo: undefined };
      const { inputs } = await theirs.check(request, later());
      await theirs.create(inputs, later());
      await new ExtensionLifecycle().end(true, later({ urn: other }));
      expect(emulator.extensions.list()).toHaveLength(1);
    });

    test("stays at the end of a preview, and of a run of another stack or account", async () => {
      const run = new ExtensionLifecycle();
      await run.end(false, later({ urn: other }));
      await run.end(true, later({ urn: other.replace("dev", "prod") }));
      const environment = { ...contextOf().environment, BROWSER_INFRA_API_KEY: "sk_somebody_elses_key" };
      await run.end(true, later({ urn: other, environment }));
      expect(emulator.extensions.list()).toHaveLength(1);
    });

    test("stays when that deployment ended by itself after all, and is told once with the command that deletes it", async () => {
      const [{ id } = { id: "" }] = emulator.extensions.list();
      await lifecycle.end(true, contextOf());
      await new ExtensionLifecycle().end(true, later({ urn: other }));
      expect(messages).toEqual([expect.stringContaining(`"browser-infra extensions delete ${id}"`)]);
      await new ExtensionLifecycle().end(true, contextOf({ urn: other, deployment: "127.0.0.1:3" }));
      expect(messages).toHaveLength(1);
      expect(emulator.extensions.list()).toHaveLength(1);
      expect(existsSync(join(programFolder, journalFolder))).toBe(false);
    });

    test("is made again if the state has it after all", async () => {
      const [{ id } = { id: "" }] = emulator.extensions.list();
      await new ExtensionLifecycle().end(true, later({ urn: other }));
      const { inputs } = await check();
      const run = new ExtensionLifecycle();
      await run.check({ news: { path: folder }, olds: inputs, memo: undefined }, later());
      const diff = run.diff({ id, olds: inputs, news: inputs }, later());
      expect(diff).toEqual({ changes: true, replaces: ["checksum"], deleteBeforeReplace: true });
    });
  });

  test("is deleted although a refresh of the same run compared it before", async () => {
    const { inputs } = await check();
    const { id, outputs } = await lifecycle.create(inputs, contextOf());
    const nextRun = new ExtensionLifecycle();
    expect(nextRun.diff({ id, olds: outputs, news: inputs }, contextOf())).toEqual({ changes: false });
    await nextRun.delete({ id, state: outputs }, contextOf());
    expect(emulator.extensions.list()).toEqual([]);
  });

  test("that was stored with another checksum is replaced in the next run", async () => {
    const { inputs } = await check();
    const answer = {
      id: "abcdefghijklmnopqrstuvwx",
      size_bytes: 26,
      created_at: "2026-01-01T00:00:00Z",
      checksum: "e".repeat(64),
    };
    emulator.faults.add({
      method: "POST",
      path: "/extensions",
      at: "after-commit",
      action: { answer: { status: 201, body: { ...answer, name: inputs.name } } },
    });
    const failure = await lifecycle.create(inputs, contextOf()).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (!(failure instanceof PartiallyCreatedError)) {
      throw new Error(`The create ended otherwise: ${failure}`);
    }
    expect(failure.reasons).toEqual([expect.stringContaining("e".repeat(64))]);
    const nextRun = new ExtensionLifecycle();
    expect(nextRun.diff({ id: failure.id, olds: failure.outputs, news: inputs }, contextOf())).toEqual({
      changes: true,
      replaces: ["checksum"],
      deleteBeforeReplace: true,
    });
  });

  test("is gone when the service says not_found, and not when its project is missing", async () => {
    const { inputs } = await check();
    const { id, outputs } = await lifecycle.create(inputs, contextOf());
    const inLostProject = { ...outputs, projectId: "proj_that_is_gone" };
    await expect(lifecycle.read({ id, state: inLostProject }, contextOf())).rejects.toThrow(
      "project_not_found",
    );
    emulator.extensions.remove(id);
    expect(await lifecycle.read({ id, state: outputs }, contextOf())).toBeUndefined();
    await lifecycle.delete({ id, state: outputs }, contextOf({ signal: new AbortController().signal }));
  });

  test("is read back as it was declared", async () => {
    const { inputs } = await check({ exclude: ["*.map"] });
    const { id, outputs } = await lifecycle.create(inputs, contextOf());
    const read = await lifecycle.read({ id, state: outputs }, contextOf());
    expect(read).toEqual({ id, outputs, inputs });
  });

  test("counts a deletion as done if its response was lost", async () => {
    const { inputs } = await check();
    const created = await lifecycle.create(inputs, contextOf());
    emulator.faults.add({ method: "DELETE", path: "/extensions", at: "after-commit", action: "reset" });
    await new ExtensionLifecycle().delete({ id: created.id, state: created.outputs }, contextOf());
    expect(emulator.extensions.list()).toEqual([]);
  });

  test("is replaced under its name although the service still lists the old one for a moment", async () => {
    const declared = await check({ name: "reader" });
    const first = await lifecycle.create(declared.inputs, contextOf());
    write("content.js", "// two\n");
    const run = new ExtensionLifecycle();
    const request = { news: { path: folder, name: "reader" }, memo: undefined };
    const { inputs } = await run.check({ ...request, olds: declared.inputs }, contextOf());
    run.diff({ id: first.id, olds: first.outputs, news: inputs }, contextOf());
    await run.check({ ...request, olds: undefined }, contextOf());
    const stale = [
      {
        id: first.id,
        name: "reader",
        checksum: declared.inputs.checksum,
        size_bytes: 1,
        created_at: "2026-01-01T00:00:00Z",
      },
    ];
    await run.delete({ id: first.id, state: first.outputs }, contextOf());
    emulator.faults.add({
      method: "GET",
      path: "/extensions",
      times: 2,
      at: "before-commit",
      action: { answer: { status: 200, body: stale } },
    });
    const { id } = await run.create(inputs, contextOf());
    expect(emulator.extensions.list()).toMatchObject([{ id, checksum: inputs.checksum }]);
  });

  test("stays in the project it was made in when the default changes", async () => {
    const { id: first } = emulator.createProject({ name: "first" });
    const { id: second } = emulator.createProject({ name: "second" });
    const defaultTo = (projectId: string) =>
      contextOf({
        configuration: (key) => (key === "browser-infra:projectId" ? projectId : undefined),
      });
    const made = await check({}, undefined, defaultTo(first));
    expect(made.inputs.projectId).toBe(first);
    expect((await check({}, made as never, defaultTo(second))).inputs.projectId).toBe(first);
    expect((await check({ projectId: second }, made as never, defaultTo(first))).inputs.projectId).toBe(
      second,
    );
  });

  test("is refused in the preview when KERNEL_PROJECT names its project, and not put in the default one", async () => {
    const { environment } = contextOf();
    const named = contextOf({ environment: { ...environment, KERNEL_PROJECT: "first" } });
    const refused = await lifecycle.check(
      { news: { path: folder }, olds: undefined, memo: undefined },
      named,
    );
    expect(refused.failures).toEqual([
      expect.objectContaining({ reason: expect.stringContaining("KERNEL_PROJECT is not an id") }),
    ]);
    const { id: projectId } = emulator.createProject({ name: "first" });
    expect((await check({ projectId }, undefined, named)).inputs.projectId).toBe(projectId);
    const byId = contextOf({ environment: { ...environment, KERNEL_PROJECT: projectId } });
    expect((await check({}, undefined, byId)).inputs.projectId).toBe(projectId);
  });

  test.each([400, 403, 409, 413, 422])(
    "is restored as it was when its replacement under a fixed name is refused with %d",
    async (status) => {
      const declared = await check({ name: "reader" });
      const first = await lifecycle.create(declared.inputs, contextOf());
      const oldBytes = await download("reader");

      write("content.js", "// two\n");
      const run = new ExtensionLifecycle();
      const { inputs } = await replaceUnderName(run, first, status);
      const failure = await run.create(inputs, contextOf()).then(
        () => undefined,
        (error: unknown) => error,
      );
      if (!(failure instanceof PartiallyCreatedError)) {
        throw new Error(`The create ended otherwise: ${failure}`);
      }
      expect(failure.reasons.join()).toContain('restored under "reader"');
      expect(await download("reader")).toEqual(oldBytes);
      expect(emulator.extensions.list()).toMatchObject([
        { id: failure.id, checksum: declared.inputs.checksum },
      ]);

      expect(await leavesNotesAfterNextRun(failure.id, failure.outputs, inputs)).toBe(false);
      const nextRun = new ExtensionLifecycle();
      const diff = nextRun.diff({ id: failure.id, olds: failure.outputs, news: inputs }, contextOf());
      expect(diff).toEqual({ changes: true, replaces: ["checksum"], deleteBeforeReplace: true });
      const reverted = nextRun.diff(
        { id: failure.id, olds: failure.outputs, news: declared.inputs },
        contextOf(),
      );
      expect(reverted).toEqual({ changes: true });
      const outputs = await nextRun.update(
        { id: failure.id, olds: failure.outputs, news: declared.inputs },
        contextOf(),
      );
      expect(nextRun.diff({ id: failure.id, olds: outputs, news: declared.inputs }, contextOf())).toEqual({
        changes: false,
      });
    },
  );

  test("has its bytes saved when it cannot be restored either, and the next run no longer needs them", async () => {
    const declared = await check({ name: "reader" });
    const first = await lifecycle.create(declared.inputs, contextOf());
    const oldBytes = await download("reader");
    write("content.js", "// two\n");
    const run = new ExtensionLifecycle();
    const { inputs } = await replaceUnderName(run, first, 400, 2);
    const failure = await run.create(inputs, contextOf()).catch((error: Error) => error.message);
    const [, file = ""] = /saved in "([^"]+)"/.exec(String(failure)) ?? [];
    const saved = join(programFolder, file);
    expect(readFileSync(saved)).toEqual(Buffer.from(oldBytes));
    expect(statSync(saved).mode & 0o777).toBe(0o600);
    expect(failure).toContain(`npx browser-infra extensions upload "${file}" --name "reader"`);
    expect(failure).not.toContain(emulator.apiKeys[0]);

    const replaced = await new ExtensionLifecycle().create(inputs, contextOf());
    expect(emulator.extensions.list()).toMatchObject([{ checksum: inputs.checksum }]);
    expect(await leavesNotesAfterNextRun(replaced.id, replaced.outputs, inputs)).toBe(false);
  });

  test("has its bytes saved after a kill also when another target is deployed before its replacement", async () => {
    const declared = await check({ name: "reader" });
    const first = await lifecycle.create(declared.inputs, contextOf());
    write("content.js", "// two\n");
    const { inputs } = await replaceUnderName(new ExtensionLifecycle(), first, 400);
    expect(emulator.extensions.list()).toEqual([]);
    const other = contextOf({ urn: `${urn}2`, deployment: "127.0.0.1:2" });
    await new ExtensionLifecycle().end(true, other);

    const next = new ExtensionLifecycle().create(inputs, contextOf({ deployment: "127.0.0.1:3" }));
    await expect(next).rejects.toThrow('restored under "reader"');
    expect(emulator.extensions.list()).toMatchObject([{ checksum: declared.inputs.checksum }]);
  });

  test("is restored under its old name when the upload under a new one fails", async () => {
    const declared = await check({ name: "reader" });
    const first = await lifecycle.create(declared.inputs, contextOf());
    const run = new ExtensionLifecycle();
    const request = { news: { path: folder, name: "viewer" }, memo: undefined };
    const { inputs } = await run.check({ ...request, olds: declared.inputs }, contextOf());
    run.diff({ id: first.id, olds: first.outputs, news: inputs }, contextOf());
    await run.check({ ...request, olds: undefined }, contextOf());
    await run.delete({ id: first.id, state: first.outputs }, contextOf());
    emulator.faults.add({
      method: "POST",
      path: "/extensions",
      at: "before-commit",
      action: { answer: { status: 400, body: { code: "bad_request", message: "no" } } },
    });
    await expect(run.create(inputs, contextOf())).rejects.toThrow('restored under "reader"');
    expect(emulator.extensions.list()).toMatchObject([
      { name: "reader", checksum: declared.inputs.checksum },
    ]);
  });

  /** An extension with a fixed name, and a later run that has checked its replacement. */
  async function aboutToBeReplaced() {
    const declared = await check({ name: "reader" });
    const { id, outputs } = await lifecycle.create(declared.inputs, contextOf());
    const run = new ExtensionLifecycle();
    await run.check(
      { news: { path: folder, name: "reader" }, olds: undefined, memo: undefined },
      contextOf(),
    );
    return { run, id, outputs };
  }

  test("is not deleted to make room when the downloaded bytes do not match the record", async () => {
    const { run, id, outputs } = await aboutToBeReplaced();
    emulator.faults.add({
      method: "GET",
      path: new RegExp(`^/extensions/${id}$`),
      at: "before-commit",
      action: {
        answer: {
          status: 200,
          body: "half an archive",
          headers: { "content-type": "application/octet-stream" },
        },
      },
    });
    await expect(run.delete({ id, state: outputs }, contextOf())).rejects.toThrow(
      "do not match the checksum that the service has on record",
    );
    expect(emulator.extensions.list()).toMatchObject([{ id }]);
  });

  test("is looked up in the project of the settings", async () => {
    const { id: projectId } = emulator.createProject({ name: "first" });
    const context = contextOf({
      configuration: (key) => (key === "browser-infra:projectId" ? projectId : undefined),
    });
    const { inputs } = await check({}, undefined, context);
    const { id } = await lifecycle.create(inputs, context);
    expect(await lifecycle.read({ id, state: {} }, context)).toMatchObject({ id });
    await expect(lifecycle.read({ id: "nowhere", state: {} }, context)).rejects.toThrow(
      `There is no extension "nowhere" in project ${projectId}.`,
    );
  });

  test("is not deleted to make room when its archive cannot be downloaded first", async () => {
    const { run, id, outputs } = await aboutToBeReplaced();
    emulator.faults.add({
      method: "GET",
      path: `/extensions/${id}`,
      at: "before-commit",
      action: { answer: { status: 403, body: { code: "forbidden", message: "no" } } },
    });
    await expect(run.delete({ id, state: outputs }, contextOf())).rejects.toThrow("was not deleted");
    expect(emulator.extensions.list()).toMatchObject([{ id }]);
  });

  test("is deleted without a backup when nothing replaces it", async () => {
    const { inputs } = await check({ name: "reader" });
    const { id, outputs } = await lifecycle.create(inputs, contextOf());
    const requestsBefore = emulator.requests.length;
    await new ExtensionLifecycle().delete({ id, state: outputs }, contextOf());
    expect(emulator.requests.slice(requestsBefore).map(({ method }) => method)).toEqual(["DELETE"]);
  });

  async function download(name: string): Promise<Uint8Array> {
    const client = new BrowserInfraClient({ baseUrl: emulator.url, apiKey: emulator.apiKeys[0] ?? "" });
    return client.extensions.download(name);
  }

  /**
   * The engine's calls up to the create of a replacement. The service refuses its upload `times`
   * times.
   */
  async function replaceUnderName(run: ExtensionLifecycle, first: Created, status: number, times = 1) {
    const request = { news: { path: folder, name: "reader" }, memo: undefined };
    const { inputs } = await run.check({ ...request, olds: first.outputs }, contextOf());
    run.diff({ id: first.id, olds: first.outputs, news: inputs }, contextOf());
    await run.check({ ...request, olds: undefined }, contextOf());
    await run.delete({ id: first.id, state: first.outputs }, contextOf());
    emulator.faults.add({
      method: "POST",
      path: "/extensions",
      times,
      at: "before-commit",
      action: { answer: { status, body: { code: "refused", message: "not this one" } } },
    });
    return { inputs };
  }
});
