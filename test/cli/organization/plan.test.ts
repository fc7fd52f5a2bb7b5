import { useEmulator } from "../../support/emulator.js";
import { play } from "../played-terminal.js";

describe("browser-infra plan", () => {
  const emulator = useEmulator({
    seed: { organization: { maxConcurrentSessions: 5, maxAuthConnections: 2 } },
  });

  /** Output of `plan` for a reported plan. */
  async function printed(body: object): Promise<string> {
    const action = { answer: { status: 200, body } };
    emulator.faults.add({ path: "/org/entitlements", at: "before-commit", action });
    return (await play(emulator, ["plan"])).out;
  }

  test("plan prints the limits, and the features that the plan includes", async () => {
    expect((await play(emulator, ["plan"])).out).toBe(
      [
        "PLAN              ENTERPRISE\n",
        "BROWSERS          5\n",
        "EXTENSIONS        unlimited\n",
        "AUTH CONNECTIONS  2\n",
        "HEALTH CHECKS     every 300 s or less often\n",
        "FEATURES          browser_pools, credential_providers, credentials, custom_proxies, file_io, gpu, managed_proxies, profiles, proxy_bypass_hosts, search, vaults, browser_extensions, browser_replays, managed_auth\n",
        "NOT INCLUDED      none\n",
      ].join(""),
    );
  });

  test("plan names the plan that applies in a trial, and the features that are not included", async () => {
    const out = await printed({
      plan: { id: "FREE", effective_id: "START_UP", is_trialing: true },
      features: { browser_pools: { enabled: false }, profiles: { enabled: true } },
      limits: { max_concurrent_browsers: 150 },
    });
    expect(out).toMatch(
      /^PLAN +FREE, counts as START_UP\n[\s\S]*FEATURES +profiles\nNOT INCLUDED +browser_pools\n$/,
    );
  });

  test("plan prints no limit for a feature that the plan does not include or the service does not report", async () => {
    const out = await printed({
      plan: { id: "FREE", effective_id: "FREE", is_trialing: false },
      features: { managed_auth: { enabled: false } },
      limits: { max_concurrent_browsers: 5 },
    });
    expect(out).toMatch(
      /^EXTENSIONS +unknown\nAUTH CONNECTIONS +not included\nHEALTH CHECKS +not included\n/m,
    );
  });

  test("plan --json prints the record of the client", async () => {
    expect(JSON.parse((await play(emulator, ["plan", "--json"])).out)).toMatchObject({
      plan: { id: "ENTERPRISE" },
      features: { managed_auth: { enabled: true, maxConnections: 2 } },
      limits: { maxConcurrentBrowsers: 5 },
    });
  });
});
