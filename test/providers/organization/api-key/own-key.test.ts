import type { LifecycleContext } from "../../../../src/providers/lifecycle.js";
import { apiKeyKind } from "../../../../src/providers/organization/api-key/api-key.js";
import { useEmulator } from "../../../support/emulator.js";
import { errorOf } from "../../../support/error-of.js";

describe("the key that a deployment uses", () => {
  const emulator = useEmulator();

  function context(): LifecycleContext {
    const quiet = () => undefined;
    return {
      urn: "urn:pulumi:dev::shop::browser-infra:index:ApiKey::agents",
      programFolder: ".",
      configuration: () => undefined,
      environment: { BROWSER_INFRA_BASE_URL: emulator.url, BROWSER_INFRA_API_KEY: emulator.apiKeys[0] },
      signal: new AbortController().signal,
      report: { progress: quiet, row: quiet, info: quiet, warning: quiet, debug: quiet },
    };
  }

  test("a deletion that failed because GET /auth/context was refused succeeds in the same process", async () => {
    const created = await apiKeyKind.lifecycle().create({ name: "agents" }, context());
    const key = { id: created.id, state: created.outputs };
    const lifecycle = apiKeyKind.lifecycle();
    emulator.faults.add({ path: "/auth/context", at: "before-commit", action: { answer: { status: 403 } } });
    expect(await errorOf(lifecycle.delete(key, context()))).toMatchObject({ status: 403 });
    await lifecycle.delete(key, context());
    expect(emulator.apiKeyRecords.list().find(({ id }) => id === key.id)?.deletedAt).not.toBeNull();
  });
});
