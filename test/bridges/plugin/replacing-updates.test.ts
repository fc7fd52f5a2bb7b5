import { useEmulator } from "../../support/emulator.js";
import { startPlugin } from "./plugin-requests.js";

describe("an update that replaces the object, which pulumi do sends and the engine never", () => {
  const emulator = useEmulator();

  test("the plugin refuses the update before any write, and takes the next update in place", async () => {
    const provider = await startPlugin({
      environment: { BROWSER_INFRA_BASE_URL: emulator.url, BROWSER_INFRA_API_KEY: emulator.apiKeys[0] },
    });
    try {
      const { id: projectId } = emulator.createProject({ name: "Other" });
      const { id } = emulator.profiles.createFrom({ name: "work" }, emulator.defaultProject.id);
      const type = "browser-infra:index:Profile";
      const details = { urn: `urn:pulumi:dev::default::${type}::Profile`, type };
      const { properties, inputs = {} } = await provider.read(id, {}, {}, details);
      const { replaces } = await provider.diff(id, properties, { ...inputs, projectId }, details);
      expect(replaces).toEqual(["projectId"]);
      await expect(provider.update(id, properties, { ...inputs, projectId }, details)).rejects.toThrow(
        'A change of "projectId" replaces the object, which an update cannot. Create a new object, and delete this one.',
      );
      expect(emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
      await provider.diff(id, properties, { ...inputs, name: "home" }, details);
      await provider.update(id, properties, { ...inputs, name: "home" }, details);
      expect(emulator.profiles.list()).toMatchObject([{ id, name: "home" }]);
    } finally {
      await provider.stop();
    }
  });
});
