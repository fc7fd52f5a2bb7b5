import { type Emulator, type EmulatorOptions, startEmulator } from "../../src/emulator/index.js";

/** Requests that change something in the service. */
export function writesIn(emulator: Emulator): string[] {
  return emulator.requests
    .filter(({ method }) => method !== "GET")
    .map(({ method, path }) => `${method} ${path}`);
}

/** An emulator of the service, and the environment with which a program uses it. */
export async function startService(
  options: EmulatorOptions = {},
): Promise<{ emulator: Emulator; environment: NodeJS.ProcessEnv }> {
  const emulator = await startEmulator(options);
  return {
    emulator,
    environment: {
      BROWSER_INFRA_BASE_URL: emulator.url,
      BROWSER_INFRA_API_KEY: emulator.apiKeys[0],
    },
  };
}
