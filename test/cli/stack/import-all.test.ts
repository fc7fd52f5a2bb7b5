import { readFileSync } from "node:fs";
import { join } from "node:path";
import { useEmulator } from "../../support/emulator.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { createWholeProject } from "../../support/whole-project.js";
import { play } from "../played-terminal.js";

test("x", async () => {});
describe("browser-infra import all", () => {
  const emulator = useEmulator();
  test.each(["typescript", "yaml"])("plays %s", async (language) => {
    const projectId = await createWholeProject(emulator);
    const cwd = temporaryFolder();
    const p = await play(emulator, ["import", "all", "--project", projectId, "--language", language], {
      cwd,
    });
    console.log(p.exitCode, p.out, p.err);
    console.log(readFileSync(join(cwd, language === "yaml" ? "imported.yaml" : "imported.ts"), "utf8"));
  });
});
