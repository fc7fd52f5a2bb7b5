import type { Emulator, EmulatorOptions } from "../../../src/emulator/index.js";
import { newEmulator } from "../emulator.js";
import type { Stack } from "./stack.js";

/** Service and stack of a test. */
export interface Started {
  readonly emulator: Emulator;
  /** Environment for a program that uses the emulator. */
  readonly environment: NodeJS.ProcessEnv;
  readonly stack: Stack;
}

/** Requests other than GET. */
export function writesIn(emulator: Emulator): string[] {
  return emulator.requests
    .filter(({ method }) => method !== "GET")
    .map(({ method, path }) => `${method} ${path}`);
}

/** Starts an emulator. Returns the emulator with the environment for a program. */
export async function startService(options: EmulatorOptions = {}): Promise<Omit<Started, "stack">> {
  const emulator = await newEmulator(options);
  return {
    emulator,
    environment: {
      BROWSER_INFRA_BASE_URL: emulator.url,
      BROWSER_INFRA_API_KEY: emulator.apiKeys[0],
    },
  };
}

/**
 * Starts a service and a stack for every test of a block, passes both to `use`, and removes both
 * afterwards. The folder of the program contains an extension in the folder `extension`.
 */
export function startEach(
  create: (environment: NodeJS.ProcessEnv) => Promise<Stack>,
  use: (started: Started) => void,
  options?: EmulatorOptions,
): void {
  let started: Started | undefined;

  beforeEach(async () => {
    const service = await startService(options);
    started = { ...service, stack: await create(service.environment) };
    started.stack.write("extension/manifest.json", manifest());
    use(started);
  });

  afterEach(() => started?.stack.remove());
}

/** Manifest of an extension. */
export function manifest(version = "1.0.0", name = "Reader"): string {
  return JSON.stringify({ manifest_version: 3, name, version });
}
