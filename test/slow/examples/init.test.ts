import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newcomersEnvironment } from "../../support/stacks/first-steps.js";
import { programsFolder } from "../../support/stacks/install-package.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

describe("browser-infra init, with the packed package in an empty folder and an empty home", () => {
  const folder = temporaryFolder();
  const home = join(folder, "home");
  const start = join(folder, "start");
  const program = join(start, "demo");
  const run = (script: string, cwd: string) =>
    execFileSync("bash", ["-ec", script], {
      cwd,
      env: newcomersEnvironment(home),
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  beforeAll(() => {
    mkdirSync(home);
    mkdirSync(start);
    run(`npm install ${programsFolder}/package.tgz`, start);
  });

  test("init --up of the packed package deploys a stack without a login by a person, and the stack can be destroyed", () => {
    const printed = run("npx browser-infra init demo --language yaml --declare environment --up", start);
    try {
      expect(printed).toContain("Deployed to the emulator at http://127.0.0.1:");
      const settings = ". ./local.env.sh";
      const outputs = run(`${settings}; pulumi stack output --json`, program);
      expect(JSON.parse(outputs)).toMatchObject({ loginStatus: "SUCCESS", agentKey: "[secret]" });
      run(`${settings}; pulumi preview --expect-no-changes; pulumi destroy --yes`, program);
    } finally {
      process.kill(Number(/^ {2}kill (\d+) /m.exec(printed)?.[1]));
    }
  });

  test("a program of init depends on the installed package file, or on the version of a published package", () => {
    const dependency = (name: string) => {
      run(`npx browser-infra init ${name} --language go --declare extension`, start);
      const { dependencies } = JSON.parse(readFileSync(join(start, name, "package.json"), "utf8"));
      return dependencies["pulumi-browser-infra"];
    };
    expect(dependency("from-file")).toBe(`file:${programsFolder}/package.tgz`);
    const lock = join(start, "node_modules/.package-lock.json");
    const published = "https://registry.example.com/pulumi-browser-infra-0.1.0.tgz";
    writeFileSync(
      lock,
      readFileSync(lock, "utf8").replace(/"resolved": "file:[^"]*package.tgz"/, `"resolved": "${published}"`),
    );
    expect(dependency("published")).toBe("^0.1.0");
  });
});
