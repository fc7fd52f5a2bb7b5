import * as pulumi from "@pulumi/pulumi";
import { nameKeys } from "../../../examples/keys-and-limits/name-keys.js";
import { MockedService, resolved } from "./mocked-service.js";

describe("examples/keys-and-limits, under mocks", () => {
  let service: MockedService;

  beforeEach(async () => {
    service = new MockedService();
    await pulumi.runtime.setMocks(service, "keys-and-limits", "dev");
  });

  function allowing(maxConcurrentSessions: number | undefined): void {
    service.answers["browser-infra:index:getProjectLimits"] = () => ({ maxConcurrentSessions });
  }

  const keys = { staging: "key_1", production: "key_2" };

  test("examples/keys-and-limits names the key of each environment after the project", async () => {
    const named = await nameKeys({ projectName: "shop", browsersAtOnce: 10, keys });
    expect(await resolved(pulumi.output(named))).toEqual({
      staging: "shop-staging",
      production: "shop-production",
    });
    expect(service.inputsOf("production")).toMatchObject({ keyId: "key_2", onDelete: "restore" });
  });

  test("examples/keys-and-limits treats a project without a limit as large enough", async () => {
    allowing(undefined);
    expect(Object.keys(await nameKeys({ projectName: "shop", browsersAtOnce: 10, keys }))).toHaveLength(2);
  });

  test("examples/keys-and-limits names no key if the project allows fewer browsers than needed", async () => {
    allowing(9);
    await expect(nameKeys({ projectName: "shop", browsersAtOnce: 10, keys })).rejects.toThrow(
      'Project "shop" allows 9 browsers at once, and this deployment needs 10.',
    );
    expect(service.resources).toEqual([]);
  });
});
