import type { Emulator, EmulatorOptions } from "../../src/emulator/index.js";
import { newEmulator } from "../support/emulator.js";
import type { Stack } from "./stack.js";

/** What a test of a stack starts from. */
export interface Started {
  readonly emulator: Emulator;
  /** The environment with which a program uses the emulator. */
  readonly environment: NodeJS.ProcessEnv;
  readonly stack: Stack;
}

/** Requests that change something in the service. */
export function writesIn(emulator: Emulator): string[] {
  return emulator.requests
    .filter(({ method }) => method !== "GET")
    .map(({ method, path }) => `${method} ${path}`);
}

/** An emulator of the service, and the environment with which a program uses it. */
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
 * Starts a service and a stack for each test of a block, hands them to `use`, and removes them
 * afterwards. In the folder of the program is that of an extension, `extension`.
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

/** The manifest of an extension. */
export function manifest(version = "1.0.0", name = "Reader"): string {
  return JSON.stringify({ manifest_version: 3, name, version });
}
