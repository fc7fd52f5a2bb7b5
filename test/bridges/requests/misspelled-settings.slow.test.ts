import { declaredNames } from "../../../src/config.js";
import { PlayedResource } from "../played-resource.js";
import { checkConfig, invoke } from "../plugin/plugin-requests.js";
import { bridges, ProviderProcess, programFolder } from "../provider-process.js";

const shell = { BROWSER_INFRA_BASE_URL: "http://127.0.0.1:9", BROWSER_INFRA_API_KEY: "sk_of_the_shell" };

/** The name of a setting in capitals, without the namespace: `BASEURL`. */
const inCapitals = (setting: string) => setting.replace("browser-infra:", "").toUpperCase();

describe.each(bridges)("a misspelled setting of the stack, through the %s bridge", (bridge) => {
  test.each(declaredNames.settings)(
    "X6: %s in capitals is refused before the settings of the shell are used",
    async (setting) => {
      const given = inCapitals(setting);
      const reason = expect.stringContaining(
        `The stack configuration has browser-infra:${given}, which is not a setting. Did you mean ${setting}?`,
      );
      const provider = await ProviderProcess.start(programFolder(), {
        bridge,
        configuration: bridge === "plugin" ? { [given]: "x" } : { [`browser-infra:${given}`]: "x" },
        environment: {
          ...shell,
          ...(bridge === "plugin" && { PULUMI_CONFIG: JSON.stringify({ [given]: "x" }) }),
        },
      });
      try {
        const profile = new PlayedResource(provider, { kind: "Profile" });
        expect((await profile.check({})).failures).toEqual([{ property: "", reason }]);
        if (bridge === "plugin") {
          const { failures } = await checkConfig(provider, "default", { [given]: "x" });
          expect(failures).toEqual([{ property: "", reason }]);
          await expect(invoke(provider, "getProjects")).rejects.toThrow(`Did you mean ${setting}?`);
        }
      } finally {
        await provider.stop();
      }
    },
  );

  test.each(declaredNames.variables)(
    "X6: the variable %s without its last separator is refused",
    async (variable) => {
      const given = variable.replace(/_([A-Z]+)$/, "$1");
      const environment = { ...shell, [given]: "x" };
      const provider = await ProviderProcess.start(programFolder(), { bridge, environment });
      try {
        const { failures } = await new PlayedResource(provider, { kind: "Profile" }).check({});
        expect(failures).toEqual([
          { property: "", reason: expect.stringContaining(`Did you mean ${variable}? Rename the variable.`) },
        ]);
      } finally {
        await provider.stop();
      }
    },
  );
});
