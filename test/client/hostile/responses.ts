import { answer, endless, hang, json, raw, reset, type Script, type SeenRequest } from "../fault-server.js";
import { canaryKey } from "../test-client.js";
import { bodyOf, type HonestAnswer, type Operation } from "./operations.js";

/** A hostile or broken answer to any request. */
export interface HostileResponse {
  readonly name: string;
  readonly script: (operation: Operation) => Script;
  /** Whether the response confirms a write, in spite of its form. Default: false. */
  readonly confirms?: boolean;
  /**
   * Whether the response only looks hostile, so that every operation must return the right value.
   * Default: false.
   */
  readonly isHarmless?: boolean;
  /** Whether the response does not end before a deadline. Default: false. */
  readonly lasts?: boolean;
  /** Changed members of records. The returned value may differ in these members. */
  readonly changes?: readonly string[];
}

const steering = "\u001b]0;owned\u0007\u001b[2J\u202e";

/** Sends the same to every operation. */
const same = (name: string, script: Script): HostileResponse => ({ name, script: () => script });

/** Sends the same to every operation, and never comes to an end. */
const lasting = (name: string, script: Script): HostileResponse => ({ ...same(name, script), lasts: true });

/** Sends the honest answer changed. */
function changed(
  name: string,
  change: (
    honest: HonestAnswer,
    request: SeenRequest,
  ) => Partial<HonestAnswer> & { headers?: Record<string, string> },
  more: Partial<HostileResponse> = {},
): HostileResponse {
  const script =
    ({ answer: honestly }: Operation): Script =>
    (socket, request) => {
      const honest = honestly(request);
      const { headers, ...rest } = change(honest, request);
      const sent = { ...honest, ...rest };
      const type = sent.contentType === "" ? {} : { "content-type": sent.contentType };
      answer(sent.status, rest.bytes ?? bodyOf(sent), { "content-type": "", ...type, ...headers })(
        socket,
        request,
      );
    };
  return { name, script, ...more };
}

/** Sends the honest records, each with the members added. */
function withMembers(
  name: string,
  members: (record: object) => object,
  more: Partial<HostileResponse> = {},
): HostileResponse {
  const change = ({ records }: HonestAnswer) =>
    records === undefined
      ? {}
      : {
          records: Array.isArray(records)
            ? (records as readonly object[]).map((row) => ({ ...row, ...members(row) }))
            : { ...records, ...members(records) },
        };
  return changed(name, change, more);
}

/** Sends every record with all members replaced. */
function everyMember(name: string, value: (member: unknown) => unknown): HostileResponse {
  return withMembers(name, (record) =>
    Object.fromEntries(Object.entries(record).map(([member, old]) => [member, value(old)])),
  );
}

const ok = (body: string | Buffer, headers: Record<string, string> = {}) => answer(200, body, headers);
const html = { "content-type": "text/html; charset=utf-8" };
const portal = "<!doctype html><html><title>Sign in to the Wi-Fi</title></html>";
const oddError = {
  code: `bad${steering}`,
  message: `Bearer ${canaryKey} ${steering}`,
  details: [{ message: "\u0000".repeat(10) }, 7, null],
  inner_error: [],
};

/** Sends a byte from time to time, and never ends. */
const drip =
  (head: string, byte: string): Script =>
  (socket) => {
    socket.write(head);
    const timer = setInterval(() => socket.write(byte), 40);
    socket.on("close", () => clearInterval(timer));
  };

const refusal = (status: number) =>
  same(`${status}`, json(status, { code: "refused", message: "No" }, { "retry-after": "0" }));

/** The status and headers of a success with a JSON body of unknown length. */
const openHead = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";

