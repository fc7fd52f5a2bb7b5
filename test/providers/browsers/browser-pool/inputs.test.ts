import { browserPoolFailures } from "../../../../src/providers/browsers/browser-pool/input-failures.js";
import {
  browserPoolInputs,
  type PoolSetting,
} from "../../../../src/providers/browsers/browser-pool/properties.js";
import { inputFailures } from "../../../../src/providers/messages/input-failures.js";
import { type PropertyMap, unknownValue } from "../../../../src/providers/properties.js";

/** Failures of inputs that are valid except for `news`. */
function refusals(news: PropertyMap): string[] {
  const given = { size: 3, ...news };
  const request = { olds: undefined, news: given };
  const failures = inputFailures(request, browserPoolInputs, undefined, browserPoolFailures);
  return failures.map(({ property, reason }) => `${property}: ${reason}`);
}

describe("the inputs of a BrowserPool", () => {
  test.each<[string, PropertyMap]>([
    ["a size", {}],
    ["everything at once", everything()],
    ["a wait for a pool that is filled only at first", { waitForAvailable: 1, fillRatePerMinute: 0 }],
    ["no rules for the network", { network: {} }],
    ["rules with an unknown host", hostsOf("a.example", unknownValue as unknown as string)],
    ["a profile by its name", { profileName: "shop", refreshOnProfileUpdate: false }],
    ["a policy as JSON", { chromePolicy: '{ "HomepageLocation": "https://shop.example" }' }],
    ["the usual telemetry", { telemetry: {} }],
    ["memory of headless browsers, if that is unknown", { memory: "1GiB", headless: unknownValue }],
    ["all hosts of a domain", hostsOf("*.shop.co.uk", "*.example.com")],
    ["values that a preview does not know", unknowns()],
    ["a list with an unknown id", { extensionIds: [unknownValue, "ext_1"] }],
  ])("a BrowserPool accepts %s", (_what, news) => {
    expect(refusals(news)).toEqual([]);
  });

  test("a BrowserPool without a size is refused", () => {
    expect(browserPoolFailures({})).toEqual([
      { property: "size", reason: expect.stringContaining('needs "size"') },
    ]);
  });

  test.each<[string, PropertyMap, RegExp]>([
    ["a size of 0", { size: 0 }, /^size: .+whole number of at least 1\.$/],
    ["half a browser", { size: 1.5 }, /^size: .+whole number/],
    ["a size as a string", { size: "3" }, /^size: .+whole number/],
    ["an empty name", { name: " " }, /^name: .+non-empty string\. To have none, leave it out\.$/],
    ["a name with a space", { name: "my pool" }, /^name: .+A-Z a-z 0-9/],
    ["a name that looks like an id", { name: "abcdefghijklmnopqrstuvwx" }, /^name: .+looks like/],
    ["a project with a line break", { projectId: "a\nb" }, /^projectId: /],
    ["one extension and no list", { extensionIds: "ext_1" }, /^extensionIds: .+\[extension\.id\]/],
    ["an extension twice", { extensionIds: ["ext_1", "ext_1"] }, /^extensionIds\[1\]: .+remove it/],
    ["21 extensions", { extensionIds: many(21) }, /^extensionIds: .+at most 20/],
    ["a profile twice", { profileId: "a", profileName: "b" }, /^profileName: .+use one of them/],
    ["a refresh without a profile", { refreshOnProfileUpdate: true }, /^refreshOnProfileUpdate: .+profile/],
    ["a policy that is a list", { chromePolicy: [] }, /^chromePolicy: .+object/],
    ["a policy that is no JSON", { chromePolicy: "{" }, /^chromePolicy: .+JSON/],
    ["a policy of more than 5 MiB", { chromePolicy: { a: "x".repeat(5_242_880) } }, /^chromePolicy: .+5 MiB/],
    ["a viewport without a height", { viewport: { width: 800 } }, /^viewport: .+"height"/],
    [
      "a viewport with a depth",
      { viewport: { width: 8, height: 8, depth: 8 } },
      /^viewport\.depth: .+does not exist/,
    ],
    ["a viewport of width 0", { viewport: { width: 0, height: 600 } }, /^viewport\.width: .+at least 1/],
    ["a start URL of 2049 bytes", { startUrl: `https://${"a".repeat(2041)}` }, /^startUrl: .+2048/],
    ["a timeout of 9 s", { timeoutSeconds: 9 }, /^timeoutSeconds: .+10 to 259200/],
    ["a negative fill rate", { fillRatePerMinute: -1 }, /^fillRatePerMinute: .+at least 0/],
    ["half a percent a minute", { fillRatePerMinute: 0.5 }, /^fillRatePerMinute: .+whole number/],
    ["an unknown category", { telemetry: { sound: true } }, /^telemetry\.sound: .+captcha, connection/],
    ["a category that is a string", { telemetry: { console: "on" } }, /^telemetry\.console: .+true or false/],
    ["telemetry of nothing", { telemetry: nothing() }, /^telemetry: .+remove "telemetry"/],
    ["a flag as a string", { stealth: "yes" }, /^stealth: .+true or false/],
    ["a wait for more than the size", { waitForAvailable: 4 }, /^waitForAvailable: .+from 1 to "size"/],
    ["a wait for 0", { waitForAvailable: 0 }, /^waitForAvailable: /],
    ["an unknown region", { region: "eu-east" }, /^region: .+us-east, us-west, eu-west, ap-southeast/],
    ["an unknown size of memory", { memory: "3GiB" }, /^memory: .+8GiB, 16GiB\./],
    [
      "too much memory for headless",
      { headless: true, memory: "16GiB" },
      /1GiB, 2GiB, 4GiB.+set headless to false/,
    ],
    [
      "too little with a window",
      { headless: false, memory: "4GiB" },
      /^memory: .+8GiB, 16GiB.+headless to true/,
    ],
    [
      "too little, and nothing about a window",
      { memory: "4GiB" },
      /^memory: .+8GiB, 16GiB.+headless to true/,
    ],
    ["an asterisk for a country", hostsOf("*.uk"), /^network\.allowedHosts\[0\]: .+public suffix uk/],
    ["an asterisk for a registry", hostsOf("*.CO.uk"), /^network\.allowedHosts\[0\]: .+public suffix co\.uk/],
    ["more browsers than a number counts", { size: 2 ** 63 - 1 }, /^size: .+from 1 to 9007199254740991\.$/],
    ["no allowed host", { network: { allowedHosts: [] } }, /^network\.allowedHosts: .+leave the list out/],
    ["a URL as a host", hostsOf("https://a.example"), /^network\.allowedHosts\[0\]: .+without scheme/],
    ["an asterisk inside", hostsOf("a.*.example"), /^network\.allowedHosts\[0\]: .+"\*\.shop\.example"/],
    ["a rule of another name", { network: { hosts: ["a.example"] } }, /^network\.hosts: .+allowedHosts/],
    [
      "a host that is no string",
      { network: { privateHosts: [1] } },
      /^network\.privateHosts\[0\]: .+must be a string/,
    ],
    [
      "a route without a proxy",
      { network: { proxyRoutes: [{ hosts: ["a.example"] }] } },
      /^network: .+"proxyId"/,
    ],
    [
      "a pattern in two routes",
      {
        network: {
          proxyRoutes: [
            { hosts: ["a.example"], proxyId: "p1" },
            { hosts: ["A.example"], proxyId: "p2" },
          ],
        },
      },
      /^network\.proxyRoutes\[1\]\.hosts\[0\]: .+remove it/,
    ],
    [
      "an export of no telemetry",
      { telemetryDestinationId: "d" },
      /^telemetryDestinationId: .+needs telemetry/,
    ],
    [
      "telemetry that goes nowhere",
      { telemetry: {}, telemetryStorage: false },
      /^telemetryStorage: .+neither stored nor exported/,
    ],
    ["an input that a pool does not have", { headful: true }, /^: .+no input "headful"/],
  ])("a BrowserPool with %s is refused", (_what, news, message) => {
    expect(refusals(news)).toEqual([expect.stringMatching(message)]);
  });

  test("all mistakes in the inputs of a BrowserPool are reported at once", () => {
    const news = { size: 0, stealth: 1, name: "a b", viewport: 7, sizes: 3 };
    expect(refusals(news).map((each) => each.split(":")[0])).toEqual([
      "",
      "viewport",
      "stealth",
      "name",
      "size",
    ]);
  });
});

