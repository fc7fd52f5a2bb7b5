import { setTimeout as sleep } from "node:timers/promises";
import { oneLine } from "../text/escape.js";
import { durationText, messageOf } from "../text/words.js";
import { BrowserError, MethodMissing } from "./devtools.js";
import { afterLoad, type RunningChromium, withChromium } from "./extensions.js";
import { type UncaughtError, watchTargets } from "./targets.js";

/** Longest time for the start of the browser and all responses, in milliseconds. */
const browserMsMax = 60_000;

/** Longest time for pages and worker, in milliseconds. With the start of the browser, less than 10 s. */
const runMsMax = 7_000;

/** Longest time for the answer of a real page, in milliseconds. A page of ours needs the rest. */
const answerMsMax = 4_000;

/** Time for late errors, after the load of a page and after the start of a worker, in milliseconds. */
const lateMs = 1_000;

/** Longest answer of a running worker, in milliseconds. */
const workerAnswerMsMax = lateMs + 1_000;

/** Time between two looks at a worker that has not started, in milliseconds. */
const lookMs = 200;

/** Longest text of an error, in characters. */
const errorCharactersMax = 300;

/** Chromium's words about a worker that it does not register: a warning like those of the manifest. */
const workerRefused = /^Service worker registration failed/;

/** Page of ours. With an icon, so that Chromium does not ask the network for one. */
const madePage = "<!doctype html><link rel=icon href=data:,><title>Page of the check</title><p>";

/** Parts of an extension that the check runs. */
export interface RunPlan {
  /** Addresses of pages. */
  readonly pages: readonly string[];
  /** Whether the pages are loaded from their addresses. Otherwise, pages of ours answer. */
  readonly isReal: boolean;
  readonly hasWorker: boolean;
}

export interface PageRun {
  /** Address, after redirects. */
  readonly url: string;
  /** Whether a page of ours was in the place of the real one. */
  readonly isMade: boolean;
  /** Why the real page was not loaded, or not completely; null if it was. */
  readonly problem: string | null;
  /** Paths of the extension's scripts that ran, below the extension. */
  readonly scripts: readonly string[];
  /** Number of style sheets of extensions. The browser does not tell which. */
  readonly styleCount: number;
}

export interface ExtensionRun {
  readonly pages: readonly PageRun[];
  /** Null for an extension without a worker. */
  readonly worker: { readonly started: boolean; readonly problem: string | null } | null;
  readonly errors: readonly { readonly file: string; readonly line: number; readonly message: string }[];
}

export interface LoadResult {
  /** Name and version of the browser, such as `Chrome/156.0.8078.108`. */
  readonly browser: string;
  /** Why the browser does not load the extension; null if it does. */
  readonly problem: string | null;
  /** Parts that the browser ignores, in its own words; empty without a warning. */
  readonly warnings: readonly string[];
  /** Undefined without a plan or a loaded extension; a text says why the browser cannot run the plan. */
  readonly run: ExtensionRun | string | undefined;
}

/**
 * Loads a folder, which Chromium may change, and runs the extension if there is a plan. Throws
 * `LocalError` `browser_unusable`.
 */
export function checkInChromium(
  executable: string,
  folder: string,
  plan: RunPlan | undefined,
  signal: AbortSignal,
): Promise<LoadResult> {
  return withChromium(executable, browserMsMax, signal, (chromium) =>
    checkIn(chromium, folder, plan, signal),
  );
}

/** Checks a folder in a running browser, and leaves the extension there. */
export async function checkIn(
  chromium: RunningChromium,
  folder: string,
  plan: RunPlan | undefined,
  signal: AbortSignal,
): Promise<LoadResult & { readonly id: string | undefined }> {
  const seen = new Sightings();
  const unseen = plan && (await seen.watch(chromium, signal).catch(methodMissing));
  const loaded = await chromium.load(folder);
  const browser = chromium.product;
  if (typeof loaded === "string") {
    return { browser, problem: loaded, warnings: [], run: undefined, id: undefined };
  }
  const { id } = loaded;
  const run = plan && (unseen ?? (await runPlan(chromium, id, plan, seen).catch(methodMissing)));
  const warnings = (await chromium.manifestWarnings(id)).filter((each) => !workerRefused.test(each));
  return { browser, problem: null, warnings, run, id };
}

function methodMissing(error: unknown): string {
  if (error instanceof MethodMissing) {
    return messageOf(error);
  }
  throw error;
}

/** Events of the pages and workers of a browser. */
class Sightings {
  /** Sessions of pages by id, and of workers by the host of the address. */
  readonly sessions = new Map<string, string>();
  readonly scripts: { readonly session: string | undefined; readonly url: string }[] = [];
  /** Sessions of pages, once for each style sheet of an extension. */
  readonly styles: (string | undefined)[] = [];
  readonly errors: UncaughtError[] = [];

  watch({ devtools, call }: RunningChromium, signal: AbortSignal): Promise<void> {
    const body = Buffer.from(madePage).toString("base64");
    const responseHeaders = [{ name: "Content-Type", value: "text/html" }];
    const watcher = {
      prepare: ({ session, id, type, url }: { session: string; id: string; type: string; url: string }) => {
        this.sessions.set(type === "service_worker" ? new URL(url).host : id, session);
        return undefined;
      },
      fail: (error: UncaughtError) => this.errors.push(error),
      note: (method: string, params: Record<string, unknown>, session: string | undefined) => {
        if (method === "Debugger.scriptParsed") {
          this.scripts.push({ session, url: String(params.url) });
        } else if (method === "CSS.styleSheetAdded") {
          const { origin } = params.header as { readonly origin: string };
          this.styles.push(...(origin === "injected" ? [session] : []));
        } else if (method === "Fetch.requestPaused") {
          const answer = { requestId: params.requestId, responseCode: 200, responseHeaders, body };
          call("Fetch.fulfillRequest", answer, session).catch(() => undefined);
        }
      },
    };
    return watchTargets(devtools, watcher, signal);
  }
}

