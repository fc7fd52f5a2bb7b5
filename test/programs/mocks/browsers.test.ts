import * as pulumi from "@pulumi/pulumi";
import * as infra from "pulumi-browser-infra";
import { declareBrowsers, declareEnvironment } from "./browsers.js";
import { MockedService, resolved } from "./mocked-service.js";

const settings = { projectName: "shop", extensionPath: "./extension", keyId: "key_1", connectionId: "con_1" };
let service: MockedService;

beforeEach(async () => {
  service = new MockedService();
  await pulumi.runtime.setMocks(service, "shop-browsers", "dev");
});

describe("a program that uses every function and resource, under mocks", () => {
  test("the program declares the extension in the project that it has looked up", async () => {
    const { reader } = await declareBrowsers(settings);
    expect(await resolved(reader.checksum)).toBe("ab".repeat(32));
    expect(service.inputsOf("page-reader")).toMatchObject({
      path: "./extension",
      name: "reader-dev",
      projectId: "prj_1",
    });
  });

  test("the program names the key after the project", async () => {
    const { key } = await declareBrowsers(settings);
    expect(await resolved(key.name)).toBe("shop-ci");
    expect(await resolved(key.previousName)).toBe("unnamed");
  });

  test("the program reports success only for a login that succeeded", async () => {
    expect(await resolved((await declareBrowsers(settings)).loggedIn)).toBe(true);
    service.outputs["pulumi-nodejs:dynamic/browser-infra:LoginFlow"] = { flowStatus: "FAILED" };
    expect(await resolved((await declareBrowsers(settings)).loggedIn)).toBe(false);
  });

  test("the program reads back the objects that it declares", async () => {
    const browsers = await declareBrowsers(settings);
    expect(await resolved(browsers.limits.maxConcurrentSessions)).toBe(10);
    expect(await resolved(browsers.limits.maxConcurrentInvocations)).toBeUndefined();
    expect(await resolved(browsers.uploaded.name)).toBe("reader-dev");
    expect(await resolved(browsers.connection)).toBe("AUTHENTICATED");
    expect(await resolved(browsers.keyExpires)).toBe("2027-01-01T00:00:00Z");
    expect(await resolved(browsers.browsersReady)).toBe(2);
    expect(await resolved(browsers.vaultEnabled)).toBe(true);
    expect(await resolved(browsers.poolNames)).toEqual(["agents"]);
    expect(await resolved(browsers.keysOfThatName)).toBe(1);
    expect(await resolved(browsers.otherProjects)).toEqual(["labs"]);
    expect(service.calls).toContainEqual({
      token: "browser-infra:index:getExtension",
      inputs: { id: "page-reader-id" },
    });
  });

  test("the program declares a separate environment", async () => {
    const { apiKey, poolId, vaultName, browsersOfAll } = declareEnvironment("web");
    expect(await resolved(poolId)).toBe("web-pool-id");
    expect(await resolved(apiKey)).toBe("sk_mocked");
    expect(await resolved(vaultName)).toBe("web");
    expect(await resolved(browsersOfAll)).toBe(100);
    expect(service.inputsOf("web-limits")).toMatchObject({ projectId: "web-id", maxConcurrentSessions: 5 });
    expect(service.inputsOf("web-pool")).toMatchObject({ projectId: "web-id", profileId: "web-profile-id" });
  });

  test("the program declares nothing in an archived project", async () => {
    service.answers["browser-infra:index:getProject"] = ({ name }) => ({
      id: "prj_1",
      name,
      status: "archived",
    });
    await expect(declareBrowsers(settings)).rejects.toThrow('Project "shop" is archived.');
    expect(service.resources).toEqual([]);
  });

  test("the program stops when the mock says that the service refuses", async () => {
    service.answers["browser-infra:index:getProject"] = () => {
      throw new infra.BrowserInfraError("name_not_found", 'There is no project with the name "shop".');
    };
    await expect(declareBrowsers(settings)).rejects.toMatchObject({
      code: "name_not_found",
      message: 'getProject: There is no project with the name "shop".',
    });
  });

  test("a function rejects impossible arguments, also under mocks", async () => {
    await expect(infra.getProject({} as never)).rejects.toMatchObject({ code: "argument_missing" });
    expect(service.calls).toEqual([]);
  });
});
