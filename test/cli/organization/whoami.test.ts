import { useEmulator } from "../../support/emulator.js";
import { type Play, play } from "../played-terminal.js";

const secret = "sk_0123456789abcdefghijklmnopqrstuv";
const otherId = "ckv9w8q2f000001l5r3j7k9m";
const scoped = "sk_scoped_0123456789abcdefghijkl";

describe("browser-infra whoami", () => {
  const emulator = useEmulator({
    apiKeys: [secret],
    seed: {
      projects: [
        { id: "live", name: "Live" },
        { id: otherId, name: "Other" },
      ],
      apiKeys: [
        { id: "key-ci", name: "ci", key: secret },
        { id: "key-live", name: "deploy", key: scoped, project: "Live" },
      ],
    },
  });

  const whoami = async (args: readonly string[] = [], options?: Play) => {
    const played = await play(emulator, ["whoami", ...args], options);
    expect(played.out + played.err).not.toMatch(new RegExp(`${secret}|${scoped}`));
    return played;
  };
  const json = async (args: readonly string[] = [], options?: Play) => {
    const played = await whoami(["--json", ...args], options);
    return { ...played, value: JSON.parse(played.out) as Record<string, unknown> };
  };

  test("whoami prints the settings in use, the origin of each setting, and the owner of the key", async () => {
    const { exitCode, out, err } = await whoami([], { env: { KERNEL_PROJECT_ID: "live" } });
    expect([exitCode, err]).toEqual([0, ""]);
    const organization = /ORGANIZATION {2}(\S+)/.exec(out)?.[1];
    expect(out.replace(emulator.url, "http://service").replace(/ +FROM/, "  FROM")).toBe(
      [
        "SETTING   VALUE  FROM",
        "API key   sk_0123...stuv          environment variable BROWSER_INFRA_API_KEY",
        "base URL  http://service  environment variable BROWSER_INFRA_BASE_URL",
        "project   live                    environment variable KERNEL_PROJECT_ID",
        "",
        "ACCEPTED      yes",
        `ORGANIZATION  ${organization}`,
        "ACTING AS     api_key key-ci",
        'CREDENTIAL    "ci" (key-ci)',
        "CAN ACT IN    every project",
        'ACTS IN       project "Live" (live)',
        "",
      ].join("\n"),
    );
  });

  test("whoami --json prints one document, with the key masked", async () => {
    const { value, exitCode } = await json(["--project", "live"], { env: { BROWSER_INFRA_API_KEY: scoped } });
    expect(exitCode).toBe(0);
    expect(value).toMatchObject({
      apiKey: "sk_scop...ijkl",
      baseUrl: emulator.url,
      project: "live",
      projectId: "live",
      origins: { apiKey: "environment variable BROWSER_INFRA_API_KEY", projectId: "option --project" },
      accepted: true,
      problem: null,
      identity: {
        method: "api_key",
        credentialId: "key-live",
        apiKeyName: "deploy",
        credentialProjectId: "live",
        credentialProjectName: "Live",
        effectiveProjectId: "live",
        principal: { id: "key-live", type: "api_key" },
      },
    });
  });

  test.each([
    ["an unknown key", [], { BROWSER_INFRA_API_KEY: "sk_unknown" }, "401 unauthorized"],
    [
      "an unknown project",
      ["--project", "none"],
      {},
      "The project (option --project) was not found. There is no",
    ],
    [
      "another project than the key's",
      ["--project", otherId],
      { BROWSER_INFRA_API_KEY: scoped },
      "403 forbidden",
    ],
  ])(
    "whoami reports that %s is not accepted, with exit code 1 and the reason",
    async (_what, args, env, reason) => {
      const { value, exitCode, err } = await json(args, { env });
      expect([exitCode, value.accepted, value.identity]).toEqual([1, false, null]);
      expect(value.problem).toContain(reason);
      expect(JSON.parse(err).error).toMatchObject({ message: value.problem, exitCode: 1 });
      const people = await whoami(args, { env });
      expect(people.out).toMatch(/\n\nACCEPTED {2}no\n$/);
      expect(people.exitCode).toBe(1);
    },
  );

  test("whoami reports whether a key is accepted even if the service cannot name the owner of the key", async () => {
    for (const body of ["404 page not found", { code: "not_found", message: "no route" }]) {
      emulator.faults.add({
        path: "/auth/context",
        at: "before-reading",
        nth: 1,
        action: { answer: { status: 404, body } },
      });
    }
    expect(await json()).toMatchObject({ exitCode: 0, value: { accepted: true, identity: null } });
    expect(await whoami()).toMatchObject({
      exitCode: 0,
      err: "",
      out: expect.stringMatching(/\n\nACCEPTED {2}yes\n$/),
    });
    emulator.faults.add({
      path: "/auth/context",
      at: "before-reading",
      times: 2,
      action: { answer: { status: 404 } },
    });
    const refused = await json([], { env: { BROWSER_INFRA_API_KEY: "sk_unknown" } });
    expect(refused).toMatchObject({ exitCode: 1, value: { accepted: false } });
    expect(await json(["--project", "none"])).toMatchObject({ exitCode: 1, value: { accepted: false } });
  });

  test("whoami reports that acceptance of the key is unknown if the response is not from the service", async () => {
    emulator.faults.add({
      at: "before-reading",
      times: 3,
      action: { answer: { status: 404, body: "nothing here" } },
    });
    const { value, exitCode } = await json();
    expect([exitCode, value.accepted]).toEqual([1, null]);
    expect(value.problem).toContain("may also mean a wrong base URL");
  });

  test("whoami omits the names that the key may not read", async () => {
    emulator.faults.add({
      path: "/org/",
      at: "before-commit",
      times: Number.POSITIVE_INFINITY,
      action: { answer: { status: 403, body: { code: "forbidden", message: "no" } } },
    });
    const { value, exitCode } = await json(["--project", "live"]);
    expect(exitCode).toBe(0);
    expect(value).toMatchObject({
      accepted: true,
      identity: { apiKeyName: null, effectiveProjectName: null },
    });
  });

  test("whoami refuses a missing or malformed setting as wrong usage, and sends nothing", async () => {
    const missing = await whoami([], { env: { BROWSER_INFRA_BASE_URL: undefined } });
    expect(missing).toMatchObject({ exitCode: 2, out: "" });
    expect(missing.err).toMatch(/^error: No base URL\. Set BROWSER_INFRA_BASE_URL\. /);
    expect(await whoami(["--project", ""])).toMatchObject({ exitCode: 2, out: "" });
    expect(emulator.requests).toEqual([]);
  });
});
