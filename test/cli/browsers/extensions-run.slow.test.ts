import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { checkIn } from "../../../src/chromium/check.js";
import { withChromium } from "../../../src/chromium/extensions.js";
import { planOf, type RunReport } from "../../../src/cli/commands/browsers/extensions-run.js";
import { manifestText } from "../../archive/fixtures.js";
import { folderOf } from "../../archive/folders.js";
import { browserPath, testInBrowser } from "../../support/chromium.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { play } from "../played-terminal.js";

const site = { matches: ["https://example.com/*"] };
const worker = { background: { service_worker: "w.js" } };
const moduleWorker = { background: { service_worker: "w.js", type: "module" } };
const noImport = "SyntaxError: Cannot use import statement outside a module";

/** An extension, and a part of the report. `warns`: whether Chromium warns. */
interface Case {
  readonly manifest: object;
  readonly files?: Readonly<Record<string, string>>;
  readonly expected: Partial<RunReport> | "refused";
  readonly warns?: boolean;
}

const ran = (file: string, kind: "js" | "css" = "js") => ({ file, kind, ran: true });
const didNotRun = (file: string, kind: "js" | "css" = "js") => ({ file, kind, ran: false });
const started = { started: true, problem: null };
const notStarted = (problem: string) => ({ started: false, problem: expect.stringMatching(problem) });
const madePage = (url: string) => ({ url, isMade: true, problem: null });
const none = { problem: null, pages: [], files: [], worker: null, errors: [] };

