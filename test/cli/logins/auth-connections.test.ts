import { useEmulator } from "../../support/emulator.js";
import { type Play, play } from "../played-terminal.js";

const now = new Date("2026-11-21T10:00:00Z");

describe("browser-infra auth-connections", () => {
  const emulator = useEmulator({
    now: () => now,
    seed: {
      authConnections: [{ id: "shop", domain: "shop.example", profileName: "buyer", startLogin: true }],
    },
  });

  test("neither list nor get shows an address of a login", async () => {
    const login = emulator.authConnections.get("shop").login;
    for (const args of [["list"], ["list", "--json"], ["get", "shop"], ["get", "shop", "--json"]]) {
      const { out } = await play(emulator, ["auth-connections", ...args], { terminal: 200 });
      expect(out).toContain("shop");
      expect(out).not.toMatch(/hostedUrl|liveViewUrl/);
      expect(out).not.toContain(login?.handoffCode ?? "?");
    }
  });
});

describe("browser-infra login start", () => {
  const emulator = useEmulator({
    now: () => now,
    seed: { authConnections: [{ id: "shop", domain: "shop.example", profileName: "buyer" }] },
  });

  const start = (args: readonly string[] = [], options?: Play) =>
    play(emulator, ["login", "start", "shop", ...args], options);
  const addressOf = () => emulator.authConnections.get("shop").login?.hostedUrl ?? "";

  test("login start starts a login, and prints the address only in a terminal or with --show-addresses", async () => {
    const { exitCode, out, err } = await start();
    expect(exitCode).toBe(0);
    expect(out).toMatch(
      /^CONNECTION {2}shop\nTYPE {8}LOGIN\nEXPIRES {5}2026-11-21 10:\d\d:\d\d UTC\nADDRESS {5}shown only in a terminal, or with --show-addresses\n$/,
    );
    expect(err).toBe("To watch it, run: npx browser-infra login follow shop\n");
    expect(emulator.authConnections.get("shop").login).toMatchObject({ status: "IN_PROGRESS" });
    expect(emulator.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "POST /auth/connections/shop/login",
    ]);
    emulator.authConnections.endLogin("shop", { status: "CANCELED" });
    expect((await start([], { terminal: 200 })).out).toContain(addressOf());
    emulator.authConnections.endLogin("shop", { status: "CANCELED" });
    expect((await start(["--show-addresses"])).out).toContain(`ADDRESS     ${addressOf()}\n`);
  });

  test("login start --json prints the login, with addresses only with --show-addresses", async () => {
    const { out, err } = await start(["--json"], { terminal: 80 });
    expect([JSON.parse(out), err]).toEqual([
      { id: "shop", flowType: "LOGIN", flowExpiresAt: expect.stringMatching(/^2026-11-21T10:/) },
      "",
    ]);
    emulator.authConnections.endLogin("shop", { status: "CANCELED" });
    const shown = await start(["--json", "--show-addresses"]);
    expect(JSON.parse(shown.out)).toMatchObject({ id: "shop", hostedUrl: addressOf() });
  });

  test("login start is refused while a login is in progress, and names the remedy", async () => {
    await start();
    const { exitCode, out, err } = await start();
    expect([exitCode, out]).toEqual([1, ""]);
    expect(err).toContain('Starting a login of the auth connection "shop" failed: 409 conflict');
    expect(err).toContain("Follow the login in progress, or start a new login after the end.");
  });

  test("login start ends with exit code 5 when the response is lost, and sends the request only once", async () => {
    emulator.faults.add({ method: "POST", at: "after-commit", action: "reset" });
    const { exitCode, err } = await start();
    expect([exitCode, emulator.requests.length]).toEqual([5, 1]);
    expect(err).toContain("Read the auth connection to see whether a login is in progress.");
  });

  test("login start ends with exit code 3 for an auth connection that does not exist", async () => {
    expect(await play(emulator, ["login", "start", "none"])).toMatchObject({ exitCode: 3, out: "" });
  });
});
