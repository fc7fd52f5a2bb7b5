import type { Emulator } from "../../../src/emulator/index.js";
import { newEmulator } from "../../support/emulator.js";

const variables = [
  "BROWSER_INFRA_API_KEY",
  "BROWSER_INFRA_BASE_URL",
  "BROWSER_INFRA_PROJECT_ID",
  "KERNEL_PROJECT",
] as const;

/**
 * Sets the variables of a deployment in this process, for an emulator. `stop` restores the
 * variables.
 */
export async function startService(): Promise<{ emulator: Emulator; stop: () => Promise<void> }> {
  const emulator = await newEmulator();
  const before = variables.map((variable) => [variable, process.env[variable]] as const);
  process.env.BROWSER_INFRA_API_KEY = emulator.apiKeys[0];
  process.env.BROWSER_INFRA_BASE_URL = emulator.url;
  delete process.env.BROWSER_INFRA_PROJECT_ID;
  delete process.env.KERNEL_PROJECT;
  return {
    emulator,
    stop: async () => {
      for (const [variable, value] of before) {
        if (value === undefined) {
          delete process.env[variable];
        } else {
          process.env[variable] = value;
        }
      }
    },
  };
}
