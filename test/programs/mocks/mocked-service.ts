import type * as pulumi from "@pulumi/pulumi";

/**
 * Results of functions by token, and outputs of resources by type that the service adds. Change
 * both before a test declares anything.
 */
export class MockedService implements pulumi.runtime.Mocks {
  /** Every resource the program has declared. */
  readonly resources: pulumi.runtime.MockResourceArgs[] = [];
  /** Every function the program has called. */
  readonly calls: pulumi.runtime.MockCallArgs[] = [];

  readonly answers: Record<string, (inputs: Record<string, unknown>) => Record<string, unknown>> = {
    "browser-infra:index:getProject": ({ name }) => ({ id: "prj_1", name, status: "active" }),
    "browser-infra:index:getProjects": () => ({
      projects: [
        { id: "prj_1", name: "shop" },
        { id: "prj_2", name: "labs" },
      ],
    }),
    "browser-infra:index:getProjectLimits": ({ projectId }) => ({
      projectId,
      projectName: "shop",
      maxConcurrentSessions: 10,
    }),
    "browser-infra:index:getOrganizationLimits": () => ({ maxConcurrentSessions: 100 }),
    "browser-infra:index:getExtension": ({ id }) => ({ id, name: "reader-dev" }),
    "browser-infra:index:getBrowserPool": ({ id }) => ({ id, name: "agents", availableCount: 2 }),
    "browser-infra:index:getProfile": ({ name }) => ({
      id: "prf_1",
      name,
      lastUsedAt: "2026-11-01T00:00:00Z",
    }),
    "browser-infra:index:getCredentialProvider": ({ name }) => ({ id: "cpr_1", name, enabled: true }),
    "browser-infra:index:getProxy": ({ name }) => ({ id: "prx_1", name, type: "isp", status: "available" }),
    "browser-infra:index:getBrowserPools": () => ({ browserPools: [{ id: "pool_1", name: "agents" }] }),
    "browser-infra:index:getApiKey": ({ id }) => ({ id, name: "shop-ci", expiresAt: "2027-01-01T00:00:00Z" }),
    "browser-infra:index:getAuthConnection": ({ id }) => ({ id, status: "AUTHENTICATED" }),
    "browser-infra:index:getApiKeys": ({ name }) => ({ apiKeys: [{ id: "key_1", name }] }),
  };

  readonly outputs: Record<string, Record<string, unknown>> = {
    "pulumi-nodejs:dynamic/browser-infra:Extension": { checksum: "ab".repeat(32), sizeBytes: 1234 },
    "pulumi-nodejs:dynamic/browser-infra:ApiKeyName": { previousName: "unnamed", maskedKey: "sk_1...cdef" },
    "pulumi-nodejs:dynamic/browser-infra:ApiKey": { key: "sk_mocked", maskedKey: "sk_m...cked" },
    "pulumi-nodejs:dynamic/browser-infra:LoginFlow": { flowStatus: "SUCCESS", flowType: "LOGIN" },
  };

  newResource(args: pulumi.runtime.MockResourceArgs): pulumi.runtime.MockResourceResult {
    this.resources.push(args);
    // A key name has the id of the key; an extension gets an id from the service.
    return {
      id: args.inputs.keyId ?? `${args.name}-id`,
      state: { ...args.inputs, ...this.outputs[args.type] },
    };
  }

  call(args: pulumi.runtime.MockCallArgs): pulumi.runtime.MockCallResult {
    this.calls.push(args);
    const answer = this.answers[args.token];
    if (answer === undefined) {
      throw new Error(`The test has no response for ${args.token}.`);
    }
    return answer(args.inputs);
  }

  /** Inputs of the resource with a logical name. */
  inputsOf(name: string): Record<string, unknown> {
    return this.resources.find((resource) => resource.name === name)?.inputs ?? {};
  }
}

/** The value of an Output. */
export function resolved<T>(output: pulumi.Output<T>): Promise<T> {
  return new Promise((resolve) => {
    output.apply(resolve);
  });
}
