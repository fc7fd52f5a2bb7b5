import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";
import { temporaryFolder } from "../support/temporary-folder.js";

const schema = resolve(__dirname, "../../schema.json");

describe("schema.json", () => {
  test("passes the check of the Pulumi CLI, which has nothing to say about it", () => {
    const home = temporaryFolder();
    const { status, stdout, stderr } = spawnSync("pulumi", ["schema", "check", schema], {
      cwd: home,
      env: {
        PATH: process.env.PATH,
        HOME: home,
        PULUMI_HOME: join(home, ".pulumi"),
        PULUMI_SKIP_UPDATE_CHECK: "true",
      },
      encoding: "utf8",
    });
    expect([status, stdout, stderr]).toEqual([0, "", ""]);
  });
});
