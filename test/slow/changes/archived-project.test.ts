import type { Emulator } from "../../../src/emulator/index.js";
import { bridges } from "../../support/stacks/bridges.js";
import { startEach } from "../../support/stacks/service.js";
import type { Stack } from "../../support/stacks/stack.js";
import { reference, type YamlResource } from "../../support/stacks/yaml-program.js";

const options = { deleteBeforeReplace: true };
const projectId = reference("web.id");

/** Resources of eight kinds in a project of the program. */
const program: Readonly<Record<string, YamlResource>> = {
  web: { type: "Project", properties: { name: "web" }, options },
  reader: { type: "Extension", properties: { path: "./extension", projectId } },
  buyer: { type: "Profile", properties: { name: "buyer", projectId }, options },
  exit: { type: "Proxy", properties: { name: "exit", type: "isp", projectId } },
  login: {
    type: "Credential",
    properties: { name: "login", domain: "shop.example", values: { password: "one" }, projectId },
    options,
  },
  crew: { type: "BrowserPool", properties: { name: "crew", size: 1, projectId }, options },
  shop: {
    type: "AuthConnection",
    properties: { domain: "shop.example", profileName: reference("buyer.name"), projectId },
    options,
  },
  caps: { type: "ProjectLimits", properties: { projectId, maxConcurrentSessions: 5 }, options },
};
const flow: YamlResource = {
  type: "LoginFlow",
  properties: { connectionId: reference("shop.id"), projectId },
};
/** With the resource of the stack itself. The plugin also has its default provider. */
const count = Object.keys(program).length + 2;

describe.each(bridges)("a project of a stack that others archive or delete, through $name", (bridge) => {
  let emulator: Emulator;
  let stack: Stack;

  startEach(bridge.create, (started) => ({ emulator, stack } = started));

  const project = () => emulator.projects.list().find(({ name }) => name === "web");
  const ownResources = () => stack.resources().filter(({ type }) => !type.startsWith("pulumi:providers:"));

  /** Deploys the program. The connection is logged in, so that the LoginFlow does not wait. */
  async function deploy(): Promise<string> {
    bridge.declare(stack, program);
    await stack.up("--refresh");
    const { id = "" } = project() ?? {};
    const [connection] = emulator.authConnections.list(id);
    emulator.authConnections.recordHealthCheck(connection?.id ?? "", "AUTHENTICATED");
    bridge.declare(stack, { ...program, flow });
    await stack.up();
    return id;
  }

  test("an archived project keeps its resources in a refresh, goes on in an up, and goes with a destroy", async () => {
    const id = await deploy();
    emulator.archiveProject(id);
    expect(await stack.refresh()).toContain(`Project ${id} is archived`);
    expect(ownResources()).toHaveLength(count);

    const visitor: YamlResource = {
      type: "Profile",
      properties: { name: "visitor", projectId: id },
      options,
    };
    bridge.declare(stack, { visitor, ...program, flow });
    await stack.up("--refresh");
    expect(project()?.status).toBe("active");
    expect(emulator.profiles.list(id)).toHaveLength(2);
    await stack.expectNoChanges("--refresh");
    // Without the literal id: a destroy deletes such a resource and the project in any order.
    bridge.declare(stack, { ...program, flow });
    await stack.up();

    emulator.archiveProject(id);
    const refused = await stack.run("destroy", "--yes", "--skip-preview");
    expect(refused.exitCode).not.toBe(0);
    expect(refused.output.replace(/\s+/g, " ")).toContain(
      'If this stack manages the project, run the same command with "--refresh".',
    );
    expect(project()?.status).toBe("archived");
    await stack.destroy("--refresh");
    expect(project()).toBeUndefined();
  });

  test("a deleted project is made again with its resources by an up, and does not stop a destroy", async () => {
    const first = await deploy();
    emulator.projects.remove(first);
    // The state still has the LoginFlow, whose connection is gone.
    const second = await deploy();
    expect(second).not.toBe(first);
    expect(ownResources()).toHaveLength(count);
    expect(emulator.profiles.list(second)).toHaveLength(1);

    emulator.projects.remove(second);
    await stack.destroy();
    expect(ownResources()).toHaveLength(0);
  });
});