/** Extensions in a page of the check, one for each thing that may go wrong. */
const cases: Readonly<Record<string, Case>> = {
  "scripts of both worlds, at every time, a style and a worker run": {
    manifest: {
      ...worker,
      content_scripts: [
        { ...site, js: ["isolated.js"], css: ["a.css", "b.css"] },
        { ...site, js: ["main.js"], world: "MAIN", run_at: "document_start" },
        { ...site, js: ["end.js"], run_at: "document_end", match_about_blank: true, all_frames: true },
      ],
    },
    files: {
      "isolated.js": "document.title = chrome.runtime.id",
      "a.css": "p { color: red }",
      "b.css": "",
      "main.js": "debugger",
      "end.js": "1",
      "w.js": "1",
    },
    expected: {
      pages: [madePage("https://example.com/")],
      files: [ran("isolated.js"), ran("a.css", "css"), ran("b.css", "css"), ran("main.js"), ran("end.js")],
      worker: started,
      errors: [],
    },
  },
  "a script and its page in each of three sites run": {
    manifest: {
      content_scripts: [
        { matches: ["http://*.shop.test:8080/cart*"], js: ["port.js"] },
        {
          matches: ["<all_urls>"],
          exclude_matches: ["*://*.example.com/*", "*://*.shop.test/*"],
          js: ["all.js"],
        },
        { matches: ["file:///*"], js: ["file.js"] },
      ],
    },
    files: { "port.js": "1", "all.js": "1", "file.js": "1" },
    expected: {
      pages: ["http://shop.test:8080/cart", "https://example.org/", "file:///"].map(madePage),
      files: [ran("port.js"), ran("all.js"), ran("file.js")],
    },
  },
  "a script that throws ran, and has the error with its line": {
    manifest: { content_scripts: [{ ...site, js: ["a.js", "b.js"] }] },
    files: { "a.js": "\nthrow new Error('no')", "b.js": "Promise.reject('why')" },
    expected: {
      files: [ran("a.js"), ran("b.js")],
      errors: [
        { file: "a.js", line: 2, message: "Error: no" },
        { file: "b.js", line: 1, message: "Uncaught (in promise) why" },
      ],
    },
  },
  "an ES module as a content script did not run": {
    manifest: { content_scripts: [{ ...site, js: ["a.js"] }] },
    files: { "a.js": 'import "./b.js";', "b.js": "1" },
    expected: { files: [didNotRun("a.js")], errors: [{ file: "a.js", line: 1, message: noImport }] },
  },
  "an error in the main world, after the load, is reported": {
    manifest: { content_scripts: [{ ...site, js: ["a.js"], world: "MAIN" }] },
    files: { "a.js": "addEventListener('load', () => setTimeout(() => missing()))" },
    expected: { errors: [{ file: "a.js", line: 1, message: "ReferenceError: missing is not defined" }] },
  },
  "an error that a timer repeats is reported once": {
    manifest: { content_scripts: [{ ...site, js: ["a.js"] }] },
    files: { "a.js": "setInterval(() => missing(), 10)" },
    expected: { errors: [{ file: "a.js", line: 1, message: "ReferenceError: missing is not defined" }] },
  },
  "a script for which no address can be made is not tried": {
    manifest: { content_scripts: [{ ...site, exclude_matches: ["<all_urls>"], js: ["a.js"] }] },
    files: { "a.js": "1" },
    expected: { ...none, files: [{ file: "a.js", kind: "js", ran: null }] },
  },
  "one file of TypeScript keeps the whole entry from running": {
    manifest: { content_scripts: [{ ...site, js: ["a.js", "b.ts"], css: ["a.css"] }] },
    files: { "a.js": "1", "b.ts": "1", "a.css": "" },
    expected: { files: [didNotRun("a.js"), didNotRun("b.ts"), didNotRun("a.css", "css")] },
    warns: true,
  },
  "a worker that throws did not start": {
    manifest: worker,
    files: { "w.js": "throw new Error('no')" },
    expected: {
      ...none,
      worker: notStarted("^Service worker registration failed"),
      errors: [{ file: "w.js", line: 1, message: "Error: no" }],
    },
  },
  "a worker with an import that is no module did not start": {
    manifest: worker,
    files: { "w.js": 'import "./a.js";', "a.js": "1" },
    expected: {
      worker: notStarted("^Service worker registration failed"),
      errors: [{ file: "w.js", line: 1, message: noImport }],
    },
  },
  "a module whose import is missing did not start, in Chromium's words": {
    manifest: moduleWorker,
    files: { "w.js": 'import "./gone.js";' },
    expected: { worker: notStarted("; An unknown error occurred when fetching the script"), errors: [] },
  },
  "a worker that is a module starts": {
    manifest: moduleWorker,
    files: { "w.js": 'import "./a.js";', "a.js": "1" },
    expected: { ...none, worker: started },
  },
  "a worker that starts and fails later has an error": {
    manifest: worker,
    files: { "w.js": "setTimeout(() => { throw new TypeError('late') }, 100)" },
    expected: { worker: started, errors: [{ file: "w.js", line: 1, message: "TypeError: late" }] },
  },
  "a worker whose file is missing is refused": { manifest: worker, expected: "refused" },
  "a script that the extension loads into its page ran": {
    manifest: {
      content_scripts: [{ ...site, js: ["a.js"] }],
      web_accessible_resources: [{ resources: ["b.js"], ...site }],
    },
    files: { "a.js": "import(chrome.runtime.getURL('b.js'))", "b.js": "1" },
    expected: { files: [ran("a.js"), ran("b.js")], errors: [] },
  },
  // What Chromium ignores or refuses, although an author may expect it to work.
  "a sandbox with a policy of version 2 is refused": {
    manifest: {
      sandbox: { pages: ["s.html"], content_security_policy: "sandbox allow-scripts; script-src 'self'" },
    },
    files: { "s.html": "<p>" },
    expected: "refused",
  },
  "an unknown state of the button is refused": {
    manifest: { action: { default_state: "off" } },
    expected: "refused",
  },
  "a script of TypeScript did not run": {
    manifest: { content_scripts: [{ ...site, js: ["src/content.ts"] }] },
    files: { "src/content.ts": "1" },
    expected: { files: [didNotRun("src/content.ts")] },
    warns: true,
  },
  "a missing script of TypeScript did not run": {
    manifest: { content_scripts: [{ ...site, js: ["src/content.ts"] }] },
    expected: { files: [didNotRun("src/content.ts")] },
    warns: true,
  },
  "a style that is not CSS was not applied": {
    manifest: { content_scripts: [{ ...site, css: ["a.less"] }] },
    files: { "a.less": "a{}" },
    expected: { files: [didNotRun("a.less", "css")] },
    warns: true,
  },
  "a host among the permissions grants nothing, with a warning": {
    manifest: { permissions: ["storage", "https://example.com/*"] },
    expected: none,
    warns: true,
  },
  "a host among the optional permissions grants nothing, with a warning": {
    manifest: { optional_permissions: ["https://example.com/*"] },
    expected: none,
    warns: true,
  },
  "a malformed host grants nothing, with a warning": {
    manifest: { host_permissions: ["example.com"] },
    expected: none,
    warns: true,
  },
  "options without a page: with a warning": {
    manifest: { options_ui: { open_in_tab: true } },
    expected: none,
    warns: true,
  },
  "a misspelled permission is unknown, with a warning": {
    manifest: { permissions: ["storge"] },
    expected: none,
    warns: true,
  },
};

