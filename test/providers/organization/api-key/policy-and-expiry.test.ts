import { errorOf } from "../../../support/error-of.js";
import { dayMs, KeyProgram } from "./keys.js";

type Policy = { statements: { action: string; resource: string; [member: string]: unknown }[] };

describe("the policy and the expiry of an API key", () => {
  let program: KeyProgram;

  beforeEach(async () => {
    program = await KeyProgram.start();
  });

  const policyFor = (...actions: string[]): Policy => ({
    statements: actions.map((action) => ({
      action,
      resource: `projects/${program.emulator.defaultProject.id}/profiles/*`,
    })),
  });
  const up = (news: object) => program.up({ name: "agents", ...news });
  const inDays = (days: number) => new Date(Date.now() + days * dayMs).toISOString();
  /** The next rotation makes a key with another policy than the key `id` has. */
  const losePolicyInRotation = (id: string, policy: Policy | null = null) =>
    void program.emulator.faults.add({
      method: "POST",
      path: /\/rotate$/,
      at: "before-commit",
      action: { call: () => void setPolicy(policy, id) },
    });
  const present = () => program.records().find(({ id }) => id === program.keyId);
  const { setPolicy, setExpiry } = {
    setPolicy: (policy: Policy | null, id = program.keyId) =>
      program.emulator.apiKeyRecords.setPolicy(id, policy),
    setExpiry: (expiresAt: string) => program.emulator.apiKeyRecords.setExpiry(program.keyId, expiresAt),
  };
  const statusOf = async (path: string) => {
    const headers = { authorization: `Bearer ${String(program.stored.outputs.key)}` };
    return (await fetch(`${program.emulator.url}${path}`, { headers })).status;
  };

  test("a key is created with its policy, and may do nothing beyond the policy", async () => {
    const policy = policyFor("profiles:read");
    await up({ policy });
    expect(program.stored.outputs.policy).toEqual(policy);
    expect(present()?.policy).toEqual(policy);
    expect([await statusOf("/profiles"), await statusOf("/extensions")]).toEqual([200, 403]);
    expect(await statusOf("/org/api_keys")).toBe(403);
    await program.expectSettled({ name: "agents", policy });
    await program.refresh();
    await program.expectSettled({ name: "agents", policy });
  });

  test("a policy that leaves the program replaces the key", async () => {
    await up({ policy: policyFor("profiles:read") });
    const first = program.keyId;
    expect(await up({})).toBe("replace");
    expect(program.live()).toEqual([program.keyId]);
    expect(program.keyId).not.toBe(first);
    expect(present()?.policy).toBeNull();
  });

  test("a policy that somebody changed or removed is named by statement and restored in the same key", async () => {
    const policy = policyFor("profiles:read");
    await up({ policy });
    const { keyId } = program;
    const on = `on "projects/${program.emulator.defaultProject.id}/profiles/*"`;
    const removed = `"profiles:read" ${on} was removed`;
    const changes: [Policy | null, string][] = [
      [policyFor("profiles:write"), `"profiles:write" ${on} was added, ${removed}`],
      [null, removed],
      [policyFor("profiles:read", "profiles:use"), `"profiles:use" ${on} was added`],
    ];
    for (const [other, text] of changes) {
      setPolicy(other);
      await program.refresh();
      expect(program.messages).toEqual([
        `The policy of API key ${keyId} was changed outside of this program: ${text}. The next "pulumi up" restores the policy.`,
      ]);
      expect(await up({ policy })).toBe("update");
      expect(present()?.policy).toEqual(policy);
      expect(program.keyId).toBe(keyId);
    }
  });

  test("statements that somebody put in a different order are reported and restored", async () => {
    const policy = policyFor("profiles:read", "profiles:use");
    await up({ policy });
    setPolicy(policyFor("profiles:use", "profiles:read"));
    await program.refresh();
    expect(program.messages).toEqual([expect.stringContaining(": its statements are in another order. ")]);
    expect(await up({ policy })).toBe("update");
    expect(present()?.policy).toEqual(policy);
  });

  test("a policy that somebody gave to a key without a policy replaces the key", async () => {
    await up({});
    setPolicy(policyFor("profiles:read"));
    await program.refresh();
    expect(program.messages).toEqual([expect.stringContaining('The next "pulumi up" replaces the key.')]);
    expect(await up({})).toBe("replace");
    expect(present()?.policy).toBeNull();
  });

  test("a rotation keeps the policy where the service copies it", async () => {
    const policy = policyFor("profiles:read");
    await up({ policy, triggers: ["1"] });
    await up({ policy, triggers: ["2"] });
    expect(present()?.policy).toEqual(policy);
    expect(program.posts().filter((path) => path.endsWith("/rotate"))).toHaveLength(1);
    expect(program.posts()).toHaveLength(2);
  });

  test("where a rotation loses the policy, the new key gets the policy", async () => {
    const policy = policyFor("profiles:read");
    await up({ policy, triggers: ["1"] });
    const first = program.keyId;
    losePolicyInRotation(first);
    await up({ policy, triggers: ["2"] });
    expect(present()?.policy).toEqual(policy);
    expect(program.posts()).toHaveLength(2);
    expect(program.live()).toEqual([first, program.keyId].sort());
    expect(program.stored.outputs.previousKeys).toEqual([{ id: first, expiresAt: expect.any(String) }]);
    await program.expectSettled({ name: "agents", policy, triggers: ["2"] });
  });

  test("where a rotation loses the policy and no policy can change, a key with the policy replaces the new key", async () => {
    const policy = policyFor("profiles:read");
    await up({ policy, triggers: ["1"] });
    const first = program.keyId;
    losePolicyInRotation(first);
    program.refuse("PATCH", 400);
    await up({ policy, triggers: ["2"] });
    expect(present()?.policy).toEqual(policy);
    expect(program.posts()).toHaveLength(3);
    expect(program.live()).toEqual([first, program.keyId].sort());
    expect(program.stored.outputs.previousKeys).toEqual([{ id: first, expiresAt: expect.any(String) }]);
    await program.expectSettled({ name: "agents", policy, triggers: ["2"] });
  });

  describe("with conditions and filters", () => {
    const conditions = { source_ip: ["203.0.113.0/24"] };
    /** Filters on the policy and on the first statement. */
    const filtered = (policy: Policy) => ({
      ...policy,
      conditions,
      statements: policy.statements.map((each, at) => (at === 0 ? { ...each, filter: { at } } : each)),
    });

    test("a declared condition is sent, compared, and sent again in a replacement and a rotation", async () => {
      const policy = filtered(policyFor("profiles:read", "profiles:use"));
      await up({ policy, triggers: ["1"] });
      expect(present()?.policy).toEqual(policy);
      await program.refresh();
      await program.expectSettled({ name: "agents", policy, triggers: ["1"] });
      await up({ policy, triggers: ["2"] });
      expect(present()?.policy).toEqual(policy);
      expect(await up({ policy, projectId: program.emulator.defaultProject.id })).toBe("replace");
      expect(present()?.policy).toEqual(policy);
    });

    test("a declared condition that somebody removed, or that the program changes, is sent to the same key", async () => {
      const policy = filtered(policyFor("profiles:read"));
      await up({ policy });
      const { keyId } = program;
      setPolicy(policyFor("profiles:read"));
      await program.refresh();
      expect(program.messages).toEqual([
        expect.stringMatching(
          /: "profiles:read" on "[^"]+" has other conditions, "conditions" differs\. The/,
        ),
      ]);
      expect(await up({ policy })).toBe("update");
      expect(present()?.policy).toEqual(policy);
      const narrower = { ...policy, conditions: { source_ip: ["203.0.113.7/32"] } };
      expect(await up({ policy: narrower })).toBe("update");
      expect(present()?.policy).toEqual(narrower);
      expect(program.keyId).toBe(keyId);
    });

    test("a condition that leaves the program is removed from the key", async () => {
      const policy = policyFor("profiles:read");
      await up({ policy: filtered(policy) });
      expect(await up({ policy })).toBe("update");
      expect(present()?.policy).toEqual(policy);
    });

    test("a condition that somebody added is reported, and neither replaces the key nor is removed", async () => {
      const policy = policyFor("profiles:read", "profiles:use");
      await up({ policy });
      const id = program.keyId;
      setPolicy(filtered(policy));
      await program.refresh();
      expect(program.messages).toEqual([
        `The policy of API key ${id} was changed outside of this program, in undeclared parts: "conditions", "filter". Deployments keep the change.`,
      ]);
      expect(program.stored.outputs.policy).toEqual(filtered(policy));
      await program.expectSettled({ name: "agents", policy });
      expect(program.keyId).toBe(id);
      await program.refresh();
      expect(program.messages).toEqual([]);
    });

    test("a change keeps the conditions that only the service has, also without a refresh", async () => {
      await up({ policy: policyFor("profiles:read", "profiles:use") });
      setPolicy(filtered(policyFor("profiles:read", "profiles:use")));
      const policy = policyFor("profiles:read", "profiles:write");
      expect(await up({ policy })).toBe("update");
      expect(present()?.policy).toEqual(filtered(policy));
      await program.expectSettled({ name: "agents", policy });
      await program.refresh();
      expect(program.messages).toEqual([]);
    });

    test("a replacement loses the conditions that only the service has, and preview and row name them", async () => {
      const policy = policyFor("profiles:read");
      await up({ policy });
      setPolicy(filtered(policy));
      await program.refresh();
      const news = { name: "agents", policy, expiresAt: inDays(9) };
      const loses = expect.stringMatching(
        /loses these undeclared settings of the old key: policy\.statements\.filter, policy\.conditions = /,
      );
      await program.preview(news);
      expect(program.messages).toContainEqual(loses);
      expect(await up(news)).toBe("replace");
      expect(program.messages).toContainEqual(loses);
      expect(present()?.policy).toEqual(policy);
    });

    test("the deployment warns of a condition whose statement leaves the program", async () => {
      await up({ policy: policyFor("profiles:read") });
      setPolicy(filtered(policyFor("profiles:read")));
      await program.refresh();
      const policy = policyFor("profiles:write");
      expect(await up({ policy })).toBe("update");
      expect(program.warnings).toEqual([
        'The new policy loses undeclared parts: "filter". To keep these parts, declare them.',
      ]);
      expect(present()?.policy).toEqual({ ...policy, conditions });
    });

    test("the new key of a rotation that loses a condition gets the condition", async () => {
      const policy = policyFor("profiles:read");
      await up({ policy, triggers: ["1"] });
      const first = program.keyId;
      setPolicy(filtered(policy));
      losePolicyInRotation(first, policy);
      await up({ policy, triggers: ["2"] });
      expect(program.keyId).not.toBe(first);
      expect(present()?.policy).toEqual(filtered(policy));
      expect(program.live()).toEqual([first, program.keyId].sort());
    });

    test("an imported key has its conditions, and a program without conditions keeps the conditions", async () => {
      const policy = policyFor("profiles:read");
      const { id } = program.emulator.createApiKey({ name: "agents", policy: filtered(policy) });
      await program.import(id);
      expect(program.stored.outputs.policy).toEqual(filtered(policy));
      expect(await up({ policy })).not.toBe("replace");
      await program.expectSettled({ name: "agents", policy });
      expect(present()?.policy).toEqual(filtered(policy));
    });
  });

  test("a response without the declared policy is no key, and the error says why", async () => {
    const policy = policyFor("profiles:read");
    const body = { id: "dropped", name: "agents", key: "sk_dropped" };
    program.emulator.faults.add({
      method: "POST",
      path: "/org/api_keys",
      at: "after-commit",
      times: Number.POSITIVE_INFINITY,
      action: { answer: { status: 201, body } },
    });
    const error = await errorOf(up({ policy }));
    expect(error).toMatchObject({ code: "outcome_unknown" });
    expect(error.message).toContain("a key with a different policy");
    program.emulator.faults.clear();
    await up({ policy });
    expect(program.live()).toEqual([program.keyId]);
  });

  test("a key expires at the declared time, and a change of the triggers replaces the key", async () => {
    const expiresAt = inDays(30);
    await up({ expiresAt, triggers: ["1"] });
    expect(program.stored.outputs).toMatchObject({ expiresAt });
    await program.refresh();
    await program.expectSettled({ name: "agents", expiresAt, triggers: ["1"] });
    expect(await up({ expiresAt, triggers: ["2"] })).toBe("replace");
    expect(program.stored.outputs).toMatchObject({ expiresAt, previousKeys: [] });
    expect(program.live()).toEqual([program.keyId]);
  });

  test("a different expiry, or an expiry that somebody changed, replaces the key", async () => {
    await up({ expiresAt: inDays(30) });
    const later = inDays(60);
    expect(await up({ expiresAt: later })).toBe("replace");
    expect(await up({ expiresAt: later.replace("Z", "+00:00") })).toBe("update");
    setExpiry(inDays(5));
    await program.refresh();
    expect(program.messages).toEqual([expect.stringContaining("was changed outside of this program")]);
    expect(await up({ expiresAt: later })).toBe("replace");
    expect(present()?.expiresAt).toBe(later);
    expect(await up({ daysToExpire: 3 })).toBe("replace");
    expect(await up({ expiresAt: later })).toBe("replace");
    expect(await up({})).toBe("replace");
    expect(present()?.expiresAt).toBeNull();
  });

  test("a key past its expiresAt stays, and an expiresAt in the past is refused", async () => {
    const expiresAt = inDays(30);
    await up({ expiresAt });
    jest.useFakeTimers({ now: Date.now() + 31 * dayMs, doNotFake: [...notTimers] });
    try {
      expect(await up({ expiresAt })).toBe("same");
      expect(await program.failures({ expiresAt: inDays(-1) })).toEqual([
        'expiresAt: The "expiresAt" is in the past. Give a time in the future.',
      ]);
    } finally {
      jest.useRealTimers();
    }
  });

  test.each<[string, object, RegExp]>([
    ["both ways to expire", { expiresAt: inDays(1), daysToExpire: 1 }, /^expiresAt: .*cannot be combined/],
    ["a grace that never begins", { expiresAt: inDays(1), keepOldKeyDays: 1 }, /^keepOldKeyDays: .*replaced/],
    ["a time that is over", { expiresAt: "2020-01-01T00:00:00Z" }, /^expiresAt: .*is in the past/],
    ["a date without a time", { expiresAt: "2090-01-01" }, /^expiresAt: .*must be a date-time/],
    ["a renewal of a fixed end", { expiresAt: inDays(9), rotateBeforeDays: 3 }, /^rotateBeforeDays: .*needs/],
    ["a policy without statements", { policy: { statements: [] } }, /^policy: .*at least one/],
    ["a policy in words", { policy: "all" }, /^policy: .*must have "statements"/],
    [
      "a statement without a resource",
      { policy: { statements: [{ action: "browsers:use" }] } },
      /^policy: .*problem in statement 1.*must have a "resource" of the form/,
    ],
    [
      "a resource of another form",
      { policy: statement("browsers:use", "projects/*/browsers/*") },
      /^policy: .*of the form "organizations/,
    ],
    [
      "an action that the service does not have",
      { policy: statement("browsers:read", "projects/p/*") },
      /^policy: .*no action "browsers:read".*use "browsers:create", "browsers:use"/,
    ],
    [
      "an action on an object of another kind",
      { policy: statement("profiles:use", "projects/p/proxies/x") },
      /^policy: .*for proxies\./,
    ],
    [
      "a creation on one object",
      { policy: statement("profiles:create", "projects/p/profiles/x") },
      /^policy: .*needs the resource of a whole project/,
    ],
  ])("a key with %s is refused before any request", async (_what, news, expected) => {
    expect(await program.failures({ ...news })).toEqual([expect.stringMatching(expected)]);
    expect(program.emulator.requests).toEqual([]);
  });
});

function statement(action: string, resource: string): Policy {
  return { statements: [{ action, resource }] };
}

/** Timers that stay real: only the clock is faked. */
const notTimers = [
  "hrtime",
  "nextTick",
  "performance",
  "queueMicrotask",
  "setImmediate",
  "clearImmediate",
  "setInterval",
  "clearInterval",
  "setTimeout",
  "clearTimeout",
] as const;
