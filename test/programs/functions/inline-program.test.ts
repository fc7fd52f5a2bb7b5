import { spawn } from "node:child_process";
import { once } from "node:events";
import { inlineEnvironment } from "../../../src/functions/inline-program.js";

/** Command with the arguments of a deployment, which runs until standard input ends. */
function command(stack: string, settings: NodeJS.ProcessEnv, client = "--client=127.0.0.1:1") {
  const child = spawn(
    process.execPath,
    ["-e", "process.stdin.resume()", "--", "up", client, "--stack", stack],
    {
      env: { ...process.env, ...settings },
      stdio: ["pipe", "ignore", "ignore"],
    },
  );
  return async () => {
    child.stdin.end();
    await once(child, "close");
  };
}

describe("the environment of an inline program", () => {
  test("an inline program gets the environment of the program's command, and only while the command runs", async () => {
    const end = command("shop/program/dev", { BROWSER_INFRA_API_KEY: "sk_of_env_vars" });
    const endOther = command("prod", { BROWSER_INFRA_API_KEY: "sk_of_prod" });
    expect(inlineEnvironment("dev")).toBeDefined();
    // Node 22 does not provide the variable.
    const tells = Number.parseInt(process.versions.node, 10) >= 24;
    const expected = tells ? "sk_of_env_vars" : undefined;
    expect(inlineEnvironment("dev")?.variables?.BROWSER_INFRA_API_KEY).toBe(expected);
    await end();
    expect(inlineEnvironment("dev")).toBeUndefined();
    await endOther();
  });

  test("the environment of an inline program is unknown while two commands for equally named stacks run", async () => {
    const ends = [command("dev", { A: "1" }), command("dev", { A: "2" })];
    expect(inlineEnvironment("dev")).toBeUndefined();
    await Promise.all(ends.map((end) => end()));
  });

  test("the environment of an inline program is unknown if the command could not be started", async () => {
    const child = spawn("/nowhere/pulumi", ["up", "--client=127.0.0.1:1", "--stack", "dev"]);
    await once(child, "error");
    expect(inlineEnvironment("dev")).toBeUndefined();
  });

  test("a child process gets no close listener, because Node warns of many listeners", async () => {
    const child = spawn(process.execPath, ["-e", ""], { stdio: "ignore" });
    expect(child.listenerCount("close")).toBe(0);
    await once(child, "close");
  });

  test("the environment of an inline program is not read from a child process that is no deployment command", async () => {
    const end = command("dev", {}, "--yes");
    expect(inlineEnvironment("dev")).toBeUndefined();
    await end();
  });
});
