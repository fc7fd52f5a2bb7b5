import {
  defaultProjectId,
  parseBaseUrl,
  resolveSettings,
  type SettingName,
  type SettingsSource,
} from "../../src/config.js";
import { ConfigError } from "../../src/errors.js";

const places: Record<SettingName, [configuration: string, own: string, service: string]> = {
  apiKey: ["browser-infra:apiKey", "BROWSER_INFRA_API_KEY", "KERNEL_API_KEY"],
  baseUrl: ["browser-infra:baseUrl", "BROWSER_INFRA_BASE_URL", "KERNEL_BASE_URL"],
  projectId: ["browser-infra:projectId", "BROWSER_INFRA_PROJECT_ID", "KERNEL_PROJECT_ID"],
};
const complete = {
  KERNEL_API_KEY: "key",
  KERNEL_BASE_URL: "https://api.example.com",
  KERNEL_PROJECT_ID: "prj",
};

function source(
  environment: Record<string, string | undefined>,
  configuration: Record<string, string | undefined> = {},
  explicit: SettingsSource["explicit"] = {},
): SettingsSource {
  return { explicit, environment, configuration: (key) => configuration[key] };
}

function errorFrom(act: () => unknown): ConfigError {
  try {
    act();
  } catch (error) {
    if (error instanceof ConfigError) {
      return error;
    }
  }
  throw new Error("expected a ConfigError");
}

