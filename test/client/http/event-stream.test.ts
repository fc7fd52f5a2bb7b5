import fc from "fast-check";
import {
  type EventData,
  EventStreamDecoder,
  eventBytesMax,
} from "../../../src/client/http/exchange/event-stream-decoder.js";

/** A stream with CJK, an emoji, comments, several data lines and unknown fields. */
const recorded = [
  ": 注釈 comment",
  "event: managed_auth_state",
  'data: {"label":"密码を入力 👩‍👩‍👧‍👦"}',
  "",
  "id: 7",
  "retry: 3000",
  "unknown: 值",
  "data:first",
  "data: 第二行 é",
  "data",
  "",
  "event: empty",
  "",
  "data: last 🎉",
  "",
  "",
];
const events = ['{"label":"密码を入力 👩‍👩‍👧‍👦"}', "first\n第二行 é\n", "last 🎉"];

// In this order, no CR stands right before the LF of an empty line. Both would form a single line
// end.
const endings: readonly [string, string][] = [
  ["LF", "\n"],
  ["CR", "\r"],
  ["CRLF", "\r\n"],
];

function decode(pieces: readonly Uint8Array[]): EventData[] {
  const decoder = new EventStreamDecoder();
  return pieces.flatMap((piece) => decoder.push(piece));
}

function text(...parts: readonly string[]): EventData[] {
  return decode(parts.map((part) => Buffer.from(part)));
}

/** Cuts bytes at these places, in any order, repeats allowed. */
function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const ends = [...places].sort((a, b) => a - b);
  return [...ends, bytes.length].map((end, i) => bytes.subarray(ends[i - 1] ?? 0, end));
}

