import { execFileSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { builtFile } from "../../support/built-file.js";
import { compileCache } from "../../support/faster/faster-node.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

/** Runs the executable, because the library for completion prints to the standard output. */
const browserInfra = (...args: readonly string[]) =>
  execFileSync(process.execPath, [builtFile("dist/cli/main.js"), ...args], {
    encoding: "utf8",
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache },
  });

/** Values that the scripts of the shells offer for a line. */
const completed = (...words: readonly string[]) =>
  browserInfra("complete", "--", ...words)
    .split("\n")
    .slice(0, -2)
    .map((line) => line.split("\t", 1)[0]);

describe("browser-infra completion", () => {
  test("completion offers commands, commands of a group, options, and the values of an option", () => {
    expect(completed("pro")).toEqual(["projects", "profiles", "proxies"]);
    expect(completed("projects", "re")).toEqual(["rename"]);
    expect(completed("import", "all", "--la")).toEqual(["--language"]);
    expect(completed("import", "all", "--language", "")).toEqual(["typescript", "yaml"]);
    expect(completed("help", "")).not.toContain("complete");
  });

  test("the printed script for bash completes a line", () => {
    const folder = temporaryFolder();
    symlinkSync(builtFile("dist/cli/main.js"), join(folder, "browser-infra"));
    // Stands for the package bash-completion.
    const words = `_get_comp_words_by_ref() {
      cur="\${COMP_WORDS[COMP_CWORD]}"; words=("\${COMP_WORDS[@]}"); cword=$COMP_CWORD
    }`;
    const typed = 'COMP_WORDS=(browser-infra projects ""); COMP_CWORD=2; __browser_infra_complete';
    const script = `${words}; eval "$(browser-infra completion bash)"; ${typed}; printf "%s\\n" "\${COMPREPLY[@]}"`;
    const env = { PATH: [folder, join(process.execPath, ".."), process.env.PATH].join(":") };
    const offered = execFileSync("bash", ["-c", script], { env, encoding: "utf8", stdio: "pipe" });
    expect(offered.split("\n")).toEqual(expect.arrayContaining(["list", "get", "archive", "delete"]));
  });
});