/** Runs every case in one browser, in turn. */
async function runAll() {
  const signal = new AbortController().signal;
  return withChromium(browserPath ?? "", 200_000, signal, async (chromium) => {
    const results = new Map<string, { readonly report: RunReport | "refused"; readonly warns: boolean }>();
    for (const [name, { manifest, files = {} }] of Object.entries(cases)) {
      const folder = folderOf([["manifest.json", manifestText(manifest)], ...Object.entries(files)]);
      const { plan, report } = planOf(folder, undefined);
      const { id, run, warnings } = await checkIn(chromium, folder, plan);
      if (id !== undefined) {
        await chromium.devtools.call("Extensions.uninstall", { id }, signal);
      }
      results.set(name, { report: run ? report(run) : "refused", warns: warnings.length > 0 });
    }
    return results;
  });
}

describe("browser-infra extensions check --run", () => {
  let results: ReturnType<typeof runAll> | undefined;

  for (const [name, { expected, warns = false }] of Object.entries(cases)) {
    testInBrowser(`extensions check --run reports: ${name}`, async () => {
      results ??= runAll();
      const { report, ...rest } = (await results).get(name) ?? {};
      expect([report, rest]).toEqual([
        typeof expected === "string" ? expected : expect.objectContaining(expected),
        { warns },
      ]);
    });
  }

  const check = (args: readonly string[], env: object = {}) =>
    play({ url: "", apiKeys: [] }, ["extensions", "check", ...args], {
      env: { BROWSER_INFRA_BASE_URL: undefined, BROWSER_INFRA_API_KEY: undefined, PATH: "", ...env },
    });
  const withBrowser = ["--browser", browserPath ?? ""];
  const failing = (matches: readonly string[]) =>
    folderOf([
      ["manifest.json", manifestText({ content_scripts: [{ matches, js: ["a.js"], css: ["a.css"] }] })],
      ["a.js", "document.querySelector('#cart').remove()"],
      ["a.css", ""],
    ]);

  testInBrowser(
    "extensions check --run prints rows of at most 80 cells, and ends with exit code 1 for a script that fails",
    async () => {
      const { exitCode, out } = await check([failing(["*://shop.test/*"]), "--run", ...withBrowser]);
      expect([exitCode, out.split("\n").slice(2)]).toEqual([
        1,
        [
          "RUN      https://shop.test/ (a page made for the check)",
          "         ran: a.js",
          "         applied: a.css",
          "         error in a.js, line 1: TypeError: Cannot read properties of null",
          "         (reading 'remove')",
          "",
        ],
      ]);
    },
  );

  testInBrowser(
    "extensions check --run with an address loads the real page, and one of its own in place of one out of reach",
    async () => {
      const server = createServer((_, response) =>
        response.writeHead(200, { "Content-Type": "text/html" }).end("<p id=cart>"),
      );
      await once(server.listen(0, "127.0.0.1"), "listening");
      const { port } = server.address() as AddressInfo;
      const address = `http://127.0.0.1:${port}/`;
      const extension = failing(["<all_urls>"]);
      const real = await check([extension, "--run", address, ...withBrowser, "--json"]);
      await new Promise((closed) => server.close(closed));
      server.closeAllConnections();
      expect([real.exitCode, JSON.parse(real.out).browser.run]).toEqual([
        0,
        {
          problem: null,
          pages: [{ url: address, isMade: false, problem: null }],
          files: [ran("a.js"), ran("a.css", "css")],
          worker: null,
          errors: [],
        },
      ]);
      const away = await check([extension, "--run", address, ...withBrowser]);
      expect([away.exitCode, away.out]).toEqual([
        1,
        expect.stringMatching(
          /^RUN {6}http:\/\/127\.0\.0\.1:\d+\/ \(a page made for the check\)\n +the page cannot be reached: net::ERR_CONNECTION_REFUSED\n +ran: a\.js$/m,
        ),
      ]);
    },
  );

  test("extensions check --run without a browser or with a wrong address ends with exit code 2 and the way out", async () => {
    const extension = failing(["<all_urls>"]);
    const without = await check([extension, "--run"]);
    expect([without.exitCode, without.out, without.err]).toEqual([
      2,
      "",
      "error: --run needs a Chromium or Chrome, and PATH has none. Install one, or name one with --browser.\n",
    ]);
    const wrong = await check([extension, "--run", "example.com"]);
    expect([wrong.exitCode, wrong.err]).toEqual([2, expect.stringContaining("begins with http://")]);
  });

  test("extensions check shows the warnings of a browser whose new pages are empty for a moment", async () => {
    const { exitCode, out } = await check([
      failing(["<all_urls>"]),
      "--browser",
      playedBrowser(emptyAtFirst),
    ]);
    expect([exitCode, out]).toEqual([
      0,
      "CHECK    loads, 3 files\nBROWSER  Old/1 loads it\n         warns: Permission 'x' is unknown.\n",
    ]);
  });

  test("extensions check --run says so where a browser loads the extension but has no method for the rest", async () => {
    const browser = playedBrowser(`() => results[method]`);
    const { exitCode, out } = await check([failing(["<all_urls>"]), "--run", "--browser", browser]);
    expect([exitCode, out]).toEqual([
      0,
      "CHECK    loads, 3 files\nBROWSER  Old/1 loads it\n" +
        "RUN      not possible: it is too old or was built without extensions\n" +
        "         ('Target.setAutoAttach' wasn't found)\n" +
        "         not tried: a.js\n         not tried: a.css\n",
    ]);
  });
});

