import { setTimeout as sleep } from "node:timers/promises";
import { oneLine } from "../text/escape.js";
import { messageOf } from "../text/words.js";
import { MethodMissing } from "./devtools.js";
import { afterLoad, type RunningChromium } from "./extensions.js";
import { errorCharactersMax, Targets } from "./targets.js";

/** Longest time for pages and worker, in milliseconds. With the start of the browser, less than 10 s. */
const runMsMax = 7_000;

/** Longest time for the answer of a real page, in milliseconds. A page of ours needs the rest. */
const answerMsMax = 4_000;

/** Time for late errors, after the load of a page and the start or end of a worker, in milliseconds. */
const lateMs = 1_000;

/** Time between two looks at a worker that has not started, in milliseconds. */
const lookMs = 200;

/** Chromium's words about a worker that it does not register: a warning like those of the manifest. */
const workerRefused = /^Service worker registration failed/;

/** Answer to a request for a page. With an icon, so that Chromium does not ask the network for one. */
const madePage = {
  responseCode: 200,
  responseHeaders: [{ name: "Content-Type", value: "text/html" }],
  body: Buffer.from("<!doctype html><link rel=icon href=data:,><title>Check</title><p>").toString("base64"),
};

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
  /** Why the page was not loaded, or not completely; null if it was. */
  readonly problem: string | null;
  /** Paths of the extension's scripts that ran, below the extension. */
  readonly scripts: readonly string[];
  /** Number of style sheets of extensions. The browser does not tell which. */
  readonly styleCount: number;
}

export interface ExtensionRun {
  /** Why the browser cannot run the plan; null if it can. */
  readonly problem: string | null;
  readonly pages: readonly PageRun[];
  /** Null for an extension without a worker. */
  readonly worker: { readonly started: boolean; readonly problem: string | null } | null;
  /** Errors that no script has caught. Lines count from 1. */
  readonly errors: readonly { readonly file: string; readonly line: number; readonly message: string }[];
}

export interface LoadResult {
  /** Name and version of the browser, such as `Chrome/156.0.8078.108`. */
  readonly browser: string;
  /** Id of the extension in the browser; undefined if it does not load. */
  readonly id: string | undefined;
  /** Why the browser does not load the extension; null if it does. */
  readonly problem: string | null;
  /** Parts that the browser ignores, in its own words; empty without a warning. */
  readonly warnings: readonly string[];
  /** Undefined without a plan or a loaded extension. */
  readonly run: ExtensionRun | undefined;
}

/** Loads a folder, which Chromium may change, and runs the extension if there is a plan. The extension stays. */
export async function checkIn(
  chromium: RunningChromium,
  folder: string,
  plan: RunPlan | undefined,
): Promise<LoadResult> {
  const observed = new ObservedRun(chromium);
  const unseen = plan && (await observed.watch(chromium.limit).catch(methodMissing));
  const loaded = await chromium.load(folder);
  const browser = chromium.product;
  if (typeof loaded === "string") {
    return { browser, id: undefined, problem: loaded, warnings: [], run: undefined };
  }
  const { id } = loaded;
  const run = plan && (unseen ?? (await observed.run(id, plan).catch(methodMissing)));
  const warnings = (await chromium.messages(id, "manifestErrors")).filter(
    (each) => !workerRefused.test(each),
  );
  return { browser, id, problem: null, warnings, run };
}

function methodMissing(error: unknown): ExtensionRun {
  if (error instanceof MethodMissing) {
    return { problem: messageOf(error), pages: [], worker: null, errors: [] };
  }
  throw error;
}

/** Parts of the events that the check reads. */
interface EventParams {
  readonly url?: string;
  readonly requestId?: string;
  readonly header?: { readonly origin: string };
  readonly entry?: { readonly level: string; readonly text: string };
}

/** Run of an extension in a browser, with what the browser tells of the pages and the worker. */
class ObservedRun extends Targets {
  readonly #chromium: RunningChromium;
  readonly #events: [name: string, session: string | undefined, params: EventParams][] = [];

  constructor(chromium: RunningChromium) {
    super(chromium.devtools);
    this.#chromium = chromium;
    this.onEvent = (name, params: EventParams, session) => {
      this.#events.push([name, session, params]);
      if (name === "Fetch.requestPaused") {
        const answer = { requestId: params.requestId, ...madePage };
        this.#call("Fetch.fulfillRequest", answer, session).catch(() => undefined);
      }
    };
  }

