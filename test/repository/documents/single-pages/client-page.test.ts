import { defaultDeadlines } from "../../../../src/client/http/connections/deadline.js";
import { defaultMaxPages } from "../../../../src/client/http/paging.js";
import { defaultRetry } from "../../../../src/client/http/retry/options.js";
import { BrowserInfraClient } from "../../../../src/client/index.js";
import { followSettings } from "../../../../src/client/logins/following/follow-options.js";
import { page, tableRows } from "../pages.js";

const clientPage = page("docs/reference/client.md");

/** `20 000`, as the page writes numbers. */
const written = (value: unknown) => String(value).replace(/\B(?=(\d{3})+$)/g, " ");

/** Defaults in the last column of a table, by name in the first column. */
function defaultsUnder(heading: string): Record<string, string> {
  return Object.fromEntries(
    tableRows(clientPage, heading)
      .filter(([name = ""]) => name.startsWith("`"))
      .map((cells) => [(cells[0] ?? "").replace(/`/g, ""), (cells.at(-1) ?? "").replace(/`/g, "")]),
  );
}

describe("docs/reference/client.md", () => {
  test("the page of the client lists exactly the operations of the client", () => {
    const client = new BrowserInfraClient({ apiKey: "sk_test", baseUrl: "https://service.example" });
    const operations = Object.entries(client)
      .filter(([, group]) => typeof group === "object")
      .flatMap(([group, object]) => methodsOf(object).map((method) => `${group}.${method}`));
    const named = tableRows(clientPage, "## Operations").flatMap(([group = "", , ...cells]) =>
      Array.from(cells.join().matchAll(/`(\w+)`/g), ([, method]) => `${group.replace(/`/g, "")}.${method}`),
    );
    expect(named.sort()).toEqual(operations.sort());
  });

  test("the page of the client states the actual defaults of the time limits and retries", () => {
    const { clock: _clock, random: _random, budget: _budget, ...retry } = defaultRetry;
    const asWritten = (options: object) =>
      Object.fromEntries(Object.entries(options).map(([name, value]) => [name, written(value)]));
    expect(defaultsUnder("## Time limits")).toEqual(asWritten(defaultDeadlines));
    expect(defaultsUnder("## Retries")).toMatchObject(asWritten(retry));
    expect(defaultsUnder("## Options").maxPages).toBe(String(defaultMaxPages));
  });

  test("the page of the client states the actual defaults of following a login", () => {
    const { signal: _signal, timeoutMs, ...settings } = followSettings({});
    const found = defaultsUnder("## Streams: following a login");
    expect(found).toMatchObject(
      Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, written(value)])),
    );
    expect(found.timeoutMs).toBe(`${written(timeoutMs)}, ${timeoutMs / 60_000} min`);
  });
});

/** Names of the public methods of an object, inherited methods included. */
function methodsOf(object: object): string[] {
  const names = new Set<string>();
  for (
    let prototype = Object.getPrototypeOf(object);
    prototype !== Object.prototype;
    prototype = Object.getPrototypeOf(prototype)
  ) {
    for (const name of Object.getOwnPropertyNames(prototype)) {
      names.add(name);
    }
  }
  // `protected` or `@internal` in TypeScript.
  const hidden = [
    "scan",
    ...["constructor", "listing", "allNamed", "isPreferred", "request", "segment"],
    ...["change", "createNamed", "remove"],
  ];
  return [...names].filter((name) => !hidden.includes(name));
}
