import { withoutAddresses, withoutQuery } from "../../src/without-addresses.js";

describe("text of the service without addresses", () => {
  test.each([
    ["Open https://a.example/l/canary?code=canary now", "Open https://a.example/… now"],
    ["https://user:canary@a.example", "https://a.example"],
    ["https://a.example", "https://a.example"],
    ["http://127.0.0.1:4010?canary", "http://127.0.0.1:4010/…"],
    ["auth.example.com/login/canary or a.example:8080/canary", "auth.example.com/… or a.example:8080/…"],
    ["go on at ?code=canary", "go on at ?…"],
    ["app://callback/canary", "app://callback/…"],
    ["Wrong password, see shop.example.", "Wrong password, see shop.example."],
    ["and/or, 24/7, e.g. this", "and/or, 24/7, e.g. this"],
  ])("%j becomes %j", (text, expected) => {
    expect(withoutAddresses(text)).toBe(expected);
  });

  test("a long text is cut at a blank, and takes no long time whatever it holds", () => {
    const address = `https://a.example/${"canary".repeat(9)}`;
    expect(withoutAddresses(`${"x ".repeat(1_990)}${address}`)).toBe(`${"x ".repeat(1_990)}…`);
    for (const piece of ["?", "a.", "=", "#=", "a://", "@"]) {
      const startMs = performance.now();
      expect(withoutAddresses(piece.repeat(262_144 / piece.length)).length).toBeLessThan(5_000);
      // Without the cut these take minutes.
      expect(performance.now() - startMs).toBeLessThan(2_000);
    }
  });

  test.each([
    ["https://me:canary@shop.example/home?code=canary#canary", "https://shop.example/home"],
    ["app://callback/done?code=canary", "app://callback/done"],
    ["shop.example/home?code=canary", "shop.example/…"],
  ])("of the address %j stays %j", (address, expected) => {
    expect(withoutQuery(address)).toBe(expected);
  });
});
