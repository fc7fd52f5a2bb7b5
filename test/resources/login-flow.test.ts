import * as pulumi from "@pulumi/pulumi";
import { LoginFlow } from "../../src/index.js";

/** What the program asked the engine for, as Pulumi's mocks show it. */
const registered: pulumi.runtime.MockResourceArgs[] = [];

beforeAll(async () => {
  await pulumi.runtime.setMocks(
    {
      newResource: (args) => {
        registered.push(args);
        // As the state has it: no value is null.
        const ended = { flowStatus: "SUCCESS", errorCode: null, hostedUrl: null };
        return { id: args.id || "conn_1", state: { ...args.inputs, ...ended } };
      },
      call: () => ({}),
    },
    "shop",
    "dev",
  );
});

beforeEach(() => {
  registered.length = 0;
});

function awaited<T>(output: pulumi.Output<T>): Promise<T> {
  return new Promise((resolve) => {
    output.apply(resolve);
  });
}

describe("LoginFlow", () => {
  test("gives its outputs to the program, with undefined for no value", async () => {
    const login = new LoginFlow("login", { connectionId: "conn_1" });
    expect(await awaited(login.flowStatus)).toBe("SUCCESS");
    expect(await awaited(login.errorCode)).toBeUndefined();
    expect(await awaited(login.flowType)).toBeUndefined();
    expect(await awaited(pulumi.output(login.hostedUrl))).toBeUndefined();
  });

  test("takes its time limit from the option customTimeouts, and its own argument first", async () => {
    const customTimeouts = { create: "5m", delete: "1m" };
    await awaited(new LoginFlow("a", { connectionId: "conn_1" }, { customTimeouts }).urn);
    await awaited(new LoginFlow("b", { connectionId: "conn_1", timeout: "9m" }, { customTimeouts }).urn);
    expect(registered.map(({ inputs }) => inputs.timeout)).toEqual(["5m", "9m"]);
    expect(registered[0]?.inputs.__browserInfra.timeouts).toEqual({ delete: "1m" });
  });

  test("is looked up by id, with what is known of it", async () => {
    const found = LoginFlow.get("theirs", "conn_9", { flowType: "LOGIN" });
    expect(await awaited(found.id)).toBe("conn_9");
    expect(registered[0]?.inputs).toMatchObject({ flowType: "LOGIN" });
    expect(registered[0]?.inputs).not.toHaveProperty("connectionId");
  });

  test("has its type token on the class, and is told apart from other resources", () => {
    const login = new LoginFlow("login", { connectionId: "conn_1" });
    const component = new pulumi.ComponentResource("shop:Browsers", "other");
    expect(LoginFlow.__pulumiType).toBe("pulumi-nodejs:dynamic/browser-infra:LoginFlow");
    expect([login, component, undefined, {}].map(LoginFlow.isInstance)).toEqual([true, false, false, false]);
  });
});