/** Answers with a success status. */
const successes: readonly HostileResponse[] = [
  same("a captive portal's page", ok(portal, html)),
  same("a page that says it is JSON", ok(portal)),
  same("an empty body", ok("")),
  same("a body of spaces", ok("   \n")),
  same("null", ok("null")),
  same("a string", ok('"ok"')),
  same("a number", ok("1e999")),
  same("true", ok("true")),
  same("an empty object", ok("{}")),
  same("an empty array", ok("[]")),
  same("an array of null", ok("[null]")),
  same("arrays in arrays", ok("[[[]]]")),
  same("an error body with a success", ok(JSON.stringify(oddError))),
  same("a hundred thousand open brackets", ok("[".repeat(100_000))),
  same("fifty thousand objects inside one another", ok(`${'{"id":'.repeat(50_000)}1${"}".repeat(50_000)}`)),
  same("invalid UTF-8", ok(Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]))),
  same("the key as its body", ok(canaryKey)),
  same("the key as a member", json(200, { id: canaryKey, name: [canaryKey], event: canaryKey })),
  same(
    "an event stream of nonsense",
    ok("data: [DONE]\n\ndata: null\n\ndata: {}\n\n", { "content-type": "text/event-stream" }),
  ),
  changed("its first half", (honest) => ({ bytes: bodyOf(honest).subarray(0, bodyOf(honest).length / 2) })),
  changed("the right body in UTF-16", (honest) => ({
    bytes: Buffer.from(bodyOf(honest).toString(), "utf16le"),
  })),
  changed("the right body as text", () => ({ contentType: "text/plain" })),
  changed("the right body as a page", () => ({ contentType: "text/html" })),
  changed("the right body of no type", () => ({ contentType: "" })),
  changed("the right body as gzip", () => ({ headers: { "content-encoding": "gzip" } })),
  changed("the right body in an unknown coding", () => ({ headers: { "content-encoding": "rot13" } })),
  changed("a part (206)", () => ({ status: 206 }), { confirms: true }),
  changed("accepted (202)", () => ({ status: 202 }), { confirms: true }),
  changed("an unknown success (299)", () => ({ status: 299 }), { confirms: true }),
  same("no content (204)", raw("HTTP/1.1 204 No Content\r\n\r\n")),
  same("reset content (205)", raw("HTTP/1.1 205 Reset Content\r\ncontent-length: 0\r\n\r\n")),
  changed(
    "a byte order mark before the right body",
    (honest) => ({
      bytes:
        honest.records === undefined
          ? bodyOf(honest)
          : Buffer.concat([Buffer.from("\ufeff"), bodyOf(honest)]),
    }),
    { isHarmless: true, confirms: true },
  ),
  changed("a request id with the key", () => ({ headers: { "x-request-id": canaryKey } }), {
    isHarmless: true,
    confirms: true,
  }),
];

/** Records that are wrong or only look wrong. */
const records: readonly HostileResponse[] = [
  everyMember("every member null", () => null),
  everyMember("every member a number", () => 7),
  everyMember("every member an object", () => ({})),
  everyMember("every member a huge number", () => 2 ** 60),
  everyMember("every string with an escape sequence", (old) =>
    typeof old === "string" ? `${steering}${old}` : old,
  ),
  everyMember("every string a mebibyte", (old) => (typeof old === "string" ? "x".repeat(1_048_576) : old)),
  withMembers("the id of another object", () => ({ id: "ckz0000000000000000000zz", name: "other" }), {
    changes: ["id", "name"],
  }),
  withMembers("an id with an escape sequence", () => ({ id: `ck${steering}` })),
  withMembers("an id of 256 characters", () => ({ id: "x".repeat(256) })),
  withMembers("an id that is a path", () => ({ id: "../../org" })),
  withMembers("a name with an escape sequence", () => ({ name: `web${steering}` }), {
    confirms: true,
    changes: ["name"],
  }),
  withMembers("times with escape sequences", (row) => onlyTimes(row, steering), {
    isHarmless: true,
    confirms: true,
    changes: "createdAt updatedAt lastUsedAt lastErrorAt lastExportAt timestamp expiresAt".split(" "),
  }),
  withMembers("unknown members", () => ({ color: "blue", nested: { deep: [1] } }), {
    isHarmless: true,
    confirms: true,
  }),
  changed(
    "a member __proto__",
    (honest) => ({
      bytes: Buffer.from(
        honest.records === undefined
          ? bodyOf(honest)
          : bodyOf(honest).toString().replaceAll("{", '{"__proto__":{"polluted":true},"constructor":1,'),
      ),
    }),
    { isHarmless: true, confirms: true },
  ),
];

/**
 * Sends a list with rows made from the honest row, and these headers. Any other answer is
 * unchanged.
 */
function ofList(
  name: string,
  headers: (offset: number) => Record<string, string>,
  rows: (honest: object, offset: number) => readonly object[] = (honest) => [honest],
  changes: readonly string[] = [],
): HostileResponse {
  const change = ({ records, contentType }: HonestAnswer, { target }: SeenRequest) => {
    const offset = Number(new URL(target, "http://service.invalid").searchParams.get("offset"));
    const [first] = Array.isArray(records) && contentType === "application/json" ? (records as object[]) : [];
    return { ...(first !== undefined && { records: rows(first, offset) }), headers: headers(offset) };
  };
  return changed(name, change, { confirms: true, changes });
}

