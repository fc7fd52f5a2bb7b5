import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";

const root = resolve(__dirname, "../..");

describe("npm run demo", () => {
  it("tells the whole story: create, unchanged, edit, drift, repair, destroy, nothing left", async () => {
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
  });
});
