import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { LocalError } from "../../errors.js";
import { oneLine } from "../../text/escape.js";
import { messageOf } from "../../text/words.js";

/** Longest time for the start of the browser and all responses, in milliseconds. */
const browserMsMax = 60_000;

/** Longest wait for a closing browser, in milliseconds. The browser is killed afterwards. */
const closeMsMax = 3_000;

/** Longest quotation of a browser's message, in characters. */
const messageCharactersMax = 1_000;

export interface LoadResult {
  /** Name and version of the browser, such as `Chrome/156.0.8078.108`. */
  readonly browser: string;
  /** Why the browser does not load the extension; null if it does. */
  readonly problem: string | null;
  /** Parts that the browser ignores, in its own words; empty without a warning. */
  readonly warnings: readonly string[];
}

/** Loads a folder, which Chromium may change. Throws `LocalError` `browser_unusable`. */
export async function loadInChromium(
  executable: string,
  folder: string,
  signal: AbortSignal,
): Promise<LoadResult> {
  const profile = mkdtempSync(join(tmpdir(), "browser-infra-profile-"));
  const child = spawn(
    executable,
    [
      "--headless=new",
      "--remote-debugging-pipe",
      "--enable-unsafe-extension-debugging",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-gpu",
      "--disable-sync",
      "--no-first-run",
      // The sandbox does not work for root, the user in most containers.
      ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
      `--user-data-dir=${profile}`,
      "about:blank",
    ],
    { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"], env: environmentWith(profile) },
  );
  const browser = new DevTools(child);
  const limit = AbortSignal.any([signal, AbortSignal.timeout(browserMsMax)]);
  try {
    const { product } = await browser.call("Browser.getVersion", {}, limit);
    try {
      // A browser may hide the page: the verdict then comes without warnings.
      const page = await extensionsPage(browser, limit).catch(() => undefined);
      const { id } = await browser.call("Extensions.loadUnpacked", { path: folder }, limit);
      return { browser: String(product), problem: null, warnings: await warningsOf(String(id), page) };
    } catch (error) {
      if (!(error instanceof BrowserError)) {
        throw error;
      }
      // The folder is temporary, so the path means nothing to the reader.
      const text = error.message.replaceAll(`${folder}/`, "").replaceAll(folder, ".");
      return { browser: String(product), problem: oneLine(text, messageCharactersMax), warnings: [] };
    }
  } catch (error) {
    signal.throwIfAborted();
    throw new LocalError(
      "browser_unusable",
      `The check in the browser ${executable} failed: ${oneLine(messageOf(error), messageCharactersMax)}. ` +
        "Choose a different Chromium or Chrome with --browser.",
      { cause: error },
    );
  } finally {
    await browser.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Evaluates an expression in a page, and returns the value. */
type Evaluate = (expression: string) => Promise<unknown>;

/**
 * Opens Chromium's page of extensions, the only place that shows warnings, and only in developer mode.
 * The page has no published interface: without the expected functions, no warning is shown.
 */
async function extensionsPage(browser: DevTools, signal: AbortSignal): Promise<Evaluate> {
  const { targetId } = await browser.call("Target.createTarget", { url: "chrome://extensions" }, signal);
  const session = await browser.call("Target.attachToTarget", { targetId, flatten: true }, signal);
  const evaluate: Evaluate = async (expression) => {
    const params = { expression, awaitPromise: true, returnByValue: true };
    const { result } = await browser.call("Runtime.evaluate", params, signal, String(session.sessionId));
    return (result as { readonly value?: unknown } | undefined)?.value;
  };
  await evaluate(
    'new Promise((loaded) => document.readyState === "complete" ? loaded() : addEventListener("load", loaded))',
  );
  await evaluate("chrome.developerPrivate?.updateProfileConfiguration({ inDeveloperMode: true })");
  return evaluate;
}

/** Warnings of the page of extensions about the manifest of a loaded extension. */
async function warningsOf(id: string, evaluate: Evaluate | undefined): Promise<readonly string[]> {
  const found = await evaluate?.(
    `chrome.developerPrivate?.getExtensionInfo(${JSON.stringify(id)}).then(({ manifestErrors }) => manifestErrors.map(({ message }) => message))`,
  );
  return Array.isArray(found) ? found.map((text) => oneLine(String(text), messageCharactersMax)) : [];
}

/**
 * Environment of the browser: nothing of the user's but PATH, because the extension is foreign code and
 * the user's variables have keys. Packages start Chromium by a script, which needs PATH. HOME and the
 * folder for temporary files are the profile, so that the user's home stays unread. No display: the
 * browser has no window.
 */
function environmentWith(profile: string): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, HOME: profile, TMPDIR: profile };
}

class BrowserError extends Error {}

interface PendingCall {
  readonly resolve: (result: Record<string, unknown>) => void;
  readonly reject: (error: Error) => void;
}

/** DevTools protocol over two pipes: JSON messages, terminated by zero bytes. */
class DevTools {
  readonly #child: ChildProcess;
  readonly #pendingCalls = new Map<number, PendingCall>();
  readonly #ended: Promise<Error>;
  #calls = 0;
  #received = "";

  constructor(child: ChildProcess) {
    this.#child = child;
    this.#ended = new Promise((resolve) => {
      child.once("error", resolve);
      child.once("exit", (code, signal) => resolve(new Error(`it ended with ${code ?? signal}`)));
    });
    const [, , , , answers] = child.stdio as (Readable | null)[];
    answers?.setEncoding("utf8").on("data", (text: string) => this.#receive(text));
    // Ignored: the end of the browser explains more than the end of the pipes.
    for (const stream of child.stdio) {
      stream?.on("error", () => {});
    }
  }

  async call(
    method: string,
    params: object,
    signal: AbortSignal,
    sessionId?: string,
  ): Promise<Record<string, unknown>> {
    signal.throwIfAborted();
    this.#calls += 1;
    const id = this.#calls;
    const answer = new Promise<Record<string, unknown>>((resolve, reject) => {
      this.#pendingCalls.set(id, { resolve, reject });
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      this.#ended.then(reject, reject);
    });
    (this.#child.stdio[3] as Writable).write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    return answer;
  }

  /** Closes the browser and waits: a killed browser writes into the profile for a moment longer. */
  async close(): Promise<void> {
    const kill = setTimeout(() => this.#child.kill("SIGKILL"), closeMsMax);
    this.call("Browser.close", {}, AbortSignal.timeout(closeMsMax)).catch(() => undefined);
    await this.#ended;
    clearTimeout(kill);
  }

  #receive(text: string): void {
    const messages = (this.#received + text).split("\0");
    this.#received = messages.pop() ?? "";
    for (const message of messages) {
      const { id, result, error } = JSON.parse(message);
      const waiting = this.#pendingCalls.get(id);
      this.#pendingCalls.delete(id);
      if (error === undefined) {
        waiting?.resolve(result ?? {});
      } else if (/wasn't found/.test(error.message)) {
        waiting?.reject(new Error(`it is too old or was built without extensions (${error.message})`));
      } else {
        waiting?.reject(new BrowserError(error.message));
      }
    }
  }
}
