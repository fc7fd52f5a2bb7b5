import Kernel, { BadRequestError, NotFoundError, toFile } from "@onkernel/sdk";
import { useEmulator } from "../../support/emulator.js";
import { errorOf } from "../../support/error-of.js";
import { storedZip } from "../../support/stored-zip.js";
import { json, send } from "../calls.js";
import { appZip } from "./app-code.js";

describe("emulator: the service's official client, on deployments and apps", () => {
  const emulator = useEmulator({ speed: 1000 });
  const kernel = () => new Kernel({ apiKey: "sk_emulator", baseURL: emulator.url, maxRetries: 0 });

  async function deploy(bytes = appZip(), settings: object = {}) {
    const file = await toFile(bytes, "app.zip");
    return kernel().deployments.create({ file, entrypoint_rel_path: "src/app.ts", ...settings });
  }

  /** All events until the deployment has one of the final states of a build. */
  async function events(id: string, query: object = {}) {
    const seen: { readonly event: string; readonly [member: string]: unknown }[] = [];
    const stream = await kernel().deployments.follow(id, query);
    for await (const event of stream) {
      seen.push({ ...event });
      if (
        event.event === "deployment_state" &&
        ["running", "failed", "stopped"].includes(event.deployment.status)
      ) {
        break;
      }
    }
    stream.controller.abort();
    return seen;
  }
  const states = (seen: Awaited<ReturnType<typeof events>>) =>
    seen.flatMap(({ deployment }) => (deployment as { status: string } | undefined)?.status ?? []);

  test("the official client deploys, follows the build, and finds the app with its actions", async () => {
    const made = await deploy(appZip(), { env_vars: { TOKEN: "secret-1", MODE: "fast" }, version: "v1" });
    expect(made).toMatchObject({
      status: "queued",
      region: "aws.us-east-1a",
      source_type: "file",
      entrypoint_rel_path: "src/app.ts",
      env_vars: { MODE: "", TOKEN: "" },
    });
    const seen = await events(made.id);
    expect(states(seen)).toEqual(["queued", "in_progress", "running"]);
    expect(seen.filter(({ event }) => event === "log")).toHaveLength(3);
    expect(seen.find(({ event }) => event === "app_version_summary")).toMatchObject({
      app_name: "agent",
      version: "v1",
      actions: [{ name: "browse", input_schema: null }],
    });
    const apps = (await kernel().apps.list({ app_name: "agent", version: "v1" })).items;
    expect(apps).toMatchObject([{ app_name: "agent", deployment: made.id, env_vars: { TOKEN: "" } }]);
    expect(await kernel().deployments.retrieve(made.id)).toMatchObject({
      status: "running",
      source_checksum: made.source_checksum,
    });
    expect(JSON.stringify([made, seen, apps, emulator.deployments.list(), emulator.requests])).not.toContain(
      "secret-1",
    );
  });

  test("the official client lists deployments by app, version and text, and deletes a deployment", async () => {
    const { id } = await deploy();
    await events(id);
    const { deployments } = kernel();
    const found = async (query: object) => (await deployments.list(query)).items.map((each) => each.id);
    expect(await found({ app_name: "agent", app_version: "latest" })).toEqual([id]);
    expect(await found({ query: "age" })).toEqual([id]);
    expect(await found({ app_name: "other" })).toEqual([]);
    expect(await errorOf(deployments.list({ app_version: "latest" }))).toBeInstanceOf(BadRequestError);
    await deployments.delete(id);
    expect(await errorOf(deployments.retrieve(id))).toBeInstanceOf(NotFoundError);
    expect((await kernel().apps.list()).items).toEqual([]);
  });

  test("a second deployment of an app and version fails without force, and takes the place with force", async () => {
    const first = await deploy();
    await events(first.id);
    const refused = await deploy(appZip("agent", "2"));
    expect(states(await events(refused.id))).toEqual(["queued", "in_progress", "failed"]);
    expect(await kernel().deployments.retrieve(refused.id)).toMatchObject({
      status_reason: expect.stringContaining("use force"),
    });
    const beside = await deploy(appZip("agent", "3"), { version: "beta" });
    await events(beside.id);
    const forced = await deploy(appZip("agent", "4"), { force: true });
    await events(forced.id);
    expect(states(await events(first.id)).at(-1)).toBe("running");
    const status = async (id: string) => (await kernel().deployments.retrieve(id)).status;
    expect(await Promise.all([first, beside, forced].map(({ id }) => status(id)))).toEqual([
      "stopped",
      "running",
      "running",
    ]);
    const served = (await kernel().apps.list({ app_name: "agent" })).items.map(({ version, deployment }) => [
      version,
      deployment,
    ]);
    expect(served).toEqual([
      ["latest", forced.id],
      ["beta", beside.id],
    ]);
  });

  test.each([
    ["fails", { fail: "no module named x", log: ["one"] }, ["queued", "in_progress", "failed"]],
    ["has its own log", { log: ["one", "two"] }, ["queued", "in_progress", "running"]],
  ])("a build that a program has decided %s", async (_what, build, expected) => {
    expect((await send(emulator, "POST", "/_emulator/next_build", build)).status).toBe(204);
    const { id } = await deploy();
    const seen = await events(id);
    expect(states(seen)).toEqual(expected);
    expect(seen.flatMap(({ message }) => message ?? [])).toEqual(build.log.map((line) => `${line}\n`));
    const { status_reason: reason } = await kernel().deployments.retrieve(id);
    expect(reason).toBe("fail" in build ? build.fail : undefined);
  });

  test("a build that never ends goes on until a program ends it, and is superseded or stopped later", async () => {
    emulator.deployments.nextBuild({ endless: true });
    const { id } = await deploy();
    emulator.clock.advance(3_600_000);
    expect((await kernel().deployments.retrieve(id)).status).toBe("in_progress");
    emulator.deployments.finish(id);
    const other = emulator.deployments.supersede(id);
    expect(await kernel().deployments.retrieve(id)).toMatchObject({
      status: "stopped",
      status_reason: `superseded by deployment ${other.id}`,
    });
    emulator.deployments.stop(other.id, "by hand");
    expect(await kernel().deployments.retrieve(other.id)).toMatchObject({
      status: "stopped",
      status_reason: "by hand",
    });
  });

  test("a stream with since leaves out older lines, and goes on with the lines of the running app", async () => {
    const { id } = await deploy();
    await events(id);
    emulator.clock.advance(60_000);
    emulator.deployments.log(id, "browsing");
    const stream = await kernel().deployments.follow(id, { since: "30s" });
    const lines: string[] = [];
    for await (const event of stream) {
      if (event.event === "log") {
        lines.push(event.message);
        emulator.deployments.stop(id, "by hand");
      }
    }
    expect(lines).toEqual(["browsing\n"]);
    expect(await errorOf(kernel().deployments.follow(id, { since: "soon" }))).toBeInstanceOf(BadRequestError);
  });

  test.each([
    ["an archive without a manifest", { "src/app.ts": "" }, "no package.json or pyproject.toml at the root"],
    [
      "a package.json without the type module",
      { "package.json": "{}", "src/app.ts": "" },
      'package.json has no "type": "module"',
    ],
  ])("the build of %s fails with the reason", async (_what, files, reason) => {
    const { id } = await deploy(
      storedZip(Object.entries(files).map(([name, contents]) => ({ name, contents }))),
    );
    await events(id);
    expect(await kernel().deployments.retrieve(id)).toMatchObject({
      status: "failed",
      status_reason: reason,
    });
  });

  test("the app of Python code, and of code without a declaration, has the name in the code or in the manifest", async () => {
    const python = {
      "pyproject.toml": '[project]\nname = "other"',
      "src/app.ts": 'app = kernel.App("py-agent")\n@app.action("run")\n',
    };
    const plain = { "package.json": '{"name": "plain", "type": "module"}', "src/app.ts": "" };
    for (const files of [python, plain]) {
      const { id } = await deploy(
        storedZip(Object.entries(files).map(([name, contents]) => ({ name, contents }))),
      );
      await events(id);
    }
    const { items } = await kernel().apps.list();
    expect(items.map(({ app_name: name, actions }) => [name, actions.map((each) => each.name)])).toEqual([
      ["plain", []],
      ["py-agent", ["run"]],
    ]);
  });

  test("a form without exactly one source, with an unknown field or a missing entrypoint is refused", async () => {
    const form = (fields: Readonly<Record<string, string>>) => {
      const body = new FormData();
      for (const [name, value] of Object.entries(fields)) {
        body.append(name, value);
      }
      body.append("file", new Blob([appZip()]), "app.zip");
      return fetch(`${emulator.url}/deployments`, {
        method: "POST",
        body,
        headers: { authorization: "Bearer sk_emulator" },
      });
    };
    expect((await form({ entrypoint_rel_path: "app.ts" })).status).toBe(400);
    expect(await json(form({ entrypoint_rel_path: "src/app.ts", color: "red" }), 400)).toMatchObject({
      message: 'The form has an unknown field "color".',
    });
    expect((await form({ entrypoint_rel_path: "src/app.ts", source: "{}" })).status).toBe(400);
    const source = {
      type: "github",
      url: "https://github.com/a/b",
      ref: "main",
      entrypoint: "app.ts",
    } as const;
    expect(await errorOf(kernel().deployments.create({ source }))).toMatchObject({ status: 501 });
  });
});
