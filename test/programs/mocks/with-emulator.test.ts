import { getProjectLimits } from "pulumi-browser-infra";
import { type Emulator, startEmulator } from "pulumi-browser-infra/emulator";

describe("functions without mocks, against the emulator", () => {
  let emulator: Emulator;

  beforeAll(async () => {
    emulator = await startEmulator();
    process.env.BROWSER_INFRA_BASE_URL = emulator.url;
    process.env.BROWSER_INFRA_API_KEY = emulator.apiKeys[0];
  });

  afterAll(() => emulator.close());

  test("a function without mocks answers as the service would", async () => {
    emulator.createProject({ name: "shop", limits: { maxConcurrentSessions: 5 } });
    const limits = await getProjectLimits({ projectName: "shop" });
    expect(limits.maxConcurrentSessions).toBe(5);
    expect(limits.maxConcurrentInvocations).toBeUndefined();
    await expect(getProjectLimits({ projectName: "Shop" })).rejects.toThrow('"shop"');
  });
});
