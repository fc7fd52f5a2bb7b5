import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import Kernel, { toFile } from "@onkernel/sdk";
import { type Browser, chromium, type Page } from "playwright-core";
import type { Emulator } from "../../../../src/emulator/index.js";
import { storedZip } from "../../../support/stored-zip.js";

const servers: Server[] = [];
const browsers: Browser[] = [];

afterAll(async () => {
  await Promise.all(browsers.map((browser) => browser.close()));
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

/** Address of a site that keeps a visitor signed in by a cookie, and shows the cookie. */
export async function playedSite(): Promise<string> {
  const server = createServer((request, response) => {
    const isLogin = request.url === "/login";
    response.writeHead(200, {
      "content-type": "text/html",
      ...(isLogin && { "set-cookie": "user=ada; Max-Age=86400" }),
    });
    response.end(`<title>Site</title><p>${request.headers.cookie ?? "nobody"}</p>`);
  });
  servers.push(server.listen(0, "127.0.0.1"));
  await new Promise((resolve) => server.once("listening", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The official client of an emulator. */
export const clientOf = ({ url }: Emulator, apiKey = "sk_emulator") =>
  new Kernel({ apiKey, baseURL: url, maxRetries: 0 });

/** Uploads an extension with a content script that writes a text into `data-mark` of each page. */
export async function uploadMarker(client: Kernel, name: string, text: string, manifest = {}) {
  const script = `document.documentElement.dataset.mark = ${JSON.stringify(text)};`;
  const contents = {
    manifest_version: 3,
    ...{ name, version: "1" },
    content_scripts: [{ matches: ["<all_urls>"], js: ["mark.js"], run_at: "document_start" }],
    ...manifest,
  };
  const files = { "manifest.json": JSON.stringify(contents), "mark.js": script };
  const zip = storedZip(Object.entries(files).map(([path, each]) => ({ name: path, contents: each })));
  return client.extensions.upload({ file: await toFile(zip, "extension.zip"), name });
}

/** Connects to a leased browser, as an agent does. */
export async function connect(address: string): Promise<Browser> {
  const browser = await chromium.connectOverCDP(address);
  browsers.push(browser);
  return browser;
}

/** First page of a leased browser. */
export async function firstPage(address: string): Promise<Page> {
  return (await connect(address)).contexts()[0]?.pages()[0] as Page;
}

/** Text of a page of the played site: the cookie, or nobody. */
export async function visitorAt(page: Page, url: string): Promise<string> {
  await page.goto(url);
  return (await page.textContent("p")) ?? "";
}

/** Mark of the extension on a page; undefined without the extension. */
export const markOf = (page: Page): Promise<string | undefined> =>
  page.evaluate("document.documentElement.dataset.mark");
