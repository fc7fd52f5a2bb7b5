import { chmodSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { shareEmulator } from "../../support/emulator.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { settingsOf, startCommand } from "../started-command.js";

/** Resource of the stack "dev" in the output of `pulumi stack export`. */
function resource(type: string, name: string, inputs: object = {}, more: object = {}) {
  return { urn: `urn:pulumi:dev::shop::${type}::${name}`, type, inputs, ...more };
}
const own = (kind: string) => `browser-infra:index:${kind}`;
const dynamic = (kind: string) => `pulumi-nodejs:dynamic/browser-infra:${kind}`;

describe("browser-infra pending", () => {
  const emulator = shareEmulator();
  const bin = temporaryFolder();

  /** Looks up operations with a program in place of the Pulumi CLI. */
  async function pending(
    operations: readonly { readonly type: string; readonly resource: object }[],
    resources: readonly object[],
    ...args: string[]
  ) {
    const exported = { deployment: { resources, pending_operations: operations } };
    const script = `#!${process.execPath}\nconsole.log(${JSON.stringify(JSON.stringify(exported))});`;
    writeFileSync(join(bin, "pulumi"), script);
    chmodSync(join(bin, "pulumi"), 0o700);
    const PATH = [bin, process.env.PATH].join(delimiter);
    const { exitCode, out, err } = await startCommand(["pending", ...args], {
      env: { ...settingsOf(emulator), PATH, PULUMI_STACK: "dev" },
    }).ended;
    expect([exitCode, err]).toEqual([0, ""]);
    return out;
  }

  test("pending reports that no operation is pending, also if only a resource of a different package is pending", async () => {
    expect(await pending([], [])).toBe("No operation is pending.\n");
    expect(await pending([{ type: "creating", resource: resource("random:index:Pet", "cat") }], [])).toBe(
      "No operation is pending.\n",
    );
  });

  test("pending prints commands to import or delete the object of an interrupted creation, for both bridges", async () => {
    const { id, createdAt } = emulator.browserPools.create({ id: "pool-one", name: "crew", size: 1 });
    const made = createdAt.replace("T", " ").replace(/\.\d+Z$/, " UTC");
    const creations = [own, dynamic].map((token) => ({
      type: "creating",
      resource: resource(token("BrowserPool"), "agents\u001b[2J", { name: "crew", size: 1 }),
    }));
    const sentence = `agents\\u001b[2J (BrowserPool), interrupted while creating: browser pool "crew" (id pool-one, 1 browser), made ${made}, exists. The request may have sent name, size.\n  To keep it:\n`;
    const deletion = `  To delete it:\n    browser-infra pools delete ${id} --yes --stack dev\n\n`;
    const options = "--protect=false --generate-code=false --stack dev";
    const name = "'agents\\u001b[2J'";
    expect(await pending(creations, [])).toBe(
      [
        `${sentence}    pulumi import browser-infra:index:BrowserPool ${name} ${id} ${options}\n${deletion}`,
        `${sentence}    browser-infra import pools ${id} --as ${name} --force --stack dev\n`,
        `    pulumi import --file import-pools.json ${options}\n${deletion}`,
        "After all repairs, remove the operations from the state: pulumi refresh --clear-pending-creates --yes --stack dev\n",
      ].join(""),
    );
    expect(emulator.requests.filter(({ path }) => path.startsWith("/browser_pools"))).toHaveLength(1);
  });

  test("pending names the keys that a killed rotation created, and no key that the state contains", async () => {
    const rotated = { inputs: { name: "ci" }, outputs: { keyId: "second", previousKeys: [{ id: "first" }] } };
    for (const id of ["first", "second", "third"]) {
      emulator.createApiKey({ id, name: "ci" });
    }
    const inState = resource(own("ApiKey"), "ci", rotated.inputs, { id: "first", outputs: rotated.outputs });
    const update = resource(own("ApiKey"), "ci", { name: "ci", triggers: [2] }, { id: "first" });
    const printed = await pending([{ type: "updating", resource: update }], [inState], "--json");
    expect(JSON.parse(printed).pending).toEqual([
      expect.objectContaining({
        objects: [{ id: "third", name: "ci", createdAt: expect.any(String) }],
        sent: ["triggers"],
        repair: [
          {
            purpose: "delete it, if nobody else uses it",
            commands: ["browser-infra api-keys delete third --yes --stack dev"],
          },
        ],
      }),
    ]);
  });

  test("pending names all objects that an interrupted creation may have made, in the plural", async () => {
    for (const id of ["key-one", "key-two"]) {
      emulator.createApiKey({ id, name: "twice" });
    }
    const creation = resource(own("ApiKey"), "twice", { name: "twice" });
    const printed = await pending([{ type: "creating", resource: creation }], []);
    expect(printed).toMatch(/ and API key "twice" \(.*\), made .* UTC, exist\. /);
    expect(printed).toContain("  To delete them, if nobody else uses them:\n");
  });

  test.each(["Credential", "CredentialProvider"])(
    "pending repairs a %s after a killed change by a replacement, because no refresh shows the values",
    async (kind) => {
      const killed = resource(own(kind), "shop", { name: "shop" }, { id: "cred-1" });
      const printed = await pending([{ type: "updating", resource: killed }], [killed], "--json");
      expect(JSON.parse(printed).pending[0].repair).toEqual([
        {
          purpose: "repair it",
          commands: [`pulumi state taint ${killed.urn} --yes --stack dev`, "pulumi up --refresh --stack dev"],
        },
      ]);
    },
  );

  test("pending reports an object that the stack manages now, in a resource of the same or another name, and no repair", async () => {
    const { id } = emulator.profiles.ensure("shopper");
    const creation = { type: "creating", resource: resource(own("Profile"), "shopper", { name: "shopper" }) };
    for (const logicalName of ["shopper", "renamed"]) {
      const inState = resource(own("Profile"), logicalName, { name: "shopper" }, { id });
      expect(await pending([creation], [inState])).toBe(
        `shopper (Profile), interrupted while creating: managed by this stack (${id}): nothing to repair.${
          logicalName === "shopper" ? "" : " The request may have sent name."
        }\n\nAfter all repairs, remove the operations from the state: pulumi refresh --clear-pending-creates --yes --stack dev\n`,
      );
    }
  });

  test("pending does not take another resource's key of the same name for the object of a creation", async () => {
    const { id } = emulator.createApiKey({ name: "deploy" });
    const inState = resource(own("ApiKey"), "other", { name: "deploy" }, { id, outputs: { keyId: id } });
    const creation = { type: "creating", resource: resource(own("ApiKey"), "deploy", { name: "deploy" }) };
    const printed = await pending([creation], [inState], "--json");
    expect(JSON.parse(printed).pending[0]).toMatchObject({
      exists: false,
      repair: [{ purpose: "create it", commands: ["pulumi up --stack dev"] }],
    });
  });

  test("pending leaves an object that may be of a creation recorded in the state to the next up, which looks it up", async () => {
    emulator.browserPools.create({ id: "pool-lost", name: "lost", size: 1 });
    const inState = resource(own("BrowserPool"), "lost", { name: "lost" }, { id: "lost-lost" });
    const creation = { type: "creating", resource: resource(own("BrowserPool"), "lost", { name: "lost" }) };
    const printed = await pending([creation], [inState], "--json");
    expect(JSON.parse(printed).pending[0].repair).toEqual([
      { purpose: "keep it", commands: ["pulumi up --stack dev"] },
      { purpose: "delete it", commands: ["browser-infra pools delete pool-lost --yes --stack dev"] },
    ]);
    emulator.browserPools.remove("pool-lost");
    expect(JSON.parse(await pending([creation], [inState], "--json")).pending[0]).toMatchObject({
      exists: false,
      repair: [{ purpose: "repair it", commands: ["pulumi up --refresh --stack dev"] }],
    });
  });

  test("pending names a project that is archived, gone or disabled, and still looks up the other operations", async () => {
    const { id: archived } = emulator.createProject({ name: "Old shop", status: "archived" });
    const { id } = emulator.profiles.ensure("elsewhere");
    const creation = (name: string, projectId?: string) => ({
      type: "creating",
      resource: resource(own("Profile"), name, { name, projectId }),
    });
    const operations = [creation("inside", archived), creation("lost", "nowhere"), creation("elsewhere")];
    const printed = await pending(operations, []);
    expect(printed).toContain(
      `inside (Profile), interrupted while creating: unknown, because project "Old shop" (id ${archived}) is archived.`,
    );
    expect(printed).toContain(
      `  To look it up:\n    browser-infra projects activate ${archived} --stack dev\n    browser-infra pending --stack dev\n`,
    );
    expect(printed).toContain("nothing exists, because project nowhere is gone.");
    expect(printed).toContain(`profile "elsewhere" (id ${id}), made `);
    emulator.faults.add({
      path: `/org/projects/${archived}`,
      at: "before-commit",
      action: { answer: { status: 404, body: { code: "projects_disabled", message: "No projects." } } },
    });
    expect(await pending([creation("inside", archived)], [])).toContain(
      `unknown, because project ${archived} cannot be used, because the organization has no projects any more.`,
    );
  });

  test("pending names the difference of the clocks, if minutes, below the times of the service", async () => {
    emulator.profiles.ensure("timed");
    const creation = { type: "creating", resource: resource(own("Profile"), "timed", { name: "timed" }) };
    expect(await pending([creation], [])).not.toContain("clock");
    emulator.clock.advance(-20 * 60_000);
    expect(await pending([creation], [])).toContain(
      "\nThe clock of this machine is about 20 min ahead of the service's clock, which made the times above.\n\nAfter all",
    );
  });
});
