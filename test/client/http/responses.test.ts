import { ContractError } from "../../../src/client/index.js";
import { errorOf } from "../../support/error-of.js";
import { answer, endless, json, raw, type Script } from "../fault-server.js";
import { closeBenches, startBench, wireExtension } from "../test-client.js";

afterEach(closeBenches);

const notJson = (text: string | Buffer) => answer(200, text);

describe("responses", () => {
  test.each<[string, Script, string]>([
    [
      "an HTML page",
      answer(200, "<html>Sign in</html>", { "content-type": "text/html" }),
      "expected JSON, got an HTML page",
    ],
    [
      "no content type",
      answer(200, "{}", { "content-type": "" }),
      "expected JSON, got a body without a JSON content type",
    ],
    ["an empty body", notJson(""), "expected JSON, got an empty body (status 200)"],
    ["204", raw("HTTP/1.1 204 No Content\r\n\r\n"), "expected JSON, got an empty body (status 204)"],
    ["truncated JSON", notJson('{"id":"x1",'), "the body is not valid JSON"],
    ["invalid UTF-8", notJson(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d])), "the body is not valid UTF-8"],
    ["deep nesting", notJson("[".repeat(500_000)), "the body is not valid JSON"],
    ["null", notJson("null"), "the body should be an object, got null"],
    ["an array", notJson("[]"), "the body should be an object, got an array"],
    [
      "another extension",
      json(200, { ...wireExtension, id: "x2", name: "other" }),
      "it describes another extension",
    ],
    [
      "a declared 100 MiB",
      raw("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 104857600\r\n\r\n"),
      "the body is larger than 1048576 bytes",
    ],
    [
      "an endless body",
      endless("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n"),
      "the body is larger than 1048576 bytes",
    ],
  ])("a success with %s is a contract error, and not retried", async (_fault, script, expected) => {
    const { client, server } = await startBench([script]);
    const error = await errorOf(client.extensions.get("ad-blocker"));
    expect(error).toBeInstanceOf(ContractError);
    expect(error.message).toContain(
      `Reading the extension "ad-blocker" got an unexpected response: ${expected}`,
    );
    expect(server.requests).toHaveLength(1);
  });

  test.each<[string, unknown, string]>([
    ["id", undefined, "a string, got nothing"],
    ["id", "", "at least 1 character, got a string of 0 characters"],
    ["id", "\u001b[31mx1", "visible ASCII characters, got a string of 7 characters"],
    ["size_bytes", null, "a number, got null"],
    ["size_bytes", "12", "a number, got a string of 2 characters"],
    ["size_bytes", 1.5, "a whole number, got the number 1.5"],
    ["size_bytes", -1, "at least 0, got the number -1"],
    ["size_bytes", 2 ** 63, "at most 9007199254740991, got the number 9223372036854776000"],
    ["checksum", "AB".repeat(32), "64 lowercase hexadecimal digits, got a string of 64 characters"],
    ["name", {}, "a string, got an object"],
  ])(
    "the error for a member %s that is %j names the member and the expected value",
    async (member, value, expected) => {
      const { client } = await startBench([json(200, { ...wireExtension, [member]: value })]);
      const error = await errorOf(client.extensions.get("ad-blocker"));
      expect(error).toBeInstanceOf(ContractError);
      expect(error.message).toContain(`"${member}" should be ${expected}`);
    },
  );

  test.each([
    ["unknown members", { ...wireExtension, color: "blue", nested: { deep: [1] } }],
    ["a longer content type", wireExtension],
  ])("an extension is read from a response with %s", async (_name, body) => {
    const { client } = await startBench([
      json(200, body, { "content-type": "Application/JSON; charset=UTF-8" }),
    ]);
    expect(Object.keys(await client.extensions.get("ad-blocker")).sort()).toEqual([
      "checksum",
      "createdAt",
      "id",
      "lastUsedAt",
      "name",
      "sizeBytes",
    ]);
  });

  test("absent optional members of an extension read as null", async () => {
    const { id, size_bytes, created_at } = wireExtension;
    const { client } = await startBench([json(200, { id, size_bytes, created_at })]);
    expect(await client.extensions.get(id)).toMatchObject({ name: null, checksum: null, lastUsedAt: null });
  });
});