describe("event stream decoder", () => {
  test.each(endings)("lines that end with %s are read wherever the stream is split once", (_name, ending) => {
    const bytes = Buffer.from(recorded.join(ending));
    for (let place = 0; place <= bytes.length; place++) {
      expect([place, decode(cut(bytes, [place]))]).toEqual([place, events]);
    }
  });

  test.each(endings)("lines that end with %s are read one byte at a time", (_name, ending) => {
    const bytes = Buffer.from(recorded.join(ending));
    expect(decode([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(events);
  });

  test("a stream with mixed line ends gives the same events in one piece and in a thousand random splits", async () => {
    const mixed = recorded.map((line, i) => line + (endings[i % 3]?.[1] ?? "")).join("");
    const bytes = Buffer.from(mixed);
    expect(decode([bytes])).toEqual(events);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: bytes.length }), { maxLength: 40 }),
        async (places) => {
          expect(decode(cut(bytes, places))).toEqual(events);
        },
      ),
      { numRuns: 1000 },
    );
  });

  test.each<[string, string, string[]]>([
    ["no space after the colon", "data:x\n\n", ["x"]],
    ["one space of two after the colon", "data:  x\n\n", [" x"]],
    ["several data lines", "data: a\ndata: b\n\n", ["a\nb"]],
    ["a byte order mark", "\ufeffdata: x\n\n", ["x"]],
    ["comments only", ": ping\n\n:\n\n", []],
    ["no data", "event: managed_auth_state\n\n", []],
    ["empty data", "data:\n\n", []],
    ["empty lines only", "\n\n\r\r\r\n\r\n", []],
    ["unknown fields, id and retry", "id: 1\nretry: 5\nfoo: bar\ndata: x\n\n", ["x"]],
    ["data in two blocks without an event line", "data: a\n\ndata: b\n\n", ["a", "b"]],
    ["an end without an empty line", "data: a\n\ndata: b\n", ["a"]],
    ["an end within a line", "data: a\n\ndata: b", ["a"]],
  ])("a stream with %s is read as the standard says", (_form, stream, expected) => {
    expect(text(stream)).toEqual(expected);
  });

  test("a byte order mark in two pieces is skipped", () => {
    const bytes = Buffer.from("\ufeffdata: x\n\n");
    expect(decode([bytes.subarray(0, 1), bytes.subarray(1, 2), bytes.subarray(2)])).toEqual(["x"]);
  });

  test("broken UTF-8 becomes a replacement character, and nothing else is lost", () => {
    expect(
      decode([Buffer.from([...Buffer.from("data: a"), 0xff, ...Buffer.from("b\n\ndata: c\n\n")])]),
    ).toEqual(["a\ufffdb", "c"]);
  });

  test("an event of exactly the limit is accepted, in one piece and in many", () => {
    const data = "x".repeat(eventBytesMax);
    const bytes = Buffer.from(`data: ${data}\n\n`);
    expect(decode([bytes])).toEqual([data]);
    expect(decode(cut(bytes, [1, 70_000, 140_000, 210_000]))).toEqual([data]);
  });

  test.each<[string, string]>([
    ["has one byte more than the limit", `data: ${"x".repeat(eventBytesMax + 1)}\n`],
    ["has characters within the limit but not bytes", `data: ${"é".repeat(eventBytesMax / 2 + 1)}\n`],
    ["has a very long line", `data: ${"x".repeat(5 * eventBytesMax)}\n`],
    ["has very many lines", `data: ${"x".repeat(56)}\n`.repeat(eventBytesMax / 10)],
    [
      "has a line after one that is too long",
      `event: x\ndata: ${"x".repeat(eventBytesMax + 100)}\ndata: y\nid: 7\n`,
    ],
  ])("an event that %s is left out, and the events before and after are read", (_form, event) => {
    const around = (lineEnd: string) =>
      `data: before\n\n${event}\ndata: after\n\n${event}\n: ping\n\ndata: last\n\n`.replaceAll("\n", lineEnd);
    for (const [, lineEnd] of endings) {
      const bytes = Buffer.from(around(lineEnd));
      const places = Array.from({ length: 99 }, (_, i) => Math.floor((bytes.length * i) / 99));
      const expected = ["before", null, "after", null, "last"];
      expect(decode([bytes])).toEqual(expected);
      expect(decode(cut(bytes, places))).toEqual(expected);
    }
  });

  test("an event above the size limit is left out wherever the stream is split around the event's end", () => {
    for (const [, lineEnd] of endings) {
      const before = `data: ${"x".repeat(eventBytesMax + 20)}`;
      const bytes = Buffer.from(
        `${before}${lineEnd}data: y${lineEnd}${lineEnd}data: after${lineEnd}${lineEnd}`,
      );
      for (let place = before.length - 2; place <= bytes.length; place++) {
        expect([place, decode(cut(bytes, [place, place + 1]))]).toEqual([place, [null, "after"]]);
      }
    }
  });

  test("an event with a very long kind costs no event before or after", () => {
    const bytes = Buffer.from(`data: a\n\nevent: ${"x".repeat(eventBytesMax + 100)}\n\ndata: b\n\n`);
    for (const places of [[], [100], [100, 200_000], [bytes.length - 12]]) {
      expect(decode(cut(bytes, places)).filter((data) => data !== null)).toEqual(["a", "b"]);
    }
  });

  test("an event that never ends fills no memory", () => {
    const decoder = new EventStreamDecoder();
    const before = process.memoryUsage().heapUsed;
    const line = Buffer.from(`data: ${"x".repeat(65_536)}\n`);
    for (let count = 0; count < 2_000; count++) {
      expect(decoder.push(line).length).toBeLessThanOrEqual(1);
    }
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(64 * 1_048_576);
  });

  test("X13: an endless comment and an endless line of an unknown field fill no memory", () => {
    const decoder = new EventStreamDecoder();
    const piece = Buffer.alloc(65_536, "x");
    for (const start of [": ", "\nfoo: "]) {
      decoder.push(Buffer.from(start));
      for (let count = 0; count < 64; count++) {
        expect(decoder.push(piece)).toEqual([]);
      }
    }
    expect(decoder.push(Buffer.from("\ndata: still here\n\n"))).toEqual(["still here"]);
  });

  test("dropping an endless event takes at most three times as long as reading whole events of equal size", () => {
    const bytes = 65_536;
    const pieces = 200;
    const decodeMs = (piece: Uint8Array) => {
      const decoder = new EventStreamDecoder();
      const startedAt = performance.now();
      for (let count = 0; count < pieces; count += 1) {
        decoder.push(piece);
      }
      return performance.now() - startedAt;
    };
    const whole = Buffer.from(`data: ${"x".repeat(bytes - 8)}\n\n`);
    const endless = Buffer.alloc(bytes, "x");
    const ratios = Array.from({ length: 5 }, () => decodeMs(endless) / decodeMs(whole));
    expect(Math.min(...ratios)).toBeLessThan(3);
  });
});
