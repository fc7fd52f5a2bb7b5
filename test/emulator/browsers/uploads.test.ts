import { connect } from "node:net";
import { deflateRawSync } from "node:zlib";
import { archiveBytesMax, type Emulator } from "../../../src/emulator/index.js";
import { shareEmulator } from "../../support/emulator.js";
import { extensionZip, storedZip } from "../../support/stored-zip.js";
import { call, refusal, signed, stored, upload } from "../calls.js";

const manifest = { manifest_version: 3, name: "Example", version: "1.0.0" };
const badInput = { status: 400, code: "bad_request", inner: "invalid_input" };

/** Sends a body unchanged. */
function post(
  emulator: Emulator,
  body: string | Uint8Array<ArrayBuffer>,
  contentType?: string,
): Promise<Response> {
  const headers = signed(emulator, contentType === undefined ? {} : { "content-type": contentType });
  return fetch(`${emulator.url}/extensions`, { method: "POST", body, headers });
}

function formBody(
  parts: readonly (readonly [headers: string, contents: string | Uint8Array])[],
): Buffer<ArrayBuffer> {
  return Buffer.concat([
    ...parts.flatMap(([headers, contents]) => [
      Buffer.from(`--b\r\n${headers}\r\n\r\n`),
      Buffer.from(contents),
      Buffer.from("\r\n"),
    ]),
    Buffer.from("--b--\r\n"),
  ]);
}

