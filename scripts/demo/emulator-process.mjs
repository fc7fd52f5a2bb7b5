import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { projectFolder } from "../setup/project.mjs";

/**
 * A running emulator.
 *
 * @typedef {Awaited<ReturnType<typeof startEmulator>>} EmulatorProcess
 */

/**
 * Starts "browser-infra emulator" on a free port and waits until the emulator is ready.
 *
 * @param {string} node path of Node.
 * @param {string} dataFolder
 * @param {{ survivesInterrupt?: boolean }} [options] whether the emulator survives Ctrl-C, which
 *   does not reach a separate process group. Default: false.
 */
export async function startEmulator(node, dataFolder, { survivesInterrupt = false } = {}) {
  const command = join(projectFolder, "dist", "cli", "main.js");
  const options = ["--port=0", "--data", dataFolder, "--quiet", "--json", "--browser"];
  const child = spawn(node, [command, "emulator", ...options], {
    stdio: ["ignore", "pipe", "inherit"],
    detached: survivesInterrupt,
  });
  /** @type {string[]} */
  const [line = ""] = await Promise.race([
    once(createInterface({ input: child.stdout }), "line"),
    once(child, "exit").then(([code]) => {
      throw new Error(`The emulator ended with exit code ${code} before it was ready.`);
    }),
  ]);
  /** @type {{ url: string, apiKeys: [string, ...string[]], pid: number, browser: string | null }} */
  const { url, apiKeys, pid, browser } = JSON.parse(line);
  const [apiKey] = apiKeys;
  return {
    url,
    apiKey,
    pid,
    /** Path of the browser of this machine; null without one. */
    browser,
    /**
     * Sends a request without Pulumi, as a person with a shell would.
     *
     * @param {"GET" | "POST" | "DELETE"} method
     * @param {string} path
     * @param {object} [body]
     * @returns the parsed JSON of the response, undefined when the body is empty.
     */
    async request(method, path, body) {
      const response = await fetch(url + path, {
        method,
        headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
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