function hostsOf(...allowedHosts: string[]): PropertyMap {
  return { network: { allowedHosts } };
}

function everything(): PropertyMap {
  return {
    region: "eu-west",
    memory: "2GiB",
    network: {
      allowedHosts: ["shop.example", "*.shop.example", "1.1.1.1", "[2606:4700::1]", "1.1.1.0/24"],
      privateHosts: ["10.0.0.0/8", "db.internal:5432"],
      proxyRoutes: [{ hosts: ["*.other.example"], proxyId: "proxy_2" }],
    },
    telemetryDestinationId: "dest_1",
    telemetryStorage: false,
    telemetryExcludedMethods: ["Page.navigate"],
    name: "agents",
    projectId: "proj_1",
    extensionIds: many(20),
    profileId: "prof_1",
    refreshOnProfileUpdate: true,
    proxyId: "proxy_1",
    chromePolicy: { HomepageLocation: "https://shop.example", URLBlocklist: ["a.example"] },
    viewport: { width: 800, height: 600, refreshRate: 30 },
    headless: true,
    stealth: true,
    kioskMode: false,
    startUrl: "https://shop.example",
    timeoutSeconds: 259_200,
    fillRatePerMinute: 50,
    telemetry: { console: true, captcha: false },
    rebuildIdleBrowsersOnUpdate: true,
    forceDelete: true,
    waitForAvailable: 3,
  } satisfies Record<Exclude<PoolSetting, "profileName" | "size">, unknown> & PropertyMap;
}

function unknowns(): PropertyMap {
  return Object.fromEntries(
    Object.keys(everything())
      .filter((input) => input !== "profileName")
      .map((input) => [input, unknownValue]),
  );
}

function many(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `ext_${index}`);
}

function nothing(): PropertyMap {
  const on = ["captcha", "connection", "control", "system"];
  return Object.fromEntries(on.map((category) => [category, false]));
}