describe("resolveSettings", () => {
  test("without a stack, errors for missing settings only mention environment variables", () => {
    expect(errorFrom(() => resolveSettings({ environment: {} })).message).toBe(
      "No API key. Set BROWSER_INFRA_API_KEY.",
    );
    expect(errorFrom(() => resolveSettings({ environment: { KERNEL_API_KEY: "key" } })).message).toMatch(
      /^No base URL\. Set BROWSER_INFRA_BASE_URL\. There is no default/,
    );
    expect(resolveSettings({ environment: complete }).origins.apiKey).toBe(
      "environment variable KERNEL_API_KEY",
    );
  });

  test("the service's own variables are used when nothing else is set, and the origins name the variables", () => {
    expect(resolveSettings(source(complete))).toEqual({
      apiKey: "key",
      baseUrl: "https://api.example.com",
      projectId: "prj",
      origins: {
        apiKey: "environment variable KERNEL_API_KEY",
        baseUrl: "environment variable KERNEL_BASE_URL",
        projectId: "environment variable KERNEL_PROJECT_ID",
      },
    });
  });

  test.each(
    (Object.keys(places) as SettingName[]).flatMap((name) =>
      Array.from({ length: 16 }, (_, set) => [name, set] as const),
    ),
  )("the setting %s comes from the first source with a value (sources set: %i)", (name, set) => {
    const [configuration, own, service] = places[name];
    const value = (place: string) => (name === "baseUrl" ? `https://${place}.example` : place);
    const has = (bit: number) => (set & bit) !== 0;
    const [wanted, origin] = has(8)
      ? [value("argument"), `argument ${name}`]
      : has(4)
        ? [value("stack"), `stack configuration ${configuration}`]
        : has(2)
          ? [value("own"), `environment variable ${own}`]
          : has(1)
            ? [value("service"), `environment variable ${service}`]
            : [undefined, "not set"];
    const resolve = () =>
      resolveSettings(
        source(
          { ...complete, [own]: has(2) ? value("own") : " \t", [service]: has(1) ? value("service") : "" },
          { [configuration]: has(4) ? value("stack") : undefined },
          { [name]: has(8) ? value("argument") : undefined },
        ),
      );
    if (wanted === undefined && name !== "projectId") {
      expect(errorFrom(resolve).code).toBe("config_missing");
      return;
    }
    const settings = resolve();
    expect([settings[name], settings.origins[name]]).toEqual([wanted, origin]);
  });

  describe("KERNEL_PROJECT, which may hold a name", () => {
    const id = "ckv9w8q2f000001l5r3j7k9m";
    const { KERNEL_PROJECT_ID, ...others } = complete;

    test("KERNEL_PROJECT is read after the variables for ids, and may hold an id", () => {
      const settings = resolveSettings(source({ ...others, KERNEL_PROJECT: id }));
      expect([defaultProjectId(settings), settings.origins.projectId]).toEqual([
        id,
        "environment variable KERNEL_PROJECT",
      ]);
      const both = resolveSettings(source({ ...others, KERNEL_PROJECT_ID, KERNEL_PROJECT: "Live" }));
      expect(defaultProjectId(both)).toBe("prj");
      const ofStack = { "browser-infra:projectId": "of_the_stack" };
      expect(defaultProjectId(resolveSettings(source({ ...others, KERNEL_PROJECT: "Live" }, ofStack)))).toBe(
        "of_the_stack",
      );
      expect(defaultProjectId(resolveSettings(source({ ...others, KERNEL_PROJECT: " " })))).toBeUndefined();
    });

    test("a program that names a project by name gets an error, never the default project", () => {
      const settings = resolveSettings(source({ ...others, KERNEL_PROJECT: "本番" }));
      expect(settings).toMatchObject({ projectId: undefined, projectName: "本番" });
      expect(errorFrom(() => defaultProjectId(settings))).toMatchObject({
        code: "config_invalid",
        message:
          "The project from environment variable KERNEL_PROJECT is not an id (24 of the characters a-z and 0-9). " +
          "If it is a name: names can change, so a program needs the id. " +
          'Set BROWSER_INFRA_PROJECT_ID to the id, which "browser-infra projects list" shows.',
      });
    });
  });

  test("without a stack, the error for a bad setting names a variable and no pulumi command", () => {
    for (const [name, value] of [
      ["KERNEL_API_KEY", "a b"],
      ["KERNEL_BASE_URL", "ftp://a"],
      ["KERNEL_PROJECT_ID", "a b"],
      ["KERNEL_PROJECT", "a\nb"],
    ] as const) {
      const environment = { ...complete, KERNEL_PROJECT_ID: undefined, [name]: value };
      const { message } = errorFrom(() => resolveSettings({ environment }));
      expect(message).toMatch(/ Set (BROWSER_INFRA_[A-Z_]+|KERNEL_PROJECT)\b/);
      expect(message).not.toMatch(/pulumi/i);
    }
  });

  test("with a stack, the error for a missing setting names the pulumi command and the variable", () => {
    const messageFor = (environment: object) =>
      errorFrom(() => resolveSettings(source({ ...environment }))).message;
    expect(messageFor({ KERNEL_BASE_URL: "https://api.example.com" })).toBe(
      'No API key. Run "pulumi config set --secret browser-infra:apiKey" or set BROWSER_INFRA_API_KEY.',
    );
    expect(messageFor({ KERNEL_API_KEY: "key" })).toBe(
      'No base URL. Run "pulumi config set browser-infra:baseUrl <url>" or set BROWSER_INFRA_BASE_URL. There is no default: the API key is only sent to a host that you name.',
    );
  });

  test.each(["", "  ", "\n"])(
    "an argument or stack value of only whitespace (%j) is an error that names the source",
    (empty) => {
      for (const name of Object.keys(places) as SettingName[]) {
        const [configuration] = places[name];
        expect(errorFrom(() => resolveSettings(source(complete, {}, { [name]: empty }))).message).toContain(
          `from argument ${name} is empty; give a value or leave it out.`,
        );
        expect(
          errorFrom(() => resolveSettings(source(complete, { [configuration]: empty }))).message,
        ).toContain(`from stack configuration ${configuration} is empty`);
      }
    },
  );

  test.each([
    "can ary",
    "canary\n",
    "canary\r\nX-Evil: 1",
    "can\0ary",
    "cänary",
    "canary".repeat(700),
    "\u007fcanary",
  ])("X7: a key or project id that does not fit a header is refused without being echoed (%#)", (value) => {
    for (const [name, variable] of [
      ["apiKey", "KERNEL_API_KEY"],
      ["projectId", "KERNEL_PROJECT_ID"],
    ] as const) {
      const error = errorFrom(() => resolveSettings(source({ ...complete, [variable]: value })));
      expect(error.code).toBe("config_invalid");
      expect(error.message).toContain(`from environment variable ${variable} `);
      expect(error.message).toContain(`browser-infra:${name}`);
      expect(error.message).not.toMatch(/ary|Evil/);
    }
  });

  test("an API key and a project id of the maximum length are accepted", () => {
    const environment = { ...complete, KERNEL_API_KEY: "k".repeat(4096), KERNEL_PROJECT_ID: "p".repeat(255) };
    expect(resolveSettings(source(environment)).apiKey).toHaveLength(4096);
    expect(
      errorFrom(() => resolveSettings(source({ ...environment, KERNEL_PROJECT_ID: "p".repeat(256) }))).code,
    ).toBe("config_invalid");
  });

  describe("settings of a Provider", () => {
    const own = { "browser-infra:provider": "eu", "browser-infra:baseUrl": "https://eu.example.com" };
    const ofEnvironment = { ...own, "browser-infra:apiKeyFromEnv": "EU_API_KEY" };
    const ofStack = { ...own, "browser-infra:apiKeyFromConfig": "pulumi-nodejs:euApiKey" };

    test("a Provider's key comes from the variable or stack setting that the Provider names, as the origin states", () => {
      const environment = { ...complete, EU_API_KEY: "of the environment".replaceAll(" ", "_") };
      expect(resolveSettings(source(environment, ofEnvironment))).toMatchObject({
        apiKey: "of_the_environment",
        baseUrl: "https://eu.example.com",
        origins: {
          apiKey: 'environment variable EU_API_KEY, named by Provider "eu"',
          baseUrl: 'argument baseUrl of Provider "eu"',
        },
      });
      expect(
        resolveSettings(source(complete, { ...ofStack, "pulumi-nodejs:euApiKey": "of_the_stack" })),
      ).toMatchObject({
        apiKey: "of_the_stack",
        origins: { apiKey: 'stack configuration pulumi-nodejs:euApiKey, named by Provider "eu"' },
      });
    });

    test.each([
      [
        ofEnvironment,
        "The environment variable EU_API_KEY is not set. Set EU_API_KEY in the environment in which Pulumi runs.",
      ],
      [
        ofStack,
        'This stack does not have the setting pulumi-nodejs:euApiKey. Run "pulumi config set --secret pulumi-nodejs:euApiKey".',
      ],
    ])(
      "X3: a Provider gets an error and no different key when the named source has no key (%#)",
      (configuration, why) => {
        const error = errorFrom(() =>
          resolveSettings(source({ ...complete, EU_API_KEY: " " }, configuration)),
        );
        expect(error.code).toBe("config_missing");
        expect(error.message).toBe(`No API key for Provider "eu". ${why}`);
      },
    );

    test("a bad setting of a Provider is reported as a Provider argument, not as stack configuration", () => {
      const wrong = { ...own, "browser-infra:baseUrl": "http://eu.example.com" };
      const { message } = errorFrom(() => resolveSettings(source(complete, wrong)));
      expect(message).toContain(
        'The base URL from argument baseUrl of Provider "eu" uses http for eu.example.com',
      );
      expect(message).toMatch(/Fix "baseUrl" of that Provider\.$/);
      expect(message).not.toContain("pulumi config");
      const project = { ...own, "browser-infra:projectId": "a b" };
      expect(errorFrom(() => resolveSettings(source(complete, project))).message).toMatch(
        /^The project id from argument projectId of Provider "eu" has a space.*Fix "projectId" of that Provider\.$/,
      );
    });

    test("the error for a malformed variable with the key of a Provider does not advise the stack setting, which the Provider does not read", () => {
      const wrong = { BROWSER_INFRA_API_KEY: "a b", BROWSER_INFRA_BASE_URL: "https://api.example.com" };
      const { message } = errorFrom(() => resolveSettings(source(wrong, { "browser-infra:provider": "eu" })));
      expect(message).toMatch(
        /^The API key from environment variable BROWSER_INFRA_API_KEY has a space.* Set BROWSER_INFRA_API_KEY\.$/,
      );
    });

    test("the error for a missing setting of a Provider names the argument and the environment variable", () => {
      expect(errorFrom(() => resolveSettings(source({}, own))).message).toBe(
        'No API key for Provider "eu". Give the argument "apiKeyFrom", or set BROWSER_INFRA_API_KEY.',
      );
      expect(
        errorFrom(() =>
          resolveSettings(source({ KERNEL_API_KEY: "key" }, { "browser-infra:provider": "eu" })),
        ).message,
      ).toMatch(
        /^No base URL for Provider "eu"\. Give the argument "baseUrl", or set BROWSER_INFRA_BASE_URL\. There is no/,
      );
    });
  });

  test("the settings module loads neither the HTTP library nor the schema library", () => {
    jest.isolateModules(() => {
      jest.doMock("undici", () => {
        throw new Error("undici is loaded");
      });
      jest.doMock("zod", () => {
        throw new Error("zod is loaded");
      });
      expect(typeof require("../../src/config").resolveSettings).toBe("function");
    });
  });
});

