import { execFileSync } from "node:child_process";
import { cpSync } from "node:fs";
import { join, resolve } from "node:path";
import { programsFolder } from "../../support/stacks/install-package.js";
import { startService } from "../../support/stacks/service.js";
import { Stack } from "../../support/stacks/stack.js";
import { newHostsEnvironment, testWithNewHosts } from "../../support/where-available.js";

describe("the policy pack of the examples, with the real engine", () => {
  testWithNewHosts("a preview with the pack names each broken rule, and passes without one", async () => {
    const { environment } = await startService();
    const stack = await Stack.createYaml({ ...environment, ...newHostsEnvironment() });
    try {
      const pack = stack.path("policies");
      cpSync(resolve(__dirname, "../../../examples/policies"), pack, { recursive: true });
      const own = `dependencies.pulumi-browser-infra=file:${join(programsFolder, "package.tgz")}`;
      execFileSync("npm", ["pkg", "set", own], { cwd: pack });
      execFileSync("npm", ["install", "--no-fund", "--no-audit"], { cwd: pack });
      const preview = () => stack.preview("--policy-pack", pack);
      const shop = { type: "browser-infra:Project", properties: { name: "shop" } };

      stack.declare({
        shop,
        agents: { type: "browser-infra:BrowserPool", properties: { size: 1 } },
        key: { type: "browser-infra:ApiKey", properties: { name: "agents" } },
      });
      const refused = await preview();
      expect(refused.exitCode).not.toBe(0);
      for (const rule of ["keys-expire", "pools-have-allowed-hosts", "projects-have-limits"]) {
        expect(refused.output).toContain(`[mandatory]  ${rule}`);
      }

      // biome-ignore lint/suspicious/noTemplateCurlyInString: a reference in YAML.
      const limits = { projectId: "${shop.id}", maxConcurrentSessions: 3 };
      stack.declare({ shop, limits: { type: "browser-infra:ProjectLimits", properties: limits } });
      expect((await preview()).exitCode).toBe(0);
    } finally {
      stack.remove();
    }
  });
});
