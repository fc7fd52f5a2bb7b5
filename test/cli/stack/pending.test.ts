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
    const { id } = emulator.browserPools.create({ id: "pool-one", name: "crew", size: 1 });
    const creations = [own, dynamic].map((token) => ({
      type: "creating",
      resource: resource(token("BrowserPool"), "agents\u001b[2J", { name: "crew", size: 1 }),
    }));
    const sentence =
      'agents\\u001b[2J (BrowserPool), interrupted while creating: browser pool "crew" (id pool-one, 1 browser) exists. The request may have sent name, size.\n  To keep it:\n';
    const deletion = `  To delete it:\n    browser-infra pools delete ${id} --stack dev\n\n`;
    const options = "--protect=false --generate-code=false --stack dev";
    const name = "'agents\\u001b[2J'";
    expect(await pending(creations, [])).toBe(
      [
        `${sentence}    pulumi import browser-infra:index:BrowserPool ${name} ${id} ${options}\n${deletion}`,
        `${sentence}    browser-infra import pools ${id} --as ${name} --force --stack dev\n`,
        `    pulumi import --file import-pools.json ${options}\n${deletion}`,
        "After all repairs, remove the operations from the state: pulumi refresh --clear-pending-creates --stack dev\n",
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
        objects: [{ id: "third", name: "ci" }],
        sent: ["triggers"],
        repair: [
          {
            purpose: "delete it, if nobody else uses it",
            commands: ["browser-infra api-keys delete third --stack dev"],
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
    expect(printed).toMatch(/ and API key "twice" \(.*\) exist\. /);
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
          commands: [`pulumi state taint ${killed.urn} --stack dev`, "pulumi up --refresh --stack dev"],
        },
      ]);
    },
  );
});
