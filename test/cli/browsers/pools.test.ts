import { shareEmulator } from "../../support/emulator.js";
import { type Play, play } from "../played-terminal.js";

describe("browser-infra pools", () => {
  const emulator = shareEmulator({
    now: () => new Date("2026-11-21T10:00:00Z"),
    seed: {
      browserPools: [{ id: "one", name: "agents", size: 12 }],
      telemetryDestinations: [{ id: "dst_1", name: "logs", endpoint: "https://otlp.example.com" }],
    },
  });
  beforeAll(() => {
    emulator.browserPools.create({
      id: "full",
      name: "evil",
      size: 2,
      profile: { name: emulator.profiles.ensure("shopper\u001b[31m").name ?? "" },
      proxyId: emulator.proxies.create({ id: "prx_1", type: "isp" }).id,
      startUrl: "https://example.com/",
      chromePolicy: { BookmarkBarEnabled: false, ShowHomeButton: true },
      viewport: { width: 1280, height: 800 },
      headless: true,
      telemetry: { enabled: true, destination: { id: "dst_1" }, excludedMethods: ["Page.navigate"] },
      network: {
        allowed_hosts: ["example.com"],
        proxy_routes: [
          {
            hosts: ["bank.example"],
            proxy: { id: emulator.proxies.create({ id: "prx_2", type: "isp" }).id },
          },
        ],
      },
    });
  });

  const pools = (args: string, options?: Play) => play(emulator, ["pools", ...args.split(" ")], options);

  test("pools get shows every setting of a pool, with control characters escaped", async () => {
    const { out } = await pools("get evil");
    const profileId = /PROFILE +shopper\\u001b\[31m \(id ([a-z0-9]{24})\)\n/.exec(out)?.[1] ?? "";
    expect(out.replace(profileId, "<id>")).toBe(
      [
        "ID                         full\n",
        "NAME                       evil\n",
        "SIZE                       2 browsers\n",
        "READY                      1\n",
        "LEASED                     0\n",
        "EXTENSIONS                 not set\n",
        "REGION                     us-east\n",
        "MEMORY                     1GiB\n",
        "ALLOWED HOSTS              example.com\n",
        "PRIVATE HOSTS              not set\n",
        "PROXY ROUTES               bank.example through prx_2\n",
        "PROFILE                    shopper\\u001b[31m (id <id>)\n",
        "REFRESH ON PROFILE UPDATE  yes\n",
        "PROXY                      prx_1\n",
        "POLICIES                   BookmarkBarEnabled, ShowHomeButton\n",
        "VIEWPORT                   1280x800 at 60 Hz\n",
        "HEADLESS                   yes\n",
        "STEALTH                    no\n",
        "KIOSK MODE                 no\n",
        "START URL                  https://example.com/\n",
        "TIMEOUT                    10 min\n",
        "FILL RATE                  25 % in a minute\n",
        "TELEMETRY                  control, connection, system, captcha\n",
        "TELEMETRY EXPORT           dst_1\n",
        "TELEMETRY STORED           yes\n",
        "EXCLUDED METHODS           Page.navigate\n",
        "CREATED                    2026-11-21 10:00:00 UTC\n",
      ].join(""),
    );
  });

  test("pools delete refuses a pool whose browsers are leased", async () => {
    emulator.browserPools.acquire("one");
    const leased = await pools("delete one --yes");
    expect(leased).toMatchObject({ exitCode: 1, out: "" });
    expect(leased.err).toContain("Release the leased browsers");
    expect(emulator.browserPools.list().map(({ id }) => id)).toContain("one");
  });
});
