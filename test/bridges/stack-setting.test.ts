import { stackSetting } from "../../src/providers/inputs/stack-setting.js";

describe("a setting of the stack in the environment of a provider process", () => {
  const settingIn = (text: string | undefined) => stackSetting("apiKey", { PULUMI_CONFIG: text });

  test("a stack setting is found by its name without the namespace", () => {
    expect(settingIn('{"apiKey":"sk_1","baseUrl":"https://eu.example.com"}')).toBe("sk_1");
  });

  test.each([undefined, "", "no JSON", "null", "[1]", "1", "{}", '{"apiKey":1}', '{"apikey":"sk_1"}'])(
    "a stack setting counts as not set if Pulumi gives %j",
    (text) => {
      expect(settingIn(text)).toBeUndefined();
    },
  );

  test("a stack setting with the name of an inherited object member counts as not set", () => {
    expect(stackSetting("constructor", { PULUMI_CONFIG: "{}" })).toBeUndefined();
  });
});
