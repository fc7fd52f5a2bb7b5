import { randomBytes } from "node:crypto";
import { ContractError, type UploadProgress } from "../../../src/client/index.js";
import { errorOf } from "../../support/error-of.js";
import { answer, endless, json, raw, type Script } from "../fault-server.js";
import { closeBenches, startBench, wireExtension } from "../test-client.js";

afterEach(closeBenches);

// Without a name, the record confirms every upload.
const created = json(201, { ...wireExtension, name: null });
const zip = (bytes: Buffer, headers = {}) =>
  answer(200, bytes, { "content-type": "application/octet-stream", ...headers });

describe("extensions", () => {
  test("an upload is a standard form with the exact bytes, a file name and the extension's name", async () => {
    const { client, server } = await startBench([created]);
    const archive = randomBytes(200_001);
    const extension = await client.extensions.upload({ archive, name: "ad-blocker" });
    expect(extension.id).toBe(wireExtension.id);
    const [request] = server.requests;
    expect(request).toMatchObject({ method: "POST", target: "/extensions" });
    expect(request?.headers["transfer-encoding"]).toBeUndefined();
    const form = await new Response(new Uint8Array(request?.body ?? []), {
      headers: { "content-type": request?.headers["content-type"] ?? "" },
    }).formData();
    const file = form.get("file") as File;
    expect([...form.keys()].sort()).toEqual(["file", "name"]);
    expect(form.get("name")).toBe("ad-blocker");
    expect([file.name, file.type]).toEqual(["extension.zip", "application/zip"]);
    expect(archive.equals(Buffer.from(await file.arrayBuffer()))).toBe(true);
  });

  test("an upload without a name sends no name part", async () => {
    const { client, server } = await startBench([created]);
    await client.extensions.upload({ archive: Buffer.from("zip") });
    expect(server.requests[0]?.body.toString()).not.toContain('name="name"');
  });

  test("upload progress grows to the archive's size, and an error thrown by onProgress is ignored", async () => {
    const { client } = await startBench([created]);
    const seen: UploadProgress[] = [];
    const archive = new Uint8Array(200_000);
    await client.extensions.upload(
      { archive },
      {
        onProgress: (progress) => {
          seen.push(progress);
          throw new Error("display broke");
        },
      },
    );
    expect(seen.map(({ sentBytes }) => sentBytes)).toEqual([65_536, 131_072, 196_608, 200_000]);
    expect(seen.every(({ totalBytes }) => totalBytes === 200_000)).toBe(true);
  });

  test("a download gives the exact bytes", async () => {
    const bytes = randomBytes(300_000);
    const { client, server } = await startBench([zip(bytes)]);
    expect(bytes.equals(await client.extensions.download("ad-blocker"))).toBe(true);
    expect(server.requests[0]).toMatchObject({
      target: "/extensions/ad-blocker",
      headers: { accept: "application/octet-stream" },
    });
  });

  test("a download reports progress, and an error thrown by onProgress does not end the download", async () => {
    const bytes = randomBytes(300_000);
    const { client, server } = await startBench([zip(bytes)]);
    const received: number[] = [];
    const downloaded = await client.extensions.download("ad-blocker", {
      onProgress: ({ receivedBytes }) => {
        received.push(receivedBytes);
        throw new Error("display");
      },
    });
    expect([downloaded.byteLength, received.at(-1), server.requests.length]).toEqual([300_000, 300_000, 1]);
    expect(received).toEqual(received.toSorted((a, b) => a - b));
  });

  test("a download that breaks off is retried", async () => {
    const short: Script = (socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nPK");
    const { client } = await startBench([short, zip(Buffer.from("PK345"))]);
    expect(Buffer.from(await client.extensions.download("ad-blocker")).toString()).toBe("PK345");
  });

  test("the deadline of a download grows with its size", async () => {
    const slow: Script = (socket) => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n");
      setTimeout(() => socket.end("PK345"), 1_200);
    };
    const deadlines = { requestMs: 1_000, minArchiveBytesPerSecond: 2 };
    const { client } = await startBench([slow], { deadlines, retry: { attempts: 1 } });
    expect(await client.extensions.download("ad-blocker")).toHaveLength(5);
  });

  test.each<[string, Script, string]>([
    ["an HTML page", answer(200, "<html>", { "content-type": "text/html" }), "a body of type text/html"],
    ["JSON", json(200, {}), "a body of type application/json"],
    ["nothing", zip(Buffer.alloc(0)), "an empty body"],
    ["204", raw("HTTP/1.1 204 No Content\r\n\r\n"), "an empty body (status 204)"],
    ["a part", raw("HTTP/1.1 206 Partial\r\ncontent-length: 2\r\n\r\nPK"), "a part of it (status 206)"],
    ["a broken gzip", zip(Buffer.from("x"), { "content-encoding": "gzip" }), "not valid gzip"],
    [
      "100 MiB declared",
      raw("HTTP/1.1 200 OK\r\ncontent-length: 104857600\r\n\r\n"),
      "larger than 67108864 bytes",
    ],
    ["more than 64 MiB", endless("HTTP/1.1 200 OK\r\n\r\n"), "larger than 67108864 bytes"],
  ])("a download of %s is a contract error", async (_what, script, expected) => {
    const { client } = await startBench([script]);
    const error = await errorOf(client.extensions.download("ad-blocker"));
    expect(error).toBeInstanceOf(ContractError);
    expect(error.message).toContain(expected);
  });

  test.each(["", ".", "..", "a b", "ä", "a/b", "a\nb", "x".repeat(256), wireExtension.id])(
    "an upload under the name %j is refused before any request",
    async (name) => {
      const { client, server } = await startBench([created]);
      const error = await errorOf(client.extensions.upload({ archive: new Uint8Array(9), name }));
      expect(error).toMatchObject({ name: "InputError", property: "name" });
      expect(server.connections()).toBe(0);
    },
  );

  test.each(["a", "Ad-Blocker_1.0", "x".repeat(255), "x".repeat(23), "...", "A".repeat(24)])(
    "an upload under the name %j is sent",
    async (name) => {
      const { client, server } = await startBench([created]);
      await client.extensions.upload({ archive: new Uint8Array(9), name });
      expect(server.requests).toHaveLength(1);
    },
  );

  test.each([[new Uint8Array()], [new Uint8Array(67_108_865)], ["zip" as unknown as Uint8Array]])(
    "an archive that is empty, too large or not bytes is refused (%#)",
    async (archive) => {
      const { client, server } = await startBench([created]);
      expect(await errorOf(client.extensions.upload({ archive }))).toMatchObject({
        name: "InputError",
        property: "archive",
      });
      expect(server.connections()).toBe(0);
    },
  );
});
