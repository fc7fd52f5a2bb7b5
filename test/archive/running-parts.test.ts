import { type ContentScript, runningParts } from "../../src/archive/index.js";

/** The content script of a manifest with these members. */
function scriptOf(members: object) {
  const manifest = { content_scripts: [{ matches: ["<all_urls>"], js: ["./a.js"], ...members }] };
  return runningParts(Buffer.from(JSON.stringify(manifest))).contentScripts[0] as ContentScript;
}

describe("runningParts", () => {
  test.each<[what: string, members: object, address: string | undefined]>([
    ["all addresses", {}, "https://example.com/"],
    ["both schemes", { matches: ["*://*/*"] }, "https://example.com/"],
    ["a host", { matches: ["http://shop.test/cart*"] }, "http://shop.test/cart"],
    ["a host with all below", { matches: ["*://*.shop.test/*"] }, "https://shop.test/"],
    ["a port", { matches: ["http://localhost:8080/*"] }, "http://localhost:8080/"],
    ["any port", { matches: ["http://localhost:*/*"] }, "http://localhost/"],
    ["a file", { matches: ["file:///home/*.html"] }, "file:///home/x.html"],
    ["every file", { matches: ["file:///*"] }, "file:///"],
    ["a wildcard in a path", { matches: ["https://a.test/*/edit?x=*"] }, "https://a.test/x/edit?x="],
    ["an excluded host", { exclude_matches: ["*://*.example.com/*"] }, "https://example.org/"],
    [
      "an excluded domain above",
      { matches: ["https://*.a.test/*"], exclude_matches: ["https://a.test/*"] },
      "https://www.a.test/",
    ],
    ["an excluded start page", { exclude_matches: ["*://*/"] }, "https://example.com/x"],
    [
      "the end of a path in a glob",
      { matches: ["https://a.test/*"], include_globs: ["*/watch?*"] },
      "https://a.test/watch",
    ],
    ["an address in a glob", { include_globs: ["http*://b.test/c*"] }, "http://b.test/c"],
    ["an excluded glob", { exclude_globs: ["https://*.com/", "https://*.com/?"] }, "https://example.org/"],
    ["everything excluded", { exclude_matches: ["<all_urls>"] }, undefined],
    ["a glob beside its pattern", { matches: ["https://a.test/*"], include_globs: ["http:*"] }, undefined],
    ["ftp", { matches: ["ftp://a.test/*"] }, undefined],
  ])("the address of a page for %s: %j gives %s", (_, members, address) => {
    expect(scriptOf(members).address).toBe(address);
  });

  test.each<[url: string, members: object, runs: boolean]>([
    ["https://a.b.test/x?y#z", { matches: ["https://*.b.test/x?y"] }, true],
    ["https://b.test.evil.test/", { matches: ["https://*.b.test/*"] }, false],
    ["https://notb.test/", { matches: ["https://*.b.test/*"] }, false],
    ["https://b.test/xzy", { matches: ["https://b.test/x?y"] }, false],
    ["https://b.test/", { matches: ["HTTPS://b.test/*", "http://b.test/*"] }, false],
    ["https://b.test/", { matches: ["https://B.test:443/*"] }, true],
    ["https://b.test:8443/", { matches: ["https://b.test:443/*"] }, false],
    ["https://b.test:8443/", { matches: ["https://b.test/*"] }, true],
    ["http://[::1]:3000/", { matches: ["http://[::1]/*"] }, true],
    ["file:///etc/x.html", { matches: ["file:///*"] }, true],
    ["file:///etc/x.html", {}, true],
    ["file:///etc/x.html", { matches: ["*://*/*"] }, false],
    ["about:blank", { match_about_blank: true }, false],
    ["chrome://version/", {}, false],
    ["https://b.test/abc", { include_globs: ["*/ab?"] }, true],
    ["https://b.test/abcd", { include_globs: ["*/ab?"] }, false],
    ["https://b.test/abc", { exclude_globs: ["*/ab*"] }, false],
  ])("at %s, a script with %j runs as in Chromium: %s", (url, members, runs) => {
    expect(scriptOf(members).runsAt(url)).toBe(runs);
  });

  test("the files of a script are paths below the extension, and those with another ending are not used", () => {
    const { files } = scriptOf({ js: ["./src/a.js", "/b.ts"], css: ["c.less"] });
    expect(files).toEqual([
      { file: "src/a.js", kind: "js", isUsed: true },
      { file: "b.ts", kind: "js", isUsed: false },
      { file: "c.less", kind: "css", isUsed: false },
    ]);
  });

  test("a manifest that Chromium cannot read has no parts", () => {
    expect(runningParts(Buffer.from("{"))).toEqual({ contentScripts: [], hasWorker: false });
  });
});
