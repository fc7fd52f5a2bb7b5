import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";

const root = resolve(__dirname, "../../..");

/** A story deploys up to six times in a row, and a busy machine is slow. Milliseconds. */
const storyMsMax = 300_000;

describe("npm run demo", () => {
  test(
    "npm run demo shows the whole story: create, unchanged, edit, drift, repair, destroy, no orphans",
    async () => {
      const { stdout } = await promisify(execFile)(process.execPath, ["scripts/demo.mjs"], { cwd: root });
      const steps = stdout.split(/^== /m);
      expect(steps).toHaveLength(8);
      const [, create, unchanged, edit, drift, repair, destroy, left] = steps;
      expect(create).toMatch(/Extension page-reader create/);
      expect(unchanged).toContain("2 unchanged");
      expect(edit).toMatch(/content\.js/);
      expect(edit).toMatch(/checksum\s*: "[0-9a-f]{64}" => "[0-9a-f]{64}"/);
      expect(drift).toContain("Exit code 7");
      expect(repair).toContain("1 created");
      expect(destroy).toContain("2 deleted");
      expect(left).toContain("In the service: 0 extensions. In the stack: 0 resources.");
    },
    storyMsMax,
  );

  test(
    "npm run demo with --login waits until a person has logged in at the printed address, and cleans up",
    async () => {
      const demo = promisify(execFile)(process.execPath, ["scripts/demo.mjs", "--login"], { cwd: root });
      let shown = "";
      let answered: Promise<void> | undefined;
      demo.child.stdout?.on("data", (text: string) => {
        shown += text;
        const [, address] = /open (http\S+\/login\/\S+) - /.exec(shown) ?? [];
        if (address !== undefined) {
          answered ??= logIn(address);
        }
      });
      const { stdout } = await demo;
      await answered;
      const steps = stdout.split(/^== /m);
      expect(steps).toHaveLength(5);
      const [, , deploy, after, destroy] = steps;
      expect(deploy).toMatch(/waiting for "Email or username", "Password"/);
      expect(deploy).toMatch(/Extension order-reader created/);
      expect(after).toContain("1 extension, created after the login; the profile is AUTHENTICATED.");
      expect(destroy).toContain("In the service: 0 extensions. In the stack: 0 resources.");
    },
    storyMsMax,
  );

  test("npm run demo refuses an unknown argument by name", async () => {
    const demo = promisify(execFile)(process.execPath, ["scripts/demo.mjs", "--log-in"], { cwd: root });
    await expect(demo).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('"--log-in"') });
  });
});

/** Logs in like the page at the address: exchanges the code, and submits the form, if any. */
async function logIn(address: string): Promise<void> {
  const { origin, pathname, searchParams } = new URL(address);
  const operations = `${origin}/auth/connections/${pathname.split("/").at(-1)}`;
  const call = async (path: string, token: string | undefined, body?: unknown) => {
    const response = await fetch(operations + path, {
      method: body === undefined ? "GET" : "POST",
      headers: {
        "content-type": "application/json",
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return (await response.json()) as { jwt: string; flow_step: string };
  };
  const { jwt } = await call("/exchange", undefined, { code: searchParams.get("code") });
  while ((await call("", jwt)).flow_step !== "AWAITING_INPUT") {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await call("/submit", jwt, { field_values: { username: "ada", password: "any" } });
}
