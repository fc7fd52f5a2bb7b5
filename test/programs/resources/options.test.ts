import { pathToFileURL } from "node:url";
import * as pulumi from "@pulumi/pulumi";
import { Extension, LoginFlow } from "../../../src/index.js";
import { awaited, entries, MockedEngine } from "./mocked-engine.js";

let engine: MockedEngine;

beforeEach(async () => {
  engine = await MockedEngine.start("id_1");
});

describe.each(entries)("a resource of $entry", ({ classes }) => {
  test("an Extension is deleted before the replacement if the name is fixed or the program requests deletion", async () => {
    await awaited(new classes.Extension("a", { path: "./extension", name: "reader" }).urn);
    await awaited(new classes.Extension("b", { path: "./extension" }).urn);
    await awaited(new classes.Extension("c", { path: "./extension" }, { deleteBeforeReplace: true }).urn);
    const options = engine.requests.map(({ deletebeforereplace }) => deletebeforereplace);
    expect(options).toEqual([true, false, true]);
  });

  test("a resource has the position of its declaration in the program", async () => {
    await awaited(new classes.Extension("reader", { path: "./extension" }).urn);
    const [{ sourceposition } = {}] = engine.requests;
    expect(sourceposition?.uri).toBe(pathToFileURL(__filename).toString());
  });

  test("a lookup by name uses the project of the state and the provider of the options", async () => {
    const provider = new classes.Provider("eu", {});
    const state = { projectId: "proj_1" };
    const found = classes.Extension.get("theirs", pulumi.output("reader"), state, { provider });
    expect(await awaited(found.id)).toBe("found");
    expect(engine.calls).toMatchObject([
      { inputs: { name: "reader", projectId: "proj_1" }, provider: expect.stringContaining("::eu::") },
    ]);
    expect(engine.registered.at(-1)).toMatchObject({ id: "found", inputs: state });
  });

  test("a lookup has the given outputs, and undefined for an output that no lookup returns", async () => {
    const extension = classes.Extension.get("theirs", "ckv9w8q2f000001l5r3j7k9m", { sizeBytes: 3 });
    // @ts-expect-error A program must check the value first.
    const count: pulumi.Output<number> = extension.fileCount;
    const size: pulumi.Output<number> = extension.sizeBytes;
    expect(await awaited(pulumi.all([count, size]))).toEqual([undefined, 3]);
    const settings = [
      classes.Project.get("project", "proj_9"),
      classes.ProjectLimits.get("limits", "proj_9"),
      classes.OrganizationLimits.get("caps", "organization"),
    ].map(({ onDelete }): pulumi.Output<string | undefined> => onDelete);
    expect(await awaited(pulumi.all(settings))).toEqual([undefined, undefined, undefined]);
  });

  test("a LoginFlow takes the time limit from the argument timeout, or else from customTimeouts", async () => {
    const customTimeouts = { create: "5m", update: "1m" };
    await awaited(new classes.LoginFlow("a", { connectionId: "conn_1" }, { customTimeouts }).urn);
    const args = { connectionId: "conn_1", timeout: "9m" };
    await awaited(new classes.LoginFlow("b", args, { customTimeouts }).urn);
    expect(engine.registered.map(({ inputs }) => inputs.timeout)).toEqual(["5m", "9m"]);
    // The engine must not end the wait: the engine's error has fewer details.
    const limits = { create: "", update: "1m" };
    expect(engine.requests.map(({ customtimeouts }) => customtimeouts)).toMatchObject([limits, limits]);
  });

  test("a LoginFlow refuses the option import before anything is registered", () => {
    const declare = () => new classes.LoginFlow("login", { connectionId: "conn_1" }, { import: "conn_1" });
    expect(declare).toThrow("Leave the option out: a LoginFlow has nothing to import.");
    expect(engine.registered).toEqual([]);
  });

  describe("for the configuration of a Proxy", () => {
    const password = "pr0xy-password";
    const custom = { host: "proxy.example", port: 3128, password, caBundle: "PEM" };

    /**
     * Configuration as sent to the engine, split at the start of every secret. Source: the engine
     * gets a secret as an object with a signature.
     */
    async function sent(config: pulumi.Input<typeof custom>): Promise<readonly string[]> {
      await awaited(new classes.Proxy("exit", { type: "custom", config }).urn);
      const fields = engine.requests[0]?.object?.fieldsMap ?? [];
      return JSON.stringify(fields.find(([name]) => name === "config")).split(
        "1b47061264138c4ac30d75fd1eb44270",
      );
    }

    test("a Proxy marks only the password and the certificates of a plain configuration as secret", async () => {
      const parts = await sent(custom);
      expect(parts[0]).not.toContain(password);
      expect(parts).toHaveLength(3);
    });

    test.each<[string, pulumi.Input<typeof custom>]>([
      ["an Output", pulumi.output(custom)],
      ["a Promise", Promise.resolve(custom)],
    ])("a Proxy sends the password of a configuration that is %s as a secret", async (_how, config) => {
      const parts = await sent(config);
      expect(parts[0]).not.toContain(password);
      expect(parts.length).toBeGreaterThan(1);
    });
  });
});

describe("a dynamic resource", () => {
  test("a dynamic Extension under a component sends a URN that contains the component", async () => {
    const parent = new pulumi.ComponentResource("shop:Browsers", "browsers");
    await awaited(new Extension("reader", { path: "./extension" }, { parent }).urn);
    const extension = engine.registered.find(({ type }) => type.endsWith(":Extension"));
    expect(JSON.parse(extension?.inputs.__browserInfraProgram).urn).toBe(
      "urn:pulumi:dev::shop::shop:Browsers$pulumi-nodejs:dynamic/browser-infra:Extension::reader",
    );
  });

  test("a dynamic LoginFlow sends the time limits that Pulumi does not pass on", async () => {
    const customTimeouts = { create: "5m", delete: "1m" };
    await awaited(new LoginFlow("a", { connectionId: "conn_1" }, { customTimeouts }).urn);
    expect(JSON.parse(engine.registered[0]?.inputs.__browserInfraProgram).timeouts).toEqual({ delete: "1m" });
  });
});
