import { cpSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { startService } from "../../support/stacks/service.js";
import { Stack } from "../../support/stacks/stack.js";

const root = resolve(__dirname, "../../..");

describe("examples/quickstart, with the real engine", () => {
  test("the Pulumi.yaml of the repository deploys examples/quickstart in TypeScript", async () => {
    const { emulator, environment } = await startService();
    // Pulumi checks the program's types, like for a user.
    const typed = { ...environment, PULUMI_NODEJS_TRANSPILE_ONLY: "false" };
    const stack = await Stack.create(typed, readFileSync(join(root, "Pulumi.yaml"), "utf8"));
    try {
      cpSync(join(root, "examples", "quickstart"), stack.path("examples", "quickstart"), { recursive: true });
      await stack.up();
      const [extension] = emulator.extensions.list();
      expect(await stack.outputs()).toEqual({
        extensionId: extension?.id,
        extensionName: extension?.name,
        checksum: extension?.checksum,
      });
      await stack.up("--expect-no-changes");
    } finally {
      stack.remove();
      await emulator.close();
    }
  });
});
