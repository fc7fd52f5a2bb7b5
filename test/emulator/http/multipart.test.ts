import fc from "fast-check";
import { parseMultipart } from "../../../src/emulator/browsers/extensions/multipart.js";

describe("multipart", () => {
  test("the multipart parser returns the bytes of every form field unchanged", async () => {
    const contents = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      // Contents that resemble structure: line ends, dashes, starts of the boundary.
      fc
        .array(fc.constantFrom("\r\n", "\r", "\n", "--", "-", "a", "\r\n--"), { maxLength: 12 })
        .map((parts) => Buffer.from(parts.join(""))),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom("file", "name", "x"), contents), { maxLength: 5 }),
        async (fields) => {
          const form = new FormData();
          for (const [name, bytes] of fields) {
            form.append(name, new Blob([new Uint8Array(bytes)]), "f");
          }
          // The platform's own writer makes the body, not ours.
          const response = new Response(form);
          const body = Buffer.from(await response.arrayBuffer());
          const parts = parseMultipart(response.headers.get("content-type") ?? undefined, body);
          expect(parts.map(({ name, bytes }) => [name, bytes.toString("latin1")])).toEqual(
            fields.map(([name, bytes]) => [name, Buffer.from(bytes).toString("latin1")]),
          );
        },
      ),
    );
  });

  test("a multipart body cut at any byte is refused", async () => {
    const form = new FormData();
    form.append("name", "a");
    form.append("file", new Blob(["bytes"]), "f");
    const response = new Response(form);
    const contentType = response.headers.get("content-type") ?? undefined;
    const body = Buffer.from(await response.arrayBuffer());
    const end = body.lastIndexOf("--") + 2;
    expect(parseMultipart(contentType, body.subarray(0, end))).toHaveLength(2);
    for (let length = 0; length < end; length += 1) {
      expect(() => parseMultipart(contentType, body.subarray(0, length))).toThrow(
        /multipart body is malformed/,
      );
    }
  });

  test("the multipart parser accepts a preamble, spaces after a boundary and a quoted boundary", () => {
    const body = Buffer.from(
      'preamble\r\n--b c \t\r\ncontent-disposition: form-data; name="n"\r\n\r\nv\r\n--b c--epilogue',
    );
    const parts = parseMultipart('Multipart/Form-Data; charset=utf-8; boundary="b c"', body);
    expect(parts.map(({ name, bytes }) => [name, bytes.toString()])).toEqual([["n", "v"]]);
  });

  test("a multipart body with more than 100 parts is refused", () => {
    const part = "--b\r\nContent-Disposition: form-data; name=n\r\n\r\n\r\n";
    const body = (count: number) => Buffer.from(`${part.repeat(count)}--b--`);
    expect(parseMultipart("multipart/form-data; boundary=b", body(100))).toHaveLength(100);
    expect(() => parseMultipart("multipart/form-data; boundary=b", body(101))).toThrow(/more than 100 parts/);
  });
});
