import { createHash } from "node:crypto";
import { useEmulator } from "../../support/emulator.js";
import { extensionZip } from "../../support/stored-zip.js";
import { call, json, refusal, stored, upload } from "../calls.js";

describe("emulator: extensions", () => {
  const emulator = useEmulator({ now: () => new Date("2026-01-02T03:04:05.678Z") });
  test("an upload of an extension gets 201 and the complete record, including nulls", async () => {
    const bytes = extensionZip("a");
    const named = await upload(emulator, { name: "ad-blocker", bytes });
    expect(named.status).toBe(201);
    expect(named.headers.get("content-type")).toBe("application/json");
    expect(await named.json()).toStrictEqual({
      id: expect.stringMatching(/^[a-z][a-z0-9]{23}$/),
      name: "ad-blocker",
      created_at: "2026-01-02T03:04:05.678Z",
      size_bytes: bytes.byteLength,
      checksum: createHash("sha256").update(bytes).digest("hex"),
      last_used_at: null,
    });
    expect(await stored(emulator, { bytes })).toMatchObject({ name: null });
  });

  test("an extension with an existing name is refused with 409, and nothing is stored", async () => {
    const first = await stored(emulator, { name: "Ad-Blocker" });
    for (const name of ["Ad-Blocker", "ad-blocker", "AD-BLOCKER"]) {
      expect(await refusal(await upload(emulator, { name }))).toMatchObject({
        status: 409,
        code: "conflict",
        message: `An extension named "Ad-Blocker" (id ${first.id}) already exists in this project. Case and accents of a name do not count.`,
      });
    }
    expect(emulator.extensions.list()).toMatchObject([{ id: first.id }]);
    const other = emulator.createProject({ name: "other" });
    await stored(emulator, { name: "ad-blocker", headers: { "x-kernel-project-id": other.id } });
  });

  test("a name in a different case reads, downloads and deletes an extension", async () => {
    const { id } = await stored(emulator, { name: "Ad-Blocker" });
    expect(await json(call(emulator, "GET", "/extensions/ad-blocker/metadata"))).toMatchObject({ id });
    const archive = await call(emulator, "GET", "/extensions/AD-BLOCKER");
    expect(archive.headers.get("content-type")).toBe("application/octet-stream");
    const deletion = await call(emulator, "DELETE", "/extensions/ad-BLOCKER");
    expect([deletion.status, await deletion.text()]).toEqual([204, ""]);
    expect(emulator.extensions.list()).toEqual([]);
  });

  test("every response has a unique request id and the header x-browser-infra-emulator", async () => {
    const answers = [
      await call(emulator, "GET", "/extensions"),
      await call(emulator, "GET", "/extensions/none"),
      await call(emulator, "GET", "/nowhere"),
      await fetch(`${emulator.url}/extensions`),
    ];
    expect(answers.map(({ headers }) => headers.get("x-browser-infra-emulator"))).toEqual([
      "1",
      "1",
      "1",
      "1",
    ]);
    expect(new Set(answers.map(({ headers }) => headers.get("x-request-id"))).size).toBe(4);
  });

  test.each([
    ["GET", "/browsers/x/replays", ""],
    ["PATCH", "/extensions/ad-blocker", " There it has GET, DELETE."],
    ["GET", "/v1/extensions", ""],
    ["GET", "/extensions/from_chrome_store", " There it has DELETE."],
    ["PUT", "/long", ""],
  ])(
    "the request %s %s, which is not emulated, gets 501 with a short message and is not to be retried",
    async (method, given, there) => {
      const path = given.replace("long", "x".repeat(5000));
      const answer = await call(emulator, method, `${path}?url=x`);
      expect(answer.headers.get("x-should-retry")).toBe("false");
      const { status, code, message } = await refusal(answer);
      expect([status, code]).toEqual([501, "not_emulated"]);
      expect(message.length).toBeLessThan(400);
      const shown = path.length > 200 ? `${path.slice(0, 200)}…` : path;
      expect(message).toBe(
        `The emulator has no route for ${method} ${shown}.${there} For all routes, see GET /_emulator/routes or docs/emulator/emulator.md.`,
      );
    },
  );

  test.each([
    ["no Authorization header", {}],
    ["another scheme", { authorization: "Basic sk_emulator" }],
    ["an unknown key", { authorization: "Bearer sk_other" }],
    ["no key", { authorization: "Bearer " }],
  ])("an upload with %s is refused with 401 and stores nothing", async (_, headers) => {
    const form = new FormData();
    form.set("file", new Blob([extensionZip()]), "x.zip");
    const response = await fetch(`${emulator.url}/extensions`, { method: "POST", body: form, headers });
    const { status, code, message } = await refusal(response);
    expect([status, code]).toEqual([401, "unauthorized"]);
    expect(message).not.toContain("sk_");
    expect(emulator.extensions.list()).toEqual([]);
  });

  test("putBytes keeps the id of an extension, and changes size and checksum", async () => {
    const before = await stored(emulator, { name: "ad-blocker" });
    const bytes = extensionZip("repackaged");
    emulator.extensions.putBytes(before.id, bytes);
    const after = await (await call(emulator, "GET", "/extensions/ad-blocker/metadata")).json();
    expect(after).toStrictEqual({
      ...before,
      size_bytes: bytes.byteLength,
      checksum: createHash("sha256").update(bytes).digest("hex"),
    });
    const archive = await (await call(emulator, "GET", `/extensions/${before.id}`)).arrayBuffer();
    expect(Buffer.from(archive).equals(bytes)).toBe(true);
  });

  test("forgetChecksum removes the checksum from a record, and remove makes an extension unknown", async () => {
    const { id } = await stored(emulator, { name: "ad-blocker" });
    emulator.extensions.forgetChecksum(id);
    const record = await json<object>(call(emulator, "GET", `/extensions/${id}/metadata`));
    expect(Object.keys(record).sort()).toEqual(["created_at", "id", "last_used_at", "name", "size_bytes"]);
    emulator.extensions.remove("ad-blocker");
    expect((await call(emulator, "GET", `/extensions/${id}/metadata`)).status).toBe(404);
    expect(() => emulator.extensions.remove("ad-blocker")).toThrow(
      expect.objectContaining({ code: "extension_unknown", property: "idOrName" }),
    );
  });
});