  async run(id: string, plan: RunPlan): Promise<ExtensionRun> {
    const root = `chrome-extension://${id}/`;
    const filesOf = (urls: readonly string[]) =>
      urls
        .filter((url) => url.startsWith(root))
        .map((url) => decodeURIComponent(new URL(url).pathname.slice(1)));
    const limit = AbortSignal.any([this.#chromium.limit, AbortSignal.timeout(runMsMax)]);
    const [worker, ...pages] = await Promise.all([
      plan.hasWorker ? this.#runWorker(id, limit) : null,
      ...plan.pages.map(async (address) => {
        const { session, ...page } = await this.#openPage(address, plan.isReal, limit);
        const scripts = filesOf(this.#eventsOf(session, "Debugger.scriptParsed").map(({ url = "" }) => url));
        const styles = this.#eventsOf(session, "CSS.styleSheetAdded").filter(
          ({ header }) => header?.origin === "injected",
        );
        return { ...page, scripts: [...new Set(scripts)], styleCount: styles.length };
      }),
    ]);
    const errors = this.errors.flatMap(({ source, line, text }) => {
      const message = oneLine(text.replace(/\n.*/s, ""), errorCharactersMax);
      return filesOf([source]).map((file) => ({ file, line, message }));
    });
    // The stacks of equal errors may be different.
    const different = new Map(errors.map((error) => [JSON.stringify(error), error])).values();
    return { problem: null, pages, worker, errors: [...different] };
  }

  /** Opens a page and waits for the load, and for a while after that. */
  async #openPage(address: string, isReal: boolean, limit: AbortSignal) {
    const { targetId } = await this.#call("Target.createTarget", { url: "about:blank" }, undefined);
    const session = this.pages.get(String(targetId));
    for (const name of ["Debugger.enable", "DOM.enable", "CSS.enable"]) {
      await this.#call(name, {}, session);
    }
    // A script with `debugger` would wait for ever.
    await this.#call("Debugger.setSkipAllPauses", { skip: true }, session);
    const navigate = (signal: AbortSignal) =>
      this.#call("Page.navigate", { url: address }, session, signal)
        .then(({ errorText }) => errorText, messageOf)
        .then((reason) => (reason ? `the page cannot be reached: ${reason}` : null));
    let problem = isReal ? await navigate(AbortSignal.any([limit, AbortSignal.timeout(answerMsMax)])) : null;
    const isMade = !isReal || problem !== null;
    if (isMade) {
      await this.#call("Fetch.enable", { patterns: [{ resourceType: "Document" }] }, session);
      const failed = await navigate(limit);
      problem ??= failed;
    }
    const expression = `${afterLoad}.then(() => new Promise((done) => setTimeout(done, ${lateMs}, location.href)))`;
    const load = () => this.#chromium.devtools.evaluate(expression, limit, session);
    // Twice, because a page may have gone on to another address meanwhile.
    const url = await load()
      .catch(load)
      .catch(() => undefined);
    problem ??= url === undefined ? "the page did not finish loading" : null;
    return { session, url: String(url ?? address), isMade, problem };
  }

  /** Waits until the worker is active or Chromium refuses it, and for a while after that. */
  async #runWorker(id: string, limit: AbortSignal) {
    while (!limit.aborted) {
      if (this.startedWorkers.has(id)) {
        await sleep(lateMs);
        return { started: true, problem: null };
      }
      const refused = (await this.#chromium.messages(id, "manifestErrors")).find((each) =>
        workerRefused.test(each),
      );
      if (refused !== undefined) {
        await sleep(lateMs);
        const entries = this.#eventsOf(this.workers.get(id), "Log.entryAdded").map(({ entry }) => entry);
        const words = entries.filter((entry) => entry?.level === "error").map((entry) => entry?.text);
        return { started: false, problem: oneLine([refused, ...words].join("; "), errorCharactersMax) };
      }
      await sleep(lookMs);
    }
    return { started: false, problem: `not within ${runMsMax / 1_000} s` };
  }

  #eventsOf(session: string | undefined, name: string): readonly EventParams[] {
    return this.#events
      .filter((each) => each[0] === name && each[1] === session)
      .map(([, , params]) => params);
  }

  #call(method: string, params: object, session: string | undefined, signal = this.#chromium.limit) {
    return this.#chromium.devtools.call(method, params, signal, session);
  }
}
