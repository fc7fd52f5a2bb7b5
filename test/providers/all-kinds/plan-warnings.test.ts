import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PlayedProgram } from "../played-program.js";

describe("a preview that knows the plan", () => {
  let program: PlayedProgram;

  beforeEach(async () => {
    program = await PlayedProgram.start("BrowserPool");
  });

  /** The service reports such a plan. */
  const setPlan = (features: object, browsers = 5) => {
    const plan = { id: "FREE", effective_id: "FREE", is_trialing: false };
    const body = { plan, features, limits: { max_concurrent_browsers: browsers } };
    program.emulator.faults.add({
      path: "/org/entitlements",
      at: "before-commit",
      times: Number.POSITIVE_INFINITY,
      action: { answer: { status: 200, body } },
    });
  };
  const reads = () => program.emulator.requests.filter(({ path }) => path === "/org/entitlements").length;
  const size = (name: string, browsers: number) => ({ name, size: browsers });

  test("a preview warns once of pools that together reserve more browsers than the plan allows, and refuses nothing", async () => {
    setPlan({});
    const others = { two: size("two", 3), three: size("three", 1), four: size("four", 2) };
    const previewed = await program.preview(size("one", 2), { others });
    expect(previewed.warnings).toEqual([
      "The browser pools of this program reserve 6 browsers, and the plan allows 5 at the same time. The service may refuse this deployment.",
    ]);
    expect(previewed.failures).toEqual([]);
    expect(previewed.steps).toContain("create agents");
    expect(reads()).toBe(1);
  });

  test("a preview counts deployed pools, and reads the plan only for a new or growing pool", async () => {
    setPlan({});
    await program.up(size("one", 4));
    expect((await program.preview(size("one", 4))).warnings).toEqual([]);
    expect((await program.preview(size("one", 3))).warnings).toEqual([]);
    expect(reads()).toBe(0);
    const { warnings } = await program.preview(size("one", 4), { others: { two: size("two", 2) } });
    expect(warnings).toEqual([expect.stringContaining("reserve 6 browsers")]);
  });

  test("a preview warns of more extensions than the plan can store", async () => {
    setPlan({ browser_extensions: { enabled: true, max_stored_per_org: 1 } });
    const others = Object.fromEntries(
      ["first", "second"].map((name) => {
        const manifest = { manifest_version: 3, name, version: "1.0.0" };
        mkdirSync(join(program.folder, name));
        writeFileSync(join(program.folder, name, "manifest.json"), JSON.stringify(manifest));
        return [name, { type: "Extension", properties: { path: `./${name}` } } as const];
      }),
    );
    expect((await program.preview(size("one", 1), { others })).warnings).toEqual([
      "This program declares 2 extensions, and the plan allows 1 in all projects. The service may refuse this deployment.",
    ]);
  });

  test("a preview warns of pools and extensions above the plan only at resources of the same kind", async () => {
    setPlan({ browser_extensions: { enabled: true, max_stored_per_org: 1 } });
    const extension = (name: string) => {
      mkdirSync(join(program.folder, name));
      const manifest = { manifest_version: 3, name, version: "1.0.0" };
      writeFileSync(join(program.folder, name, "manifest.json"), JSON.stringify(manifest));
      return { type: "Extension", properties: { path: `./${name}` } } as const;
    };
    const login = { domain: "shop.example", profileName: "buyer" };
    const others = {
      two: size("two", 3),
      first: extension("first"),
      second: extension("second"),
      login: { type: "AuthConnection", properties: login } as const,
      three: size("three", 1),
    };
    const { warnings } = await program.preview(size("one", 4), { others });
    expect(warnings).toEqual([
      expect.stringContaining("reserve 7 browsers"),
      expect.stringContaining("declares 2 extensions"),
    ]);
  });

  test("a preview warns of health checks above the plan's rate, and of a feature outside the plan", async () => {
    setPlan({ managed_auth: { enabled: false, health_check_interval_min_seconds: 3600 } });
    const properties = { domain: "shop.example", profileName: "buyer", healthCheckInterval: 600 };
    const others = { login: { type: "AuthConnection", properties } as const };
    expect((await program.preview(undefined, { others })).warnings).toEqual([
      "The plan does not include managed_auth. The service may refuse this deployment.",
      '"healthCheckInterval" is 600, and the plan allows no less than 3600 seconds. The service may refuse this deployment.',
    ]);
  });

  test.each([404, 403, 500])(
    "a preview does not mention the plan if the service answers %d to the request for the plan",
    async (status) => {
      const answer = { status, body: { code: "not_found", message: "no such route" } };
      program.emulator.faults.add({
        path: "/org/entitlements",
        at: "before-commit",
        times: Number.POSITIVE_INFINITY,
        action: { answer },
      });
      const { warnings, failures } = await program.preview(size("one", 900));
      expect(failures).toEqual([]);
      expect(warnings.filter((text) => text.includes("the plan allows"))).toEqual([]);
    },
  );

  test("a deployment does not read the plan", async () => {
    setPlan({});
    await program.up(size("one", 6));
    expect(reads()).toBe(0);
  });
});
