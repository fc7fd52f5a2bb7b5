import { readFileSync } from "node:fs";
import { join } from "node:path";
import { defaultDeadlines } from "../../../../src/client/http/connections/deadline.js";
import { defaultMaxPages } from "../../../../src/client/http/paging.js";
import { defaultRetry } from "../../../../src/client/http/retry/options.js";
import { BrowserInfraClient } from "../../../../src/client/index.js";
import { followDefaults } from "../../../../src/client/logins/following/follow-options.js";
import { page, root, tableRows } from "../pages.js";

const clientPage = page("docs/reference/client.md");

/** `20 000`, as the docstrings write numbers. */
const written = (value: unknown) => String(value).replace(/\B(?=(\d{3})+$)/g, " ");

/** Defaults in the docstrings of a file below src/client, by member. Backticks and periods are left out. */
function statedIn(file: string): Record<string, string> {
  const text = readFileSync(join(root, "src/client", file), "utf8");
  const members = text.matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s+readonly (\w+)/g);
  return Object.fromEntries(
    Array.from(members, ([, docstring = "", name = ""]) => {
      const flat = docstring.replace(/\s+\*?\s*/g, " ");
      return [name, (/ Default (\d[\d ]*\d|\w+)/.exec(flat)?.[1] ?? "").trim()];
    }),
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

  test("the types to which the page refers state the actual defaults", () => {
    const { clock: _clock, random: _random, budget: _budget, ...retry } = defaultRetry;
    const asWritten = (options: object) =>
      Object.fromEntries(Object.entries(options).map(([name, value]) => [name, written(value)]));
    expect(statedIn("http/connections/deadline.ts")).toMatchObject(asWritten(defaultDeadlines));
    expect(statedIn("http/retry/options.ts")).toMatchObject(asWritten(retry));
    expect({
      ...statedIn("operations/following/limits.ts"),
      ...statedIn("logins/following/follow-options.ts"),
    }).toMatchObject(asWritten(followDefaults));
    expect(statedIn("client.ts")).toMatchObject({ maxPages: String(defaultMaxPages) });
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