describe("parseBaseUrl", () => {
  test.each([
    ["https://api.example.com", "https://api.example.com"],
    ["https://api.example.com/", "https://api.example.com"],
    ["HTTPS://API.Example.com:443//", "https://api.example.com"],
    ["https://api.example.com:8443/kernel/v1/", "https://api.example.com:8443/kernel/v1"],
    ["https://10.0.0.7", "https://10.0.0.7"],
    ["http://localhost:4010", "http://localhost:4010"],
    ["http://127.0.0.1:4010/", "http://127.0.0.1:4010"],
    ["http://127.255.0.9", "http://127.255.0.9"],
    ["http://[::1]:4010", "http://[::1]:4010"],
  ])("parseBaseUrl accepts %s", (value, expected) => {
    expect(parseBaseUrl(value)).toBe(expected);
  });

  test.each([
    ["http://api.example.com", "uses http for api.example.com"],
    ["http://10.0.0.7", "uses http"],
    ["http://0.0.0.0:80", "uses http"],
    ["http://localhost.example.com", "uses http"],
    ["http://127.0.0.1.example.com", "uses http"],
    ["http://[::ffff:127.0.0.1]", "uses http"],
    ["https://user@api.example.com", "user name or password"],
    ["https://user:canary@api.example.com", "user name or password"],
    ["https://api.example.com?x=1", "query or a fragment"],
    ["https://api.example.com/?", "query or a fragment"],
    ["https://api.example.com/#x", "query or a fragment"],
    ["https://169.254.169.254/latest", "link-local or metadata"],
    ["http://169.254.169.254", "link-local or metadata"],
    ["https://2852039166", "link-local or metadata"],
    ["https://0xa9.0xfe.1", "link-local or metadata"],
    ["https://[::ffff:169.254.169.254]", "link-local or metadata"],
    ["https://[64:ff9b::169.254.169.254]", "link-local or metadata"],
    ["https://[fe80::1]", "link-local or metadata"],
    ["https://[febf::1]", "link-local or metadata"],
    ["https://100.100.100.200", "link-local or metadata"],
    ["https://[::ffff:100.100.100.200]", "link-local or metadata"],
    ["https://[64:ff9b::100.100.100.200]", "link-local or metadata"],
    ["https://[fd00:ec2::254]", "link-local or metadata"],
    ["https://metadata.google.internal.", "link-local or metadata"],
    ["ftp://api.example.com", "not an absolute http or https address"],
    ["api.example.com", "not an absolute http or https address"],
    ["//api.example.com", "not an absolute http or https address"],
    ["https:api.example.com", "not an absolute http or https address"],
    ["https://", "not an absolute http or https address"],
    ["https://api.example.com:99999", "not an absolute http or https address"],
    ["https://api.exa\tmple.com", "a space, a backslash"],
    ["https://api.example.com\n", "a space, a backslash"],
    [" https://api.example.com", "a space, a backslash"],
    ["https:\\\\api.example.com", "a space, a backslash"],
    ["https://xn--äpi.example.com", "a space, a backslash"],
    [`https://${"a".repeat(3000)}.example.com`, "longer than 2048"],
    ["", "is empty"],
  ])("X6: parseBaseUrl refuses %j", (value, why) => {
    const error = errorFrom(() => parseBaseUrl(value));
    expect(error.code).toBe("config_invalid");
    expect(error.message).toContain("The base URL from argument baseUrl ");
    expect(error.message).toContain(why);
    expect(error.message).toContain('Give an address such as "https://api.example.com".');
    expect(error.message).not.toContain("canary");
  });

  test("X12: parseBaseUrl reads a hostile megabyte within seconds", () => {
    const start = performance.now();
    for (const text of ["a", "https://", "/", ".", " "]) {
      errorFrom(() => parseBaseUrl(text.repeat(1_000_000 / text.length)));
    }
    // A backtracking pattern takes minutes.
    expect(performance.now() - start).toBeLessThan(5_000);
  });
});