describe("emulator: uploads", () => {
  const emulator = shareEmulator();
  afterEach(() => {
    for (const { id } of emulator.extensions.list()) {
      emulator.extensions.remove(id);
    }
  });

  test.each<[string, Uint8Array<ArrayBuffer>, string]>([
    ["not a zip", Buffer.from("hello"), "not a zip archive"],
    ["empty", Buffer.alloc(0), "not a zip archive"],
    ["cut short", extensionZip().subarray(0, 200), "not a zip archive"],
    ["without a manifest", storedZip([{ name: "a.js", contents: "" }]), "no manifest.json at its root"],
    [
      "with its manifest in a folder",
      storedZip([{ name: "dist/manifest.json", contents: JSON.stringify(manifest) }]),
      "no manifest.json at its root",
    ],
    ["with a manifest that is no JSON", storedZip([{ name: "manifest.json", contents: "{" }]), "not JSON"],
    ["with a manifest that is an array", storedZip([{ name: "manifest.json", contents: "[]" }]), "an object"],
    ...(["manifest_version", "name", "version"] as const).map(
      (member): [string, Buffer<ArrayBuffer>, string] => [
        `with a manifest without ${member}`,
        storedZip([
          { name: "manifest.json", contents: JSON.stringify({ ...manifest, [member]: undefined }) },
        ]),
        `has no valid ${member}`,
      ],
    ),
    [
      "with a file whose CRC-32 is wrong",
      storedZip([
        { name: "manifest.json", contents: JSON.stringify(manifest) },
        { name: "a.js", contents: "a", crc32: 1 },
      ]),
      '"a.js" do not match its CRC-32',
    ],
    [
      "with a name twice",
      storedZip([
        { name: "manifest.json", contents: JSON.stringify(manifest) },
        { name: "manifest.json", contents: JSON.stringify(manifest) },
      ]),
      '"manifest.json" twice',
    ],
    [
      "with a name that leaves the archive",
      storedZip([
        { name: "manifest.json", contents: JSON.stringify(manifest) },
        { name: "../a.js", contents: "a" },
      ]),
      "../a.js",
    ],
    ["with a deflated garbage entry", deflatedGarbage(), "cannot be used"],
  ])("an extension archive %s is refused with 400 and not stored", async (_, bytes, reason) => {
    const { message, ...rest } = await refusal(await upload(emulator, { bytes }));
    expect(rest).toEqual(badInput);
    expect(message).toContain(reason);
    expect(emulator.extensions.list()).toEqual([]);
  });

  test("an extension manifest may have comments and a byte order mark", async () => {
    const contents = `\ufeff// A comment\n{ /* "name": 1, */ "manifest_version": 3, "name": "a // b", "version": "1" }\n// end`;
    const bytes = storedZip([{ name: "manifest.json", contents }]);
    expect(await stored(emulator, { bytes })).toMatchObject({ size_bytes: bytes.length });
    for (const broken of ['{ "manifest_version": 3, }', `${contents.slice(1)}\n/* open`]) {
      const answer = await refusal(
        await upload(emulator, { bytes: storedZip([{ name: "manifest.json", contents: broken }]) }),
      );
      expect(answer).toMatchObject({ ...badInput, message: expect.stringContaining("not JSON in UTF-8") });
    }
  });

  test.each(["", "a b", "a/b", "é", "x".repeat(256), "abcdefghijklmnopqrstuvwx", "012345678901234567890123"])(
    "an extension with the name %p is refused with 400",
    async (name) => {
      expect(await refusal(await upload(emulator, { name }))).toMatchObject(badInput);
    },
  );

  test.each(["x", "A.b_c-9", "x".repeat(255), "abcdefghijklmnopqrstuvwX", "abcdefghijklmnopqrstuvwxy"])(
    "an extension with the name %p is stored",
    async (name) => {
      expect(await stored(emulator, { name })).toMatchObject({ name });
    },
  );

  test("an upload form may have the fields in any order, and no filename", async () => {
    const zip = extensionZip();
    const file = ['Content-Disposition: form-data; name="file"; filename="a;b=c\\"d.zip"', zip] as const;
    const name = (value: string) => ["content-disposition:form-data;name=name", value] as const;
    const octets = [
      'Content-Type: application/octet-stream\r\nContent-Disposition: form-data; name="file"',
      zip,
    ] as const;
    for (const [parts, expected] of [
      [[name("a"), file], "a"],
      [[file, name("b")], "b"],
      [[name("c"), file], "c"],
      [[octets, name("d")], "d"],
    ] as const) {
      const response = await post(emulator, formBody(parts), "multipart/form-data; boundary=b");
      expect(response.status).toBe(201);
      const record = (await response.json()) as { id: string; name: string };
      expect(record.name).toBe(expected);
      const archive = await (await call(emulator, "GET", `/extensions/${record.id}`)).arrayBuffer();
      expect(Buffer.from(archive).equals(zip)).toBe(true);
    }
  });

  const file = 'Content-Disposition: form-data; name="file"; filename="x.zip"';
  test.each<[string, Uint8Array<ArrayBuffer> | string, string]>([
    ["no field at all", "--b--\r\n", "no file"],
    [
      "only a name",
      formBody([['Content-Disposition: form-data; name="name"', "a"]]),
      'no file in a field "file"',
    ],
    [
      "a file that is a text field",
      formBody([['Content-Disposition: form-data; name="file"', extensionZip()]]),
      "is text",
    ],
    [
      "two files",
      formBody([
        [file, extensionZip()],
        [file, extensionZip()],
      ]),
      'more than one field "file"',
    ],
    ["no end", formBody([[file, extensionZip()]]).subarray(0, -6), "ends within a part"],
    ["a part without an end of its headers", `--b\r\n${file}`, "headers of a part do not end"],
    ["a nameless part", formBody([["Content-Type: text/plain", "a"]]), "a part has no name"],
    ["another boundary", "--c\r\n\r\n\r\n--c--", "boundary does not occur"],
    ["nothing", "", "boundary does not occur"],
  ])("an upload form with %s is refused with 400", async (_, body, reason) => {
    const { message, ...rest } = await refusal(await post(emulator, body, "multipart/form-data; boundary=b"));
    expect(rest).toEqual(badInput);
    expect(message).toContain(reason);
  });

  test.each(["application/json", "multipart/form-data", "application/zip", "multipart/mixed; boundary=b"])(
    "an upload of the media type %s is refused with 400",
    async (contentType) => {
      const response = await post(emulator, formBody([[file, extensionZip()]]), contentType);
      expect(await refusal(response)).toMatchObject({
        ...badInput,
        message: expect.stringContaining("multipart"),
      });
    },
  );

  test("an extension archive of exactly 50 MiB is accepted, and an archive one byte larger gets 413", async () => {
    const overhead = extensionZip("", 1).byteLength - 1;
    const largest = extensionZip("", archiveBytesMax - overhead);
    expect(largest.byteLength).toBe(52_428_800);
    const { id, size_bytes } = await stored(emulator, { bytes: largest });
    expect(size_bytes).toBe(largest.byteLength);
    emulator.extensions.remove(id);
    const tooLarge = extensionZip("", archiveBytesMax - overhead + 1);
    expect(await refusal(await upload(emulator, { bytes: tooLarge }))).toMatchObject({ status: 413 });
  });

  test("an upload far over the size limit is refused with 413", async () => {
    const response = await post(
      emulator,
      formBody([[file, Buffer.alloc(archiveBytesMax + 8 * 1024 * 1024)]]),
      "multipart/form-data; boundary=b",
    );
    expect(await refusal(response)).toMatchObject({
      status: 413,
      message: expect.stringContaining("50 MiB"),
    });
    expect(emulator.extensions.list()).toEqual([]);
  });

  test("exactly one of 20 concurrent uploads of extensions with equal names is stored", async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        upload(emulator, { name: "same", bytes: extensionZip(`${index}`) }),
      ),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, ...Array.from({ length: 19 }, () => 409)]);
    expect(emulator.extensions.list()).toHaveLength(1);
  });

  test("an upload whose connection breaks halfway stores nothing and does not harm the emulator", async () => {
    const { hostname, port } = new URL(emulator.url);
    const socket = connect(Number(port), hostname);
    const known = emulator.requests.length;
    socket.write(
      `POST /extensions HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer sk_emulator\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 1000\r\n\r\n--b\r\n`,
    );
    while ((emulator.requests[known]?.bodyBytes ?? 0) < 5) {
      await new Promise(setImmediate);
    }
    socket.resetAndDestroy();
    expect((await stored(emulator, { name: "after" })).name).toBe("after");
    expect(emulator.requests[known]).toMatchObject({ method: "POST", bodyBytes: 5, status: null });
    expect(emulator.extensions.list()).toHaveLength(1);
  });
});

/** An archive whose second entry claims deflate but contains something else. */
function deflatedGarbage(): Buffer<ArrayBuffer> {
  const contents = deflateRawSync("x".repeat(100)).fill(0xff, 1);
  const zip = storedZip([
    { name: "manifest.json", contents: JSON.stringify(manifest) },
    { name: "a.js", contents },
  ]);
  // The compression method is at byte 10 of an entry in the central directory, at byte 8 of a local
  // header.
  zip.writeUInt16LE(8, zip.lastIndexOf("PK\x01\x02") + 10);
  zip.writeUInt16LE(8, zip.lastIndexOf("PK\x03\x04") + 8);
  return zip;
}