async function runPlan(
  chromium: RunningChromium,
  id: string,
  plan: RunPlan,
  seen: Sightings,
): Promise<ExtensionRun> {
  const limit = AbortSignal.timeout(runMsMax);
  const [worker, ...opened] = await Promise.all([
    plan.hasWorker ? runWorker(chromium, id, seen, limit) : null,
    ...plan.pages.map((address) => openPage(chromium, address, plan.isReal, seen, limit)),
  ]);
  const root = `chrome-extension://${id}/`;
  const fileOf = (url: string) => decodeURIComponent(new URL(url).pathname.slice(1));
  const { targetInfos } = await chromium.call("Target.getTargets", {});
  const targets = targetInfos as readonly { readonly targetId: string; readonly url: string }[];
  const pages = opened.map(({ targetId, session, ...page }) => {
    const scripts = seen.scripts.filter((each) => each.session === session && each.url.startsWith(root));
    return {
      url: targets.find((target) => target.targetId === targetId)?.url ?? "about:blank",
      ...page,
      scripts: [...new Set(scripts.map(({ url }) => fileOf(url)))],
      styleCount: seen.styles.filter((each) => each === session).length,
    };
  });
  const errors = seen.errors
    .filter(({ source }) => source.startsWith(root))
    .map(({ source, line, text }) => {
      const [first = ""] = text.split("\n");
      return { file: fileOf(source), line, message: oneLine(first, errorCharactersMax) };
    });
  return { pages, worker, errors: [...new Map(errors.map((each) => [JSON.stringify(each), each])).values()] };
}

/** Opens a page and waits for the load, and for a while after that. */
async function openPage(
  { call }: RunningChromium,
  address: string,
  isReal: boolean,
  seen: Sightings,
  limit: AbortSignal,
) {
  const { targetId } = await call("Target.createTarget", { url: "about:blank" });
  const session = seen.sessions.get(String(targetId));
  for (const method of ["Debugger.enable", "DOM.enable", "CSS.enable"]) {
    await call(method, {}, session);
  }
  // A script with `debugger` would wait for ever.
  await call("Debugger.setSkipAllPauses", { skip: true }, session);
  const navigate = (signal: AbortSignal) => call("Page.navigate", { url: address }, session, signal);
  const page = { targetId, session };
  const unreached = isReal
    ? await navigate(AbortSignal.timeout(answerMsMax)).then(
        ({ errorText }) => errorText && `cannot be reached: ${errorText}`,
        timedOut(`did not respond within ${durationText(answerMsMax)}`),
      )
    : undefined;
  const isMade = !isReal || unreached !== undefined;
  const load = async () => {
    if (isMade) {
      await call("Fetch.enable", { patterns: [{ resourceType: "Document" }] }, session);
      await navigate(limit);
    }
    const expression = `${afterLoad}.then(() => new Promise((done) => setTimeout(done, ${lateMs})))`;
    // Again where the page has gone on to another address meanwhile.
    for (let attempts = 0; attempts < 5; attempts += 1) {
      try {
        return void (await call("Runtime.evaluate", { expression, awaitPromise: true }, session, limit));
      } catch (error) {
        if (!(error instanceof BrowserError)) {
          throw error;
        }
      }
    }
  };
  const slow = await load().then(() => undefined, timedOut("did not finish loading in time"));
  return { ...page, isMade, problem: [unreached, slow].filter(Boolean).join("; ") || null };
}

/** Handler of a rejection that returns `text` for the end of a time limit. */
function timedOut(text: string): (error: unknown) => string {
  return (error) => {
    if (error instanceof DOMException && error.name === "TimeoutError") {
      return text;
    }
    throw error;
  };
}

/** Waits until the worker is active, and for a while after that, or until Chromium refuses it. */
async function runWorker(
  chromium: RunningChromium,
  id: string,
  seen: Sightings,
  limit: AbortSignal,
): Promise<{ started: boolean; problem: string | null }> {
  const expression = `serviceWorker.state === "activated" && new Promise((done) => setTimeout(done, ${lateMs}, true))`;
  const params = { expression, awaitPromise: true, returnByValue: true };
  while (!limit.aborted) {
    const session = seen.sessions.get(id);
    // A worker that ends leaves the call without an answer.
    const answer =
      session &&
      (await chromium
        .call("Runtime.evaluate", params, session, AbortSignal.timeout(workerAnswerMsMax))
        .catch(() => undefined));
    if (answer && (answer.result as { readonly value?: unknown }).value === true) {
      return { started: true, problem: null };
    }
    const words = (await chromium.manifestWarnings(id)).filter((each) => workerRefused.test(each));
    if (words.length > 0) {
      const uncaught = /^Uncaught /;
      const details = (await chromium.workerErrors(id)).filter((each) => !uncaught.test(each));
      return { started: false, problem: [...words, ...details].join("; ") };
    }
    await sleep(lookMs);
  }
  return { started: false, problem: `it did not start within ${durationText(runMsMax)}` };
}
