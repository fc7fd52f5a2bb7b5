import { readFileSync } from "node:fs";
import { join } from "node:path";
import { useEmulator } from "../../support/emulator.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { play } from "../played-terminal.js";

const token = "ops_correct-horse-battery";

describe("browser-infra credential-providers", () => {
  const emulator = useEmulator({
    now: () => new Date("2026-11-21T10:00:00Z"),
    seed: {
      credentialProviders: [
        { id: "vault", name: "vault", token, priority: 3 },
        { id: "spare", name: "spare", token: "expired", enabled: false },
      ],
      vaultItems: [{ path: "Work/Shop", urls: ["shop.example"] }, { path: "Home/Router" }],
    },
  });

  test("credential-providers test prints the vaults and the items that the token can read", async () => {
    const { exitCode, out, err } = await play(emulator, ["credential-providers", "test", "vault"]);
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: "" });
    expect(out.split("\n")).toEqual([
      'PROVIDER  credential provider "vault" (id vault)',
      "TOKEN     works",
      "VAULTS    Work, Home",
      "ITEMS     Work/Shop, Home/Router",
      "",
    ]);
    const json = await play(emulator, ["credential-providers", "test", "vault", "--json"]);
    expect(JSON.parse(json.out)).toMatchObject({
      id: "vault",
      success: true,
      error: null,
      vaults: [{ name: "Work" }, { name: "Home" }],
      items: [
        { path: "Work/Shop", urls: ["shop.example"] },
        { path: "Home/Router", urls: [] },
      ],
    });
    expect(out + json.out).not.toContain(token);
  });

  test("credential-providers test of a bad token ends with exit code 0, and prints the reason of the service", async () => {
    const { exitCode, out } = await play(emulator, ["credential-providers", "test", "spare"]);
    expect(exitCode).toBe(0);
    expect(out).toContain("TOKEN     does not work\nERROR     The token is not a service account token.\n");
  });

  test("credential-providers rename changes the name, and refuses outer whitespace before any request", async () => {
    const renamed = await play(emulator, ["credential-providers", "rename", "vault", "safe"]);
    expect(renamed.out).toBe('Renamed credential provider vault from "vault" to "safe".\n');
    expect(emulator.credentialProviders.list().map(({ name }) => name)).toContain("safe");
    const sent = emulator.requests.length;
    expect(await play(emulator, ["credential-providers", "rename", "vault", " x"])).toMatchObject({
      exitCode: 2,
    });
    expect(emulator.requests).toHaveLength(sent);
  });

  test("import credential-providers writes the settings without the token, and prints that the program must declare the token", async () => {
    const output = join(temporaryFolder(), "import.json");
    const args = ["import", "credential-providers", "vault", "--output", output];
    const { exitCode, out, err } = await play(emulator, args);
    expect(exitCode).toBe(0);
    expect(out).toContain(
      'Then add to your program, each with its token:\n\n  new CredentialProvider("vault", { enabled: true, priority: 3, name: "vault", tokenFromEnv: "…" });\n',
    );
    expect(err).toContain('The first "pulumi up" sends the token that the program declares.');
    expect(readFileSync(output, "utf8")).not.toContain(token);
  });
});
