import * as pulumi from "@pulumi/pulumi";
import { LoginFlow } from "../../../../src/index.js";
import { awaited, entries, MockedEngine } from "../mocked-engine.js";

let engine: MockedEngine;

beforeEach(async () => {
  // As in the state: a missing value is null.
  const ended = { flowStatus: "SUCCESS", errorCode: null, hostedUrl: null };
  engine = await MockedEngine.start("conn_1", ended);
});

describe.each(entries)("LoginFlow of $entry", ({ classes, typeOf }) => {
  test("gives its outputs to the program, with undefined for no value", async () => {
    const login = new classes.LoginFlow("login", { connectionId: "conn_1" });
    expect(await awaited(login.flowStatus)).toBe("SUCCESS");
    expect(await awaited(login.errorCode)).toBeUndefined();
    expect(await awaited(login.flowType)).toBeUndefined();
    expect(await awaited(pulumi.output(login.hostedUrl))).toBeUndefined();
  });

  test("takes its time limit from the option customTimeouts, and its own argument first", async () => {
    const customTimeouts = { create: "5m", update: "1m" };
    await awaited(new classes.LoginFlow("a", { connectionId: "conn_1" }, { customTimeouts }).urn);
    const args = { connectionId: "conn_1", timeout: "9m" };
    await awaited(new classes.LoginFlow("b", args, { customTimeouts }).urn);
    expect(engine.registered.map(({ inputs }) => inputs.timeout)).toEqual(["5m", "9m"]);
    // The engine must not end the wait: the engine's error has fewer details.
    const limits = { create: "", update: "1m" };
    expect(engine.requests.map(({ customtimeouts }) => customtimeouts)).toMatchObject([limits, limits]);
  });

  test("keeps the addresses of a login secret, and what the program wants to be secret", async () => {
    const options = { additionalSecretOutputs: ["postLoginUrl"] };
    await awaited(new classes.LoginFlow("login", { connectionId: "conn_1" }, options).urn);
    expect(engine.requests[0]?.additionalsecretoutputsList).toEqual([
      "postLoginUrl",
      "hostedUrl",
      "liveViewUrl",
    ]);
  });

  test("is looked up by id, with what is known of it", async () => {
    const found = classes.LoginFlow.get("theirs", "conn_9", { flowType: "LOGIN", projectId: "proj_1" });
    expect(await awaited(found.id)).toBe("conn_9");
    expect(engine.registered[0]?.inputs).toMatchObject({ flowType: "LOGIN", projectId: "proj_1" });
    expect(engine.registered[0]?.inputs).not.toHaveProperty("connectionId");
  });

  test("cannot be imported, and says so before anything is registered", () => {
    const declare = () => new classes.LoginFlow("login", { connectionId: "conn_1" }, { import: "conn_1" });
    expect(declare).toThrow("Leave the option out: a LoginFlow has nothing to import.");
    expect(engine.registered).toEqual([]);
  });

  test("has its type token on the class, and is told apart from other resources", async () => {
    const login = new classes.LoginFlow("login", { connectionId: "conn_1" });
    const component = new pulumi.ComponentResource("shop:Browsers", "other");
    expect(classes.LoginFlow.__pulumiType).toBe(typeOf("LoginFlow"));
    expect([login, component, undefined, {}].map(classes.LoginFlow.isInstance)).toEqual([
      true,
      false,
      false,
      false,
    ]);
    await awaited(pulumi.all([login.urn, component.urn]));
  });
});

describe("LoginFlow, as a dynamic resource", () => {
  test("passes on the time limits that Pulumi does not", async () => {
    const customTimeouts = { create: "5m", delete: "1m" };
    await awaited(new LoginFlow("a", { connectionId: "conn_1" }, { customTimeouts }).urn);
    expect(engine.registered[0]?.inputs.__browserInfra.timeouts).toEqual({ delete: "1m" });
  });
});
