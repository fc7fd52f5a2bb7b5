import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { BrowserInfraClient } from "../../../src/client/index.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { holdPort } from "../emulator/held-port.js";
import { startCommand } from "../started-command.js";

const root = resolve(__dirname, "../../..");

/** Replacement for npm: only links the package. */
const npm = `mkdir -p node_modules && ln -s ${root} node_modules/pulumi-browser-infra`;

/**
 * Starts `init shop --up` with programs of this test instead of npm and Pulumi. Both record their
 * arguments. `up`: sh commands of `pulumi up`.
 */
function startInit(what: string, up: string, language = "yaml") {
  const folder = temporaryFolder();
  const bin = join(folder, "bin");
  mkdirSync(bin);
  const pulumi = `echo "$*" >> ../calls; case $1 in up) ${up};; esac`;
  for (const [name, script] of Object.entries({ npm, pulumi, go: ":" })) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  const started = startCommand(["init", "shop", "--language", language, "--declare", what, "--up"], {
    cwd: folder,
    env: {
      PATH: [bin, "/usr/bin", "/bin"].join(delimiter),
      KERNEL_PROJECT: "elsewhere",
      PULUMI_STACK: "other",
    },
  });
  const read = (path: string) => readFileSync(join(folder, path), "utf8");
  const client = () => {
    const setting = (name: string) => new RegExp(`\\b${name}=(\\S+)`).exec(read("shop/local.env.sh"))?.[1];
    const baseUrl = setting("BROWSER_INFRA_BASE_URL") ?? "";
    return new BrowserInfraClient({ baseUrl, apiKey: setting("BROWSER_INFRA_API_KEY") ?? "" });
  };
  const mode = (path: string) => statSync(join(folder, path)).mode & 0o777;
  return { ...started, read, mode, client };
}

/** Whether an emulator responds. Closes the client. */
const answers = (client: BrowserInfraClient): Promise<boolean> =>
  client.projects
    .list()
    .then(() => true)
    .catch(() => false)
    .finally(() => client.close());

describe("browser-infra init --up", () => {
  test("init --up deploys with the commands of the README, at a free port if 4010 is taken, and prints the next steps", async () => {
    const holder = await holdPort(4010);
    const { ended, read, mode, client } = startInit("login", "env > ../environment");
    const { exitCode, out, err } = await ended;
    expect(`${exitCode} ${err}`).toMatch(/^0 /);
    holder.release();
    const [, pid] = /^ {2}kill (\d+) /m.exec(out) ?? [];
    try {
      expect(out).toMatch(/^Deployed to the emulator at http:..127.0.0.1:(?!4010)\d+$/m);
      expect(read("calls")).toBe("stack init dev\nconfig set connectionId shop\nup --yes\n");
      const environment = read("environment");
      expect(environment).toContain("PULUMI_BACKEND_URL=file://.\n");
      // Not of a real service.
      expect(environment).toContain("KERNEL_PROJECT=\n");
      expect(environment).toContain("PULUMI_STACK=dev\n");
      // The file has the key.
      expect(mode("shop/local.env.sh")).toBe(0o600);
      expect(mode("shop/emulator.log")).toBe(0o600);
      expect(out).toContain("  cd shop\n  . ./local.env.sh ");
      const widths = [...out.split("\n"), ...err.split("\n")].map(({ length }) => length);
      expect(Math.max(...widths)).toBeLessThanOrEqual(80);
      // Nobody could log in at a page.
      expect(err).toContain("Without a terminal, the emulator logs in by itself.");
      expect(await answers(client())).toBe(true);
    } finally {
      process.kill(Number(pid));
    }
  });

  test("init --up starts the login that the program of a whole environment waits for, and nobody has to log in", async () => {
    const declared = `
      const { BrowserInfraClient } = require(${JSON.stringify(join(root, "dist/client/index.js"))});
      const { BROWSER_INFRA_API_KEY: apiKey, BROWSER_INFRA_BASE_URL: baseUrl } = process.env;
      (async () => {
        const client = new BrowserInfraClient({ apiKey, baseUrl });
        const { authConnections } = client.inProject((await client.projects.create("agents")).id);
        const { id } = await authConnections.create({ domain: "shop.example", profileName: "buyer" });
        while ((await authConnections.get(id)).status !== "AUTHENTICATED") {
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
        await client.close();
      })();`;
    const { ended } = startInit("environment", `${process.execPath} -e '${declared}'`);
    const { exitCode, out, err } = await ended;
    expect(`${exitCode} ${err}`).toMatch(/^0 /);
    process.kill(Number(/^ {2}kill (\d+) /m.exec(out)?.[1]));
  });

  test.each(["go", "yaml"])(
    "init --up in %s says how long a first build takes, if Go builds",
    async (language) => {
      const { ended } = startInit("extension", ":", language);
      const { exitCode, out, err } = await ended;
      process.kill(Number(/^ {2}kill (\d+) /m.exec(out)?.[1]));
      expect([exitCode, err.includes("usually about three minutes")]).toEqual([0, language === "go"]);
    },
  );

  test("Ctrl+C during init --up lets Pulumi end in order while the emulator still answers", async () => {
    const asks = `process.on("SIGINT", async () => {
      const { status } = await fetch(process.env.BROWSER_INFRA_BASE_URL);
      require("node:fs").writeFileSync("../answered", String(status));
      process.exit(1);
    });
    process.kill(process.ppid, "SIGINT");
    setInterval(() => {}, 1000);`;
    const { ended, read } = startInit("extension", `exec ${process.execPath} -e '${asks}'`);
    expect((await ended).exitCode).toBe(130);
    expect(read("answered")).toBe("200");
  });

  test("init --up reports the failed command even if the emulator has ended before", async () => {
    const find = `ps -A -o pid= -o ppid= -o args= | awk "\\$2 == $PPID && / emulator / {print \\$1}"`;
    const up = `pid=$(${find}); kill $pid; while kill -0 $pid; do sleep 0.05; done 2> /dev/null; exit 3`;
    const { ended, client } = startInit("extension", up);
    const { exitCode, err } = await ended;
    expect([exitCode, err]).toEqual([
      1,
      expect.stringContaining('"pulumi up --yes" failed with exit code 3.'),
    ]);
    expect(await answers(client())).toBe(false);
  });

  test.each([
    ["pulumi up fails", "exit 3", 1, '"pulumi up --yes" failed with exit code 3.'],
    ["Ctrl+C ends it", "kill -INT $PPID; exec sleep 60", 130, "The program was not deployed."],
  ])(
    "init --up stops the emulator when %s, keeps the files, and prints how to continue",
    async (_what, up, code, why) => {
      const { ended, client } = startInit("extension", up);
      const { exitCode, err } = await ended;
      expect([exitCode, err]).toEqual([code, expect.stringContaining(why)]);
      expect(err).toContain('The program is in "shop". To continue, read local.env.sh there.');
      expect(await answers(client())).toBe(false);
    },
  );
});
