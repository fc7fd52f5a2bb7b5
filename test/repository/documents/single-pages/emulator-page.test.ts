import { faultRuleSchema } from "../../../../src/emulator/http/fault-shape.js";
import { call, json } from "../../../emulator/calls.js";
import { shareEmulator } from "../../../support/emulator.js";
import { page as pageAt } from "../pages.js";

const { text: page } = pageAt("docs/emulator/emulator.md");

/** Text below a heading, up to the next heading of the same level or above. */
function section(heading: string): string {
  const [, level = ""] = new RegExp(`^(#+) ${heading}$`, "m").exec(page) ?? [];
  expect(level).not.toBe("");
  const [, rest = ""] = page.split(`${level} ${heading}\n`);
  return rest.split(new RegExp(`^#{2,${level.length}} `, "m"))[0] ?? "";
}

/** Operations in a page's tables: a path in the first column, and methods in the second. */
function operationsIn(text: string): string[] {
  return Array.from(text.matchAll(/^\| `([^`]+)` +\|(.*)$/gm)).flatMap(([, path, methods = ""]) =>
    Array.from(methods.matchAll(/`([A-Z]+)`/g), ([, method]) => `${method} ${path}`),
  );
}

describe("docs/emulator/emulator.md", () => {
  const emulator = shareEmulator();
  test("docs/emulator/emulator.md has each operation of the emulator once, and no further operations", async () => {
    const served = await json<{ method: string; path: string }[]>(call(emulator, "GET", "/_emulator/routes"));
    expect(operationsIn(section("What it has")).sort()).toEqual(
      served.map(({ method, path }) => `${method} ${path}`).sort(),
    );
  });

  test("docs/emulator/emulator.md has each point and each action of a fault once, and no further ones", () => {
    const { at, action } = faultRuleSchema.shape;
    const actions = action.options.flatMap((option) =>
      "shape" in option ? Object.keys(option.shape) : option.options,
    );
    const rows = Array.from(section("Faults").matchAll(/^\| `[{ ]*"?([\w-]+)/gm), ([, name]) => name);
    expect(rows.sort()).toEqual([...at.options, ...actions].sort());
  });

  test("the curl command for a fault in docs/emulator/emulator.md works as written", async () => {
    const [, body = ""] = /curl [^\n]*-d '([^']+)'/.exec(section("Faults")) ?? [];
    const headers = { authorization: "Bearer sk_emulator" };
    const added = await fetch(`${emulator.url}/_emulator/faults`, { method: "POST", headers, body });
    expect(added.status).toBe(201);
    const struck = await fetch(`${emulator.url}/extensions`, { headers });
    expect([struck.status, struck.headers.get("retry-after")]).toEqual([429, "2"]);
    expect((await fetch(`${emulator.url}/extensions`, { headers })).status).toBe(200);
  });
});