/** Lists without an end, and with the same rows again and again. */
const lists: readonly HostileResponse[] = [
  ofList(
    "pages without end",
    (offset) => ({ "x-has-more": "true", "x-next-offset": `${offset + 100}` }),
    (row, offset) =>
      Array.from({ length: 100 }, (_, at) => ({ ...row, id: `id${offset + at}`, name: "other" })),
  ),
  ofList(
    "pages without end and without headers",
    () => ({}),
    (row, offset) =>
      Array.from({ length: 100 }, (_, at) => ({ ...row, id: `id${offset + at}`, name: "other" })),
  ),
  ofList(
    "the same page again and again",
    (offset) => ({ "x-has-more": "true", "x-next-offset": `${offset + 3}` }),
    (row) => [row, row, row],
  ),
  ofList(
    "empty pages that go on",
    (offset) => ({ "x-has-more": "true", "x-next-offset": `${offset + 1}` }),
    () => [],
  ),
  ofList("a next offset beyond all numbers", () => ({
    "x-has-more": "true",
    "x-next-offset": "9".repeat(400),
  })),
  ofList("more pages, perhaps", () => ({ "x-has-more": "maybe" })),
  ofList(
    "the same row three times",
    () => ({}),
    (row) => [row, row, row],
  ),
  ofList(
    "a hundred thousand rows",
    () => ({}),
    (row) => Array.from({ length: 100_000 }, () => row),
  ),
];

/** Refusals, redirects and errors. */
const refusals: readonly HostileResponse[] = [
  ...[
    400, 401, 402, 403, 404, 405, 406, 408, 409, 410, 413, 418, 422, 425, 429, 451, 500, 501, 502, 503, 504,
    507, 520, 599,
  ].map(refusal),
  same("404 not_found", json(404, { code: "not_found", message: "No" })),
  same("a portal's page with 404", answer(404, portal, html)),
  same("a portal's page with 503", answer(503, portal, html)),
  same("an error with escape sequences and the key", json(400, oddError, { "x-request-id": canaryKey })),
  same("an error of another shape", json(409, [["conflict"]])),
  same("an error of ten mebibytes", json(400, { code: "bad_request", message: "x".repeat(10_485_760) })),
  lasting(
    "an error that breaks off",
    raw('HTTP/1.1 422 No\r\ncontent-type: application/json\r\ncontent-length: 900\r\n\r\n{"code":"bad'),
  ),
  same("429 for years", json(429, { code: "slow_down", message: "No" }, { "retry-after": "999999999" })),
  same("a redirect to another host", answer(302, "", { location: `https://evil.example/?key=${canaryKey}` })),
  same("a redirect to itself", answer(308, "", { location: "/extensions" })),
  same("a redirect without a target", answer(301, portal, html)),
  same("304", raw("HTTP/1.1 304 Not Modified\r\n\r\n")),
  same("300", answer(300, "[]")),
];

/** Answers that are not HTTP, or never end. */
const transports: readonly HostileResponse[] = [
  same("another protocol", raw("SSH-2.0-OpenSSH_9.7\r\n")),
  same("a page without a status line", raw(portal)),
  same("the key as a status line", raw(`${canaryKey}\r\n\r\n`)),
  same("status 999", raw("HTTP/1.1 999 Odd\r\ncontent-length: 0\r\n\r\n")),
  same("two lengths", raw(`${openHead}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`)),
  same("a negative length", raw(`${openHead}content-length: -1\r\n\r\n{}`)),
  same("a wrong chunk", raw(`${openHead}transfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n`)),
  same("a last chunk that is missing", (socket) =>
    socket.end(`${openHead}transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n`),
  ),
  same("headers without end", endless(`${openHead}x-endless: `)),
  same("a body without end", endless(`${openHead}\r\n`)),
  lasting("an archive without end", endless("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n")),
  same("an error without end", endless("HTTP/1.1 400 No\r\ncontent-type: application/json\r\n\r\n")),
  lasting("a declared terabyte", raw(`${openHead}content-length: 1099511627776\r\n\r\n{`)),
  lasting("a head one byte at a time", drip("HTTP/1.1 200 OK\r\nx: ", "x")),
  lasting("a body one byte at a time", drip(`${openHead}\r\n`, " ")),
  lasting("a stream of comments", drip("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n", ":\n")),
  same("a reset", reset),
  lasting("nothing at all", hang),
  same("a closed connection", (socket) => socket.end()),
  {
    name: "early hints before the right answer",
    isHarmless: true,
    confirms: true,
    script:
      ({ answer: honestly }) =>
      (socket, request) => {
        socket.write("HTTP/1.1 103 Early Hints\r\nlink: </x>; rel=preload\r\n\r\n");
        const honest = honestly(request);
        answer(honest.status, bodyOf(honest), { "content-type": honest.contentType })(socket, request);
      },
  },
];

/** Every hostile response. */
export const hostileResponses: readonly HostileResponse[] = [
  ...successes,
  ...records,
  ...lists,
  ...refusals,
  ...transports,
];

/** Times of a record, each followed by `text`, which could steer a terminal. */
function onlyTimes(row: object, text: string): object {
  // Without an expiry: a key whose expiry cannot be read is refused.
  const times = Object.keys(row).filter(
    (name) => /_at$|^timestamp$/.test(name) && !/^(?:expires|deleted)/.test(name),
  );
  return Object.fromEntries(times.map((name) => [name, `2026-11-21T10:00:00Z${text}`]));
}
