import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BrowserInfraClient } from "../../../src/client/index.js";
import { shareEmulator } from "../../support/emulator.js";
import { createWholeProject } from "../../support/stacks/whole-project.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { play } from "../played-terminal.js";

describe("browser-infra import all", () => {
  const emulator = shareEmulator();
  let projectId: string;
  let cwd: string;

  beforeAll(async () => {
    projectId = await createWholeProject(emulator);
  });

  beforeEach(() => {
    cwd = temporaryFolder();
  });

  const importing = (...args: readonly string[]) => play(emulator, ["import", "all", ...args], { cwd });
  const written = (file: string) => readFileSync(join(cwd, file), "utf8");

  /** Imports the project, and returns the program without ids, and the types in the import file. */
  async function imported(language: string, file: string) {
    const { exitCode, out } = await importing("--project", "shop", "--language", language);
    expect(exitCode).toBe(0);
    const { resources } = JSON.parse(written("import-all.json")) as {
      resources: { type: string; name: string; id: string; inputs?: object }[];
    };
    const program = written(file).replace(/\b(?=[a-z]*\d)[a-z0-9]{24}/g, "<id>");
    return { program, resources, out };
  }

  const twice = [
    "ApiKeyName",
    "AuthConnection",
    "BrowserPool",
    "Credential",
    "Extension",
    "Profile",
    "Proxy",
  ];
  const kinds = [...twice, ...twice, "Project", "ProjectLimits"].sort();

  test("import all writes a TypeScript program whose resources refer to each other, and saves the extensions", async () => {
    const { program, resources, out } = await imported("typescript", "imported.ts");
    expect(resources.map(({ type }) => type.split(":").at(-1)).sort()).toEqual(kinds);
    expect(resources.every(({ inputs }) => inputs !== undefined)).toBe(true);
    expect(new Set(resources.map(({ name }) => name)).size).toBe(resources.length);
    expect(program).toContain('const shopProject = new Project("shop", {\n  name: "shop",\n});\n');
    expect(program).toContain(
      'new ProjectLimits("shop-project-limits", {\n  projectId: shopProject.id,\n  maxConcurrentSessions: 9,\n',
    );
    expect(program).toContain('  path: "./extensions/reader.zip",\n  name: "reader",\n');
    expect(program).toContain("  extensionIds: [readerExtension.id, <id>Extension.id],\n");
    expect(program).toContain('proxyRoutes: [{ hosts: ["*.example.com"], proxyId: "<id>" }]');
    expect(program).toContain(
      "  profileName: shopperProfile.name,\n  credential: { name: buyerCredential.name },\n",
    );
    expect(readdirSync(join(cwd, "extensions"))).toHaveLength(2);
    expect(statSync(join(cwd, "import-all.json")).mode & 0o777).toBe(0o600);
    expect(out).toContain("Wrote 16 resources to import-all.json, imported.ts, extensions/. Next, run:\n");
    expect(out).toContain('import "./imported";');
  });

  test("import all writes a YAML program with dollar signs escaped in strings, and import ids that contain the project", async () => {
    const { program, resources, out } = await imported("yaml", "imported.yaml");
    expect(resources.map(({ type }) => type.replace("browser-infra:index:", "")).sort()).toEqual(kinds);
    expect(resources.filter(({ id }) => id.startsWith(`${projectId}/`))).toHaveLength(12);
    expect(program).toContain('  "shop-profile":\n    type: browser-infra:index:Profile\n');
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a reference in YAML.
    expect(program).toContain('      projectId: "${shop.id}"\n');
    expect(program).toContain(
      'HomepageLocation: "https://shop.example.com/$${home}", "On": { "no": [1, null] }',
    );
    expect(program).toContain("    options:\n      deleteBeforeReplace: true\n");
    expect(out).toContain("rename imported.yaml to Main.yaml");
  });

  test("import all does not ask to rename Main.yaml to Main.yaml", async () => {
    const { out } = await importing(...["--project", "shop", "--language", "yaml", "--program", "Main.yaml"]);
    expect(out).toContain("if Pulumi.yaml has none, keep Main.yaml, which Pulumi reads.");
  });

  test("import all leaves out the name of a key in its grace period, and says so", async () => {
    const key = emulator.createApiKey({ name: "rotated", projectId });
    emulator.clock.advance(60_000);
    const client = new BrowserInfraClient({ baseUrl: emulator.url, apiKey: emulator.apiKeys[0] ?? "" });
    const { id } = await client.apiKeys.rotate(key.id, { keepOldKeyDays: 7 });
    const { out } = await importing("--project", "shop");
    await client.apiKeys.delete(id);
    await client.apiKeys.delete(key.id);
    await client.close();
    expect(written("imported.ts")).toContain(`keyId: "${id}"`);
    expect(written("imported.ts")).not.toContain(key.id);
    expect(out).toMatch(
      new RegExp(`ApiKeyName: Key ${key.id} expires on 20.*the newer key ${id} has the same name`),
    );
  });

  test("import all names the secrets to fill in and the kinds that are not imported, and prints no secret", async () => {
    const { program, out } = await imported("typescript", "imported.ts");
    expect(program).toMatch(
      /\/\/ .*Declare values\.username, values\.password, totpSecret: .*\nnew Credential\("seller"/,
    );
    expect(program).toMatch(/\/\/ .*does not show the password .*\nconst exitProxy = /);
    expect(out).toMatch(
      /Not imported:\n {2}CredentialProvider: .*\n {2}TelemetryDestination: .*\n {2}ApiKey: .*\n {2}OrganizationLimits: .*\n {2}LoginFlow: .*\n$/,
    );
    expect(program + written("import-all.json") + out).not.toMatch(/secret of|JBSWY3DP/);
  });

  test("import all without --project also imports credential providers and telemetry destinations, without secrets", async () => {
    const endpoint = "https://otlp.example.com";
    const headers = { "X-Key": "secret of logs" };
    const destination = emulator.telemetryDestinations.create({ name: "logs", endpoint, headers });
    const provider = emulator.credentialProviders.create({ name: "vault", token: "ops_secret" });
    const { exitCode, out } = await importing("--json");
    emulator.telemetryDestinations.remove(destination.id);
    emulator.credentialProviders.remove(provider.id);
    expect(exitCode).toBe(0);
    const { resources } = JSON.parse(out) as { resources: { kind: string; logicalName: string }[] };
    expect(resources).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ kind: "CredentialProvider", logicalName: "vault" }),
        expect.objectContaining({ kind: "TelemetryDestination", logicalName: "logs" }),
      ]),
    );
    expect(out + written("imported.ts") + written("import-all.json")).not.toMatch(/secret of|ops_secret/);
  });

  test("import all skips kinds that the service refuses to list, and prints the reason", async () => {
    emulator.faults.add({ path: "/proxies", at: "before-commit", action: { answer: { status: 403 } } });
    emulator.faults.add({
      path: `/org/projects/${projectId}`,
      times: 2,
      at: "before-commit",
      action: { answer: { status: 403 } },
    });
    const { exitCode, out } = await importing("--project", projectId, "--json");
    expect(exitCode).toBe(0);
    const { notImported, resources } = JSON.parse(out);
    const refused = ["Project", "ProjectLimits", "Proxy"];
    const withStatus = notImported.filter(({ reason }: { reason: string }) => reason.includes("403"));
    expect(withStatus).toEqual(refused.map((kind) => ({ kind, reason: expect.stringContaining("403") })));
    expect(resources).toHaveLength(12);
    // Neither the project nor the proxy is a resource of the program.
    expect(written("imported.ts")).toContain(`projectId: "${projectId}"`);
    expect(written("imported.ts")).toMatch(/proxyId: "[a-z0-9]{24}"/);
  });

  test("import all skips a proxy whose name a different proxy already has", async () => {
    const { id } = emulator.proxies.create({ name: "exit", type: "mobile", projectId });
    const { exitCode, out } = await importing("--project", projectId);
    expect(exitCode).toBe(0);
    expect(out).toMatch(/\n {2}Proxy: A program has one proxy of a name\. First rename [a-z0-9]{24}: /);
    expect(out).toContain("Wrote 16 resources");
    emulator.proxies.remove(id);
  });

  test("import all without --project imports the objects of the default project, and ends with exit code 3 if nothing exists", async () => {
    const { id } = emulator.browserPools.create({ name: "ours", size: 1 });
    const { exitCode } = await importing();
    expect(exitCode).toBe(0);
    expect(written("imported.ts")).toContain('new BrowserPool("ours", {\n  size: 1,\n  name: "ours",\n});\n');
    emulator.browserPools.remove(id);
    const empty = await importing("--force");
    expect(empty).toEqual({ exitCode: 3, out: "", err: expect.stringContaining("has nothing to import") });
  });

  test("import all leaves existing files unchanged without --force, and names the option for a different file", async () => {
    writeFileSync(join(cwd, "imported.ts"), "mine");
    const { exitCode, err } = await importing("--project", "shop");
    expect([exitCode, err]).toEqual([2, expect.stringContaining("Choose another --program")]);
    expect([written("imported.ts"), readdirSync(cwd)]).toEqual(["mine", ["imported.ts"]]);
    expect((await importing("--project", "shop", "--force")).exitCode).toBe(0);
  });

  test("import all advises a different working folder if an archive exists or cannot be saved", async () => {
    expect((await importing("--project", "shop")).exitCode).toBe(0);
    const others = ["--output", "other.json", "--program", "other.ts"];
    const { exitCode, err } = await importing("--project", "shop", ...others);
    expect([exitCode, err]).toEqual([
      2,
      expect.stringMatching(/"extensions\/.*\.zip" already exists\. Choose another working folder, or pass/),
    ]);
    cwd = temporaryFolder();
    writeFileSync(join(cwd, "extensions"), "mine");
    const failed = await importing("--project", "shop");
    expect([failed.exitCode, failed.err]).toEqual([
      1,
      expect.stringMatching(/Writing "extensions" failed \(EEXIST\).* or choose another working folder\.\n$/),
    ]);
  });

  test("import all names --program if the program cannot be written", async () => {
    const program = "y".repeat(300);
    const { exitCode, err } = await importing("--project", "shop", "--program", program, "--json");
    expect([exitCode, err]).toEqual([1, expect.stringContaining("or choose another --program.")]);
    writeFileSync(join(cwd, "imported.ts"), "mine");
    const { error } = JSON.parse((await importing("--project", "shop", "--json")).err);
    expect(error).toMatchObject({ code: "output_unusable", property: "program" });
  });

  test("import all says that the project is archived or gone, with the command that activates it, and writes nothing", async () => {
    const { id } = emulator.createProject({ name: "Old shop", status: "archived" });
    expect(await importing("--project", "Old shop")).toEqual({
      exitCode: 1,
      out: "",
      err: expect.stringContaining(
        `Project "Old shop" (id ${id}) is archived. To make it active: "browser-infra projects activate ${id}".\n`,
      ),
    });
    expect(readdirSync(cwd)).toEqual([]);
    expect(await importing("--project", "ckp0000000000000000000ab")).toMatchObject({ out: "" });
  });
});
