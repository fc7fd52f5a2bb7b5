import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Emulator } from "../../../src/emulator/index.js";
import { extensionFolders, furnish, kinds, samples } from "../../contract/samples.js";
import { type Bridge, bridges } from "../../stacks/bridges.js";
import { programsFolder } from "../../stacks/install-package.js";
import { killAll, processTree } from "../../stacks/process-tree.js";
import { manifest, startService } from "../../stacks/service.js";
import type { Stack } from "../../stacks/stack.js";

const bin = join(programsFolder, "node_modules", ".bin");

type Properties = Readonly<Record<string, unknown>>;
interface Finding {
  readonly name: string;
  readonly operation: string;
  readonly exists: boolean | null;
  readonly repair: readonly { readonly purpose: string; readonly commands: readonly string[] }[];
}

/** Declares a resource of each kind, named after the kind. */
function declareAll(
  bridge: Bridge,
  stack: Stack,
  propertiesOf: (kind: (typeof kinds)[number]) => Properties,
): void {
  const declared = kinds.map((kind) => {
    const properties = propertiesOf(kind);
    const options = samples[kind].deletesFirst(properties) ? { deleteBeforeReplace: true } : {};
    return [kind, { type: kind, properties, options }] as const;
  });
  bridge.declare(stack, Object.fromEntries(declared));
}

/** Deploys, and kills everything once the service has committed some writes and answers none. */
async function killInside(stack: Stack, emulator: Emulator, writes: number): Promise<void> {
  let committed = 0;
  const count = () => {
    committed += 1;
  };
  for (const method of ["POST", "PATCH", "PUT", "DELETE"]) {
    const always = { method, at: "after-commit", times: Number.POSITIVE_INFINITY } as const;
    emulator.faults.add({ ...always, action: { call: count } });
    emulator.faults.add({ ...always, action: "hang" });
  }
  const running = stack.start("up", "--yes", "--skip-preview", "--parallel", "32");
  while (committed < writes) {
    await wait(50);
  }
  killAll(processTree(running.pid));
  await running.ended;
  emulator.faults.clear();
  await stack.succeed("cancel", "--yes");
}

async function pending(stack: Stack): Promise<readonly Finding[]> {
  const { output, exitCode } = await stack.runScript(join(bin, "browser-infra"), "pending", "--json");
  expect(exitCode).toBe(0);
  return JSON.parse(output).pending;
}

function isDeployment(command: string): boolean {
  return command.startsWith("pulumi up");
}

/** Runs the commands of the first repair of each finding, in the program's folder. */
async function repair(stack: Stack, findings: readonly Finding[]): Promise<void> {
  const commands = new Set(findings.flatMap(({ repair: [first] }) => first?.commands ?? []));
  // A deployment would create what an import or a deletion is about.
  const ordered = [...commands].sort((one, other) => Number(isDeployment(one)) - Number(isDeployment(other)));
  const script = ordered.map((command) =>
    command.startsWith("pulumi ")
      ? `${command} --yes --skip-preview`
      : `${command}${/ delete /.test(command) ? " --yes" : ""}`,
  );
  const all = ["set -ex", `export PATH="${bin}:$PATH"`, ...script].join("\n");
  const { exitCode, output } = await stack.runScript("/bin/bash", "-c", all);
  if (exitCode !== 0) {
    throw new Error(`A repair ended with ${exitCode}:\n${all}\n${output}`);
  }
}

describe.each(bridges)("browser-infra pending with $name, with the real engine", (bridge) => {
  let emulator: Emulator;
  let stack: Stack;

  beforeEach(async () => {
    const service = await startService();
    emulator = service.emulator;
    furnish(emulator);
    stack = await bridge.create(service.environment);
    for (const [folder, version] of Object.entries(extensionFolders)) {
      stack.write(`${folder}/manifest.json`, manifest(version));
    }
  });

  afterEach(async () => {
    stack.remove();
    await emulator.close();
  });

  test("names every creation that a kill cut off, and its first repair leads to a stack without changes", async () => {
    declareAll(bridge, stack, (kind) => samples[kind].first);
    await killInside(stack, emulator, kinds.length);
    const findings = await pending(stack);
    expect(findings.map(({ name }) => name).sort()).toEqual([...kinds].sort());
    expect(findings.filter(({ exists }) => exists === false)).toEqual([]);
    await repair(stack, findings);
    await stack.up();
    await stack.expectNoChanges();
    expect(await pending(stack)).toEqual([]);
  });

  test("names every change that a kill cut off with the settings it may have sent, and its repair leads back", async () => {
    declareAll(bridge, stack, (kind) => samples[kind].first);
    await stack.up();
    declareAll(bridge, stack, (kind) => samples[kind].changed ?? samples[kind].first);
    await killInside(stack, emulator, 3);
    const findings = await pending(stack);
    expect(findings.length).toBeGreaterThanOrEqual(3);
    await repair(stack, findings);
    await stack.up();
    await stack.expectNoChanges();
    expect(await pending(stack)).toEqual([]);
  });

  test("says that nothing is pending", async () => {
    const { output, exitCode } = await stack.runScript(join(bin, "browser-infra"), "pending");
    expect([exitCode, output]).toEqual([0, "No operation is pending.\n"]);
  });
});
