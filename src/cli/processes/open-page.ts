import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Streams } from "../terminal/streams.js";

/** Program that opens an address in the browser, by platform. Default: the program of Linux desktops. */
const openers: { readonly [platform in NodeJS.Platform]?: readonly [program: string, ...args: string[]] } = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/** Opens an address in a browser, or says on standard error that no browser can be opened. */
export async function openPage(address: string, { stderr, env }: Streams): Promise<void> {
  const [program, ...args] = openers[process.platform] ?? ["xdg-open"];
  const child = spawn(program, [...args, address], { env, detached: true, stdio: "ignore" });
  try {
    await once(child, "spawn");
    child.unref();
  } catch {
    stderr.write(`No browser can be opened here: ${program} was not found. Open ${address} yourself.\n`);
  }
}
