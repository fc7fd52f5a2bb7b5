import { errorOf } from "../../../support/error-of.js";
import { KeyProgram } from "./keys.js";

describe("a changed policy of an API key", () => {
  let program: KeyProgram;

  beforeEach(async () => {
    program = await KeyProgram.start();
  });

  const policyFor = (...actions: string[]) => ({
    statements: actions.map((action) => ({
      action,
      resource: `projects/${program.emulator.defaultProject.id}/*`,
    })),
  });
  const up = (news: object) => program.up({ name: "agents", ...news });
  const policyOf = (id: string) => program.records().find((key) => key.id === id)?.policy;
  const statusOf = async (path: string) => {
    const headers = { authorization: `Bearer ${String(program.stored.outputs.key)}` };
    return (await fetch(`${program.emulator.url}${path}`, { headers })).status;
  };
  /** Number of PATCH requests until now. */
  const patches = () => program.writes.filter((method) => method === "PATCH").length;

  test("a changed policy is an update: the secret stays, and the service enforces the new rule at once", async () => {
    await up({ policy: policyFor("profiles:read") });
    const { keyId } = program;
    const { key } = program.stored.outputs;
    expect([await statusOf("/profiles/none"), await statusOf("/proxies/none")]).toEqual([404, 403]);
    const policy = policyFor("proxies:read");
    expect(await program.preview({ name: "agents", policy })).toMatchObject({ steps: ["update agents"] });
    expect(await up({ policy })).toBe("update");
    expect([await statusOf("/profiles/none"), await statusOf("/proxies/none")]).toEqual([403, 404]);
    expect(program.stored.outputs).toMatchObject({ keyId, key, policy });
    expect(program.live()).toEqual([keyId]);
    await program.expectSettled({ name: "agents", policy });
  });

  test("a policy that the program adds to a key without a policy is an update", async () => {
    await up({});
    const { key } = program.stored.outputs;
    const policy = policyFor("profiles:read");
    expect(await up({ policy })).toBe("update");
    expect(program.stored.outputs).toMatchObject({ key, policy });
    expect(policyOf(program.keyId)).toEqual(policy);
  });

  test("a changed policy also reaches the old keys in their grace period", async () => {
    await up({ policy: policyFor("profiles:read"), triggers: [1] });
    const first = program.keyId;
    await up({ policy: policyFor("profiles:read"), triggers: [2] });
    const policy = policyFor("profiles:read", "proxies:read");
    expect(await up({ policy, triggers: [2] })).toBe("update");
    expect(program.keyId).not.toBe(first);
    expect([policyOf(first), policyOf(program.keyId)]).toEqual([policy, policy]);
  });

  test("a changed policy is sent before a rotation by new triggers, and the rotation keeps the policy", async () => {
    await up({ policy: policyFor("profiles:read"), triggers: [1] });
    const first = program.keyId;
    const policy = policyFor("proxies:read");
    expect(await up({ policy, triggers: [2] })).toBe("update");
    expect([policyOf(first), policyOf(program.keyId)]).toEqual([policy, policy]);
    expect(program.posts().filter((path) => path.endsWith("/rotate"))).toHaveLength(1);
    await program.expectSettled({ name: "agents", policy, triggers: [2] });
  });

  test.each(["before-reading", "after-commit"] as const)(
    "a policy change with a lost response (%s) is compared by the next deployment, and the key stays",
    async (at) => {
      await up({ policy: policyFor("profiles:read") });
      const { key } = program.stored.outputs;
      const policy = policyFor("proxies:read");
      program.interrupt("PATCH", at);
      expect(await errorOf(up({ policy }))).toMatchObject({ code: "outcome_unknown" });
      const before = patches();
      expect(await up({ policy })).toBe("update");
      // A policy that the service has already is not sent again.
      expect(patches() - before).toBe(at === "after-commit" ? 0 : 1);
      expect(program.stored.outputs).toMatchObject({ key, policy });
      expect(policyOf(program.keyId)).toEqual(policy);
      await program.expectSettled({ name: "agents", policy });
    },
  );

  describe("refused in place", () => {
    const policy = () => policyFor("proxies:read");

    beforeEach(async () => {
      await up({ policy: policyFor("profiles:read") });
      program.refuse("PATCH", 400);
    });

    test("a policy change refused in place fails with advice, and the next preview announces the replacement", async () => {
      const first = program.keyId;
      const error = await errorOf(up({ policy: policy() }));
      expect(error.message).toContain("refused by a fault");
      expect(error.message).toContain('the next "pulumi up" then replaces the key, and its preview says so.');
      expect(program.live()).toEqual([first]);
      await program.refresh();
      expect(await program.preview({ name: "agents", policy: policy() })).toMatchObject({
        steps: ["replace agents"],
      });
      expect(await up({ policy: policy() })).toBe("replace");
      expect(program.live()).toEqual([program.keyId]);
      expect(policyOf(program.keyId)).toEqual(policy());
      expect(await program.statusWith()).toBe(403);
      await program.expectSettled({ name: "agents", policy: policy() });
    });

    test("after a refused policy change, a different policy is again tried in place", async () => {
      const { key } = program.stored.outputs;
      await errorOf(up({ policy: policy() }));
      const corrected = policyFor("proxies:use");
      expect(await up({ policy: corrected })).toBe("update");
      expect(program.stored.outputs).toMatchObject({ key, policy: corrected });
      await program.expectSettled({ name: "agents", policy: corrected });
    });

    test("a return to the old policy forgets the refused policy change", async () => {
      const { key } = program.stored.outputs;
      await errorOf(up({ policy: policy() }));
      expect(await up({ policy: policyFor("profiles:read") })).toBe("update");
      expect(program.stored.outputs).toMatchObject({ key });
      expect(await up({ policy: policy() })).toBe("update");
      expect(program.stored.outputs).toMatchObject({ key, policy: policy() });
    });
  });

  test("a policy change that is refused with 403 replaces nothing later", async () => {
    await up({ policy: policyFor("profiles:read") });
    program.refuse("PATCH", 403);
    expect(await errorOf(up({ policy: policyFor("proxies:read") }))).toMatchObject({ status: 403 });
    expect(await up({ policy: policyFor("proxies:read") })).toBe("update");
  });

  test("a policy for the key that the deployment uses is refused", async () => {
    const { id } = program.emulator.apiKeyRecords.list()[0] ?? {};
    await program.import(String(id));
    const error = await errorOf(program.up({ name: "Given at start", policy: policyFor("profiles:read") }));
    expect(error).toMatchObject({ code: "own_api_key" });
    expect(error.message).toContain("was not restricted: the deployment would lose access.");
    expect(policyOf(String(id))).toBeNull();
  });
});
