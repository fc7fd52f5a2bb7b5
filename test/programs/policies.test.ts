import type { PolicyResource, ResourceValidationPolicy, StackValidationPolicy } from "@pulumi/policy";
import * as pulumi from "@pulumi/pulumi";
import { policies } from "../../examples/policies/rules.js";
import { entries } from "./resources/mocked-engine.js";

/** What a rule accepts, and what not, by the name of the rule. A rule without a row fails. */
const rows: Readonly<
  Record<string, { readonly kind: string; readonly good: readonly object[]; readonly bad: object }>
> = {
  "keys-expire": {
    kind: "ApiKey",
    good: [{ daysToExpire: 90 }, { expiresAt: "2030-01-31T00:00:00Z" }],
    bad: { name: "agents" },
  },
  "pools-have-allowed-hosts": {
    kind: "BrowserPool",
    good: [{ size: 1, network: { allowedHosts: ["shop.example"] } }],
    bad: { size: 1, network: {} },
  },
  "no-stealth-in-production": {
    kind: "BrowserPool",
    good: [{ size: 1 }, { size: 1, stealth: false }],
    bad: { size: 1, stealth: true },
  },
  "extensions-are-not-adopted": {
    kind: "Extension",
    good: [{ path: "./extension" }],
    bad: { path: "./extension", adopt: "theirs" },
  },
};

const resourceRules = policies.filter((rule): rule is ResourceValidationPolicy => "validateResource" in rule);
const stackRules = policies.filter((rule): rule is StackValidationPolicy => "validateStack" in rule);

/** Violations that a rule reports for a resource. */
function violations({ validateResource }: ResourceValidationPolicy, type: string, props: object): string[] {
  const found: string[] = [];
  const [validate] = [validateResource].flat();
  void validate?.({ type, props } as never, (message) => found.push(message));
  return found;
}

describe.each(entries)("the policies of examples/policies for $entry", ({ typeOf }) => {
  beforeEach(() =>
    pulumi.runtime.setMocks(
      { newResource: () => ({ id: "", state: {} }), call: () => ({}) },
      "shop",
      "prod-eu",
    ),
  );

  test.each(resourceRules.map((rule) => [rule.name, rule] as const))(
    "the rule %s accepts and refuses what its row lists, and concerns no other kind",
    (name, rule) => {
      const { kind = "", good = [], bad = {} } = rows[name] ?? {};
      expect(violations(rule, typeOf(kind), bad)).toEqual([
        expect.stringMatching(/^The .*\. (Set|Remove) "/),
      ]);
      expect(good.flatMap((props) => violations(rule, typeOf(kind), props))).toEqual([]);
      expect(violations(rule, typeOf("Profile"), bad)).toEqual([]);
    },
  );

  test("browsers of a stack that is not for production may hide their automation", async () => {
    await pulumi.runtime.setMocks(
      { newResource: () => ({ id: "", state: {} }), call: () => ({}) },
      "shop",
      "product",
    );
    const rule = resourceRules.find((each) => each.name === "no-stealth-in-production");
    expect(rule && violations(rule, typeOf("BrowserPool"), { stealth: true })).toEqual([]);
  });

  test("the rule about limits names each project to which no ProjectLimits belongs", () => {
    const resource = (kind: string, name: string, projectId: readonly PolicyResource[] = []) =>
      ({
        type: typeOf(kind),
        name,
        urn: `urn:${kind}:${name}`,
        propertyDependencies: { projectId },
      }) as never;
    const [limited, open] = [resource("Project", "shop"), resource("Project", "lab")];
    const resources = [limited, open, resource("ProjectLimits", "shop", [limited])];
    const found: unknown[] = [];
    const [rule] = stackRules;
    void rule?.validateStack({ resources } as never, (message, urn) => found.push([urn, message]));
    expect(found).toEqual([["urn:Project:lab", expect.stringContaining('The project "lab" has no limits.')]]);
  });
});
