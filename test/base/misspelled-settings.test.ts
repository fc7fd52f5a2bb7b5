import { declaredNames, resolveSettings } from "../../src/config.js";

const valid = { BROWSER_INFRA_API_KEY: "sk_1", BROWSER_INFRA_BASE_URL: "http://127.0.0.1:9" };

/** Spellings of a name that a person may write by mistake. */
function misspellingsOf(name: string): readonly string[] {
  const [head, last, end] = [name.slice(0, -3), name.slice(-3, -1), name.slice(-1)];
  return [
    `${name.slice(0, -4)}${name.slice(-4).toLowerCase()}`,
    `${name.slice(0, -4)}${name.slice(-4).toUpperCase()}`,
    name.replace(/_([A-Z]+)$/, "$1"),
    `${head}${last}`,
    `${name}S`,
    `${head}${last[1]}${last[0]}${end}`,
    `${head}x${last[1]}${end}`,
  ].filter((each) => each !== name);
}

const sources = [
  ...declaredNames.settings.map((meant) => ({ kind: "setting", meant })),
  ...declaredNames.variables.map((meant) => ({ kind: "variable", meant })),
];

describe("a misspelled setting", () => {
  const resolve = (kind: string, name: string) =>
    resolveSettings({
      configuration: () => undefined,
      configurationKeys: () => (kind === "setting" ? [name] : []),
      environment: kind === "variable" ? { ...valid, [name]: "x" } : valid,
    });

  test.each(sources)(
    "X6: every misspelling of the $kind $meant is refused, with the name",
    ({ kind, meant }) => {
      for (const name of misspellingsOf(meant)) {
        expect(() => resolve(kind, name)).toThrow(
          expect.objectContaining({
            code: "config_invalid",
            message: expect.stringContaining(`${name}, which is not a setting. Did you mean ${meant}?`),
          }),
        );
      }
    },
  );

  test.each([
    ...declaredNames.settings.map((name) => ["setting", name] as const),
    ["setting", "browser-infra:euApiKey"],
    ["setting", "browser-infra:apiKey2"],
    ["setting", "browser-infra:vaultToken"],
    ["setting", "shop:baseURL"],
    ["variable", "BROWSER_INFRA_TOOLS"],
    ["variable", "BROWSER_INFRA_API_KEY_2"],
    ["variable", "KERNEL_BASEURL"],
    ["variable", "EU_API_KEY"],
  ] as const)("the %s %s is no misspelling", (kind, name) => {
    expect(resolve(kind, name).baseUrl).toBe(valid.BROWSER_INFRA_BASE_URL);
  });

  test("a misspelled variable without a value is not set", () => {
    expect(resolveSettings({ environment: { ...valid, BROWSER_INFRA_BASEURL: " " } }).apiKey).toBe("sk_1");
  });
});