/** Answers about a page that is empty at first, as new pages of Chromium are for a moment. */
const emptyAtFirst = `() => {
  if (method === "Page.navigate") {
    state.isOpen = true;
  }
  if (method === "Runtime.evaluate" && /inDeveloperMode/.test(params.expression)) {
    state.isDeveloper = state.isOpen;
  }
  const value = state.isDeveloper && /manifestErrors/.test(params.expression) ? ["Permission 'x' is unknown."] : undefined;
  return results[method] ?? { targetId: "t", sessionId: "s", result: { value } };
}`;

/** Program that plays a browser. `answer`: function of JavaScript for the result of a `method`; no result: missing. */
function playedBrowser(answer: string): string {
  const browser = join(temporaryFolder(), "browser");
  const program = `#!${process.execPath}
const { createReadStream, createWriteStream } = require("node:fs");
const out = createWriteStream(null, { fd: 4 });
const results = { "Browser.getVersion": { product: "Old/1" }, "Extensions.loadUnpacked": { id: "a" } };
const state = {};
createReadStream(null, { fd: 3 }).on("data", (chunk) => {
  for (const text of String(chunk).split("\\0").filter(Boolean)) {
    const { id, method, params } = JSON.parse(text);
    const result = (${answer})();
    const error = { message: "'" + method + "' wasn't found" };
    out.write(JSON.stringify(result ? { id, result } : { id, error }) + "\\0");
    if (method === "Browser.close") {
      setImmediate(() => process.exit());
    }
  }
});
`;
  writeFileSync(browser, program, { mode: 0o755 });
  return browser;
}
