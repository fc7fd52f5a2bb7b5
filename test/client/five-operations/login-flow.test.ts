import type { LifecycleContext } from "../../../src/providers/lifecycle.js";
import { LoginFlowLifecycle } from "../../../src/providers/logins/login-flow/lifecycle.js";
import { connectionId, type FiveOperations, refusals, startFiveOperations } from "./service.js";

describe.each(refusals)(
  "a login flow of a service with just the five operations (%s for the rest)",
  (refusal) => {
    let service: FiveOperations;
    const lines: string[] = [];
    const lifecycle = new LoginFlowLifecycle();
    const contextOf = (): LifecycleContext => {
      const say = (line: string) => lines.push(line);
      return {
        urn: "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/browser-infra:LoginFlow::login",
        programFolder: "/nowhere",
        configuration: () => undefined,
        environment: { BROWSER_INFRA_BASE_URL: service.url, BROWSER_INFRA_API_KEY: service.apiKeys[0] },
        signal: new AbortController().signal,
        report: { progress: say, row: say, info: say, warning: say, debug: say },
      };
    };
    beforeEach(async () => {
      service = await startFiveOperations(refusal);
    });
    afterEach(() => service.close());

    test("a LoginFlow waits for the login, and a refresh reports no drift", async () => {
      const { id, outputs } = await lifecycle.create({ connectionId }, contextOf());
      expect({ id, outputs }).toMatchObject({ id: connectionId, outputs: { flowStatus: "SUCCESS" } });
      expect(lines.some((line) => line.startsWith("looking for the login form"))).toBe(true);
      const read = await lifecycle.read({ id, state: outputs }, contextOf());
      expect(read).toMatchObject({ id, outputs });
    });
  },
);
