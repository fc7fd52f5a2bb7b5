import {
  containsSecret,
  maskedKey,
  Redaction,
  textCleaner,
  withoutAddresses,
  withoutQuery,
} from "../../../src/text/redact.js";
import { shows, spellings } from "./spellings.js";

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
  ])("withoutAddresses turns %j into %j", (text, expected) => {
    expect(withoutAddresses(text)).toBe(expected);
  });

  test("withoutAddresses cuts a long text at whitespace, and is fast for any text", () => {
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
  ])("withoutQuery turns the address %j into %j", (address, expected) => {
    expect(withoutQuery(address)).toBe(expected);
  });
});

describe("text of the service without the API key", () => {
  const apiKey = 'sk_canary/"key"+with=0123456789';
  const clean = textCleaner(apiKey);

  test("a key of less than 6 characters leaves ordinary text unchanged", () => {
    const text = "The emulator has no route for GET /a.";
    expect(["a", "no", "route"].map((key) => textCleaner(key)(text))).toEqual([text, text, text]);
    expect(textCleaner("/route")("GET /route")).toBe("GET [redacted]");
  });

  test.each(Object.entries(spellings))("the API key %s is removed from a text", (_how, spell) => {
    const line = clean(`Authorization: ${spell(apiKey)}\nrefused`);
    expect(line).toMatch(/^Authorization: .*\[redacted\].* refused$/);
    expect(shows(line, "canary")).toBe(false);
  });

  test("each line of a secret is removed, and the borders of a certificate stay", () => {
    const lines = ["-----BEGIN CERTIFICATE-----", "MIIBkTCB+6ADAgEC/A==", "line 2 of it", "x=="];
    const cleanLines = textCleaner(lines.join("\r\n"));
    expect(cleanLines('Line 1, "MIIBkTCB+6ADAgEC/A", is no base64. Line 2 of it is.')).toBe(
      'Line 1, "[redacted]", is no base64. [redacted] is.',
    );
    expect(cleanLines("It must begin with -----BEGIN CERTIFICATE-----.")).toBe(
      "It must begin with -----BEGIN CERTIFICATE-----.",
    );
  });

  test("the secret of an otpauth address is removed where the secret appears alone", () => {
    const cleanCode = textCleaner("otpauth://totp/shop:ann?issuer=shop&secret=JBSWY3DPEHPK3PXP&digits=6");
    expect(cleanCode("jbswy3dpehpk3pxp is no base32")).toBe("[redacted] is no base32");
  });

  test("text without the API key stays unchanged, including escapes", () => {
    expect(clean("50%25 of a+b, &amp; \\u0041")).toBe("50%25 of a+b, &amp; \\u0041");
  });

  test("a secret passed to hide is removed from every later text", () => {
    const redaction = new Redaction(apiKey);
    expect(redaction.clean("hunter2 is wrong")).toBe("hunter2 is wrong");
    redaction.hide(["hunter2"]);
    expect(redaction.clean(`hunter2 and ${apiKey} are wrong`)).toBe("[redacted] and [redacted] are wrong");
  });

  test("a code repeats a secret with a digit, or an equal secret, but not a word such as project", () => {
    const redaction = new Redaction("project", "hunter2", "swordfish", "in");
    const isSecret = (code: string) => redaction.isSecretCode(code);
    expect(["bad_hunter2", "swordfish", "hunter2"].map(isSecret)).toEqual([true, true, true]);
    expect(["project_not_found", "pool_in_use", "not_found"].map(isSecret)).toEqual([false, false, false]);
  });

  test("text of a response's data keeps its lines and its length, without the API key", () => {
    const redaction = new Redaction(apiKey);
    expect(redaction.hideIn(`one\ntwo ${apiKey} ${"x".repeat(600)}`)).toBe(
      `one\ntwo [redacted] ${"x".repeat(600)}`,
    );
    expect(redaction.hideIn("x".repeat(20_000)).length).toBeLessThan(17_000);
  });

  test("the API key is removed before a long text is cut", () => {
    expect(clean(`${"x".repeat(490)} ${apiKey}`)).toBe(`${"x".repeat(490)} [redacted…`);
    expect(clean("x".repeat(501))).toBe(`${"x".repeat(500)}…`);
    expect(clean("abcdef", 3)).toBe("abc…");
  });
});

describe("secrets", () => {
  test.each([
    ["sk_0123456789abcdefghijklmnopqrst", "sk_0123...qrst"],
    ["0123456789abcdef", "0123...ef"],
    ["abc", "..."],
  ])("%j is masked as %j", (key, masked) => {
    expect(maskedKey(key)).toBe(masked);
  });

  test("containsSecret distinguishes secrets from masked keys and names", () => {
    expect(containsSecret("sk_0123456789abcdefghij")).toBe(true);
    expect(containsSecret("Bearer x")).toBe(true);
    expect(containsSecret("a key of sixteen characters", "key of sixteen characters")).toBe(true);
    expect(containsSecret("a test", "test")).toBe(false);
    expect(containsSecret("sk_1234...abcd")).toBe(false);
    expect(containsSecret("sk_production")).toBe(false);
  });
});
