import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** Starts "browser-infra emulator" on a free port and waits until it serves. */
export async function startEmulator(node, command, dataFolder) {
  const child = spawn(node, [command, "emulator", "--port", "0", "--data", dataFolder, "--json"], {
    stdio: ["ignore", "pipe", "inherit"],
    // A group of its own: it has to outlive this script where the person wants to go on, and Ctrl-C is meant for Pulumi.
    detached: true,
  });
  const [line] = await Promise.race([
    once(createInterface({ input: child.stdout }), "line"),
    once(child, "exit").then(([code]) => {
      throw new Error(`The emulator ended with exit code ${code} before it served.`);
    }),
  ]);
  const { url, apiKeys, pid } = JSON.parse(line);
  return {
    url,
    apiKeys,
    pid,
    /** A request past Pulumi, as somebody with a shell would send it. What it answers as JSON, undefined for an empty answer. */
    async request(method, path, body) {
      const response = await fetch(url + path, {
        method,
        headers: { authorization: `Bearer ${apiKeys[0]}`, "content-type": "application/json" },
        ...(body && { body: JSON.stringify(body) }),
      });
      if (!response.ok) {
        throw new Error(`${method} ${path} answered ${response.status}.`);
      }
      const text = await response.text();
      return text === "" ? undefined : JSON.parse(text);
    },
    leaveRunning() {
      child.stdout.destroy();
      child.unref();
    },
    async stop() {
      if (child.exitCode === null) {
        child.kill("SIGTERM");
        await once(child, "exit");
      }
    },
  };
}
