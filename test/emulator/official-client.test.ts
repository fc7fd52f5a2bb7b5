import Kernel, { AuthenticationError, ConflictError, NotFoundError, toFile } from "@onkernel/sdk";
import { useEmulator } from "../support/emulator.js";
import { extensionZip } from "../support/stored-zip.js";

describe("emulator: the service's official client", () => {
  const emulator = useEmulator();
  const client = (options: { apiKey?: string; projectID?: string; maxRetries?: number } = {}) =>
    new Kernel({ apiKey: "sk_emulator", baseURL: emulator.url, maxRetries: 0, ...options });
  const put = (kernel: Kernel, name: string, bytes = extensionZip(name)) =>
    toFile(bytes, "extension.zip").then((file) => kernel.extensions.upload({ file, name }));
  test("the official client has the operations that the emulator serves", () => {
    const kernel = client();
    const operations = (resource: object) =>
      Object.getOwnPropertyNames(Object.getPrototypeOf(resource)).filter((name) => name !== "constructor");
    const all = ["create", "retrieve", "update", "list", "delete"];
    expect(operations(kernel.projects)).toEqual(all);
    expect(operations(kernel.projects.limits)).toEqual(["retrieve", "update"]);
    expect(operations(kernel.organization.limits)).toEqual(["retrieve", "update"]);
    expect(operations(kernel.apiKeys)).toEqual([...all, "rotate"]);
    expect(operations(kernel.browserPools)).toEqual([...all, "acquire", "flush", "release"]);
    expect(operations(kernel.proxies)).toEqual([...all, "check"]);
    expect(operations(kernel.credentials)).toEqual([...all, "totpCode"]);
    expect(operations(kernel.credentialProviders)).toEqual([...all, "listItems", "test"]);
    expect(operations(kernel.deployments)).toEqual(["create", "retrieve", "list", "delete", "follow"]);
    expect(operations(kernel.apps)).toEqual(["list"]);
    expect(operations(kernel.auth.connections)).toEqual([...all, "follow", "login", "submit", "timeline"]);
  });

  test("the official client uploads, reads, downloads and deletes an extension", async () => {
    const kernel = client();
    const bytes = extensionZip("bytes");
    const extension = await put(kernel, "ad-blocker", bytes);
    expect(extension).toMatchObject({ name: "ad-blocker", size_bytes: bytes.byteLength, last_used_at: null });
    expect(await kernel.extensions.get("ad-blocker")).toEqual(extension);
    const download = await kernel.extensions.download(extension.id);
    expect(Buffer.from(await download.arrayBuffer()).equals(bytes)).toBe(true);
    expect(await kernel.extensions.delete(extension.id)).toBeNull();
    for (const gone of [extension.id, "ad-blocker"]) {
      await expect(kernel.extensions.get(gone)).rejects.toThrow(NotFoundError);
      await expect(kernel.extensions.delete(gone)).rejects.toThrow("404 Extension not found.");
    }
    expect((await put(kernel, "ad-blocker")).id).not.toBe(extension.id);
  });

  test("the official client walks all pages of the list of extensions", async () => {
    const kernel = client();
    for (let index = 0; index < 45; index += 1) {
      await put(kernel, `n${index}`);
    }
    const names = [];
    for await (const { name } of kernel.extensions.list()) {
      names.push(name);
    }
    expect(names).toHaveLength(45);
    expect(new Set(names).size).toBe(45);
    const found = [];
    for await (const { name } of kernel.extensions.list({ name: "N7" })) {
      found.push(name);
    }
    expect(found).toEqual(["n7"]);
  });

  test("the official client throws typed errors for an existing name, an unknown extension and an unknown key", async () => {
    const kernel = client();
    await put(kernel, "ad-blocker");
    await expect(put(kernel, "ad-blocker")).rejects.toThrow(ConflictError);
    await expect(kernel.extensions.get("none")).rejects.toThrow(NotFoundError);
    await expect(client({ apiKey: "sk_other" }).extensions.list()).rejects.toThrow(AuthenticationError);
  });

  test("the official client does not retry a request that got 409 from the emulator", async () => {
    const kernel = client({ maxRetries: 2 });
    await put(kernel, "ad-blocker");
    await expect(put(kernel, "ad-blocker")).rejects.toThrow(ConflictError);
    await kernel.projects.create({ name: "staging" });
    await expect(kernel.projects.create({ name: "Staging" })).rejects.toThrow(ConflictError);
    expect(emulator.requests.filter(({ status }) => status === 409)).toHaveLength(2);
  });

  test("the official client finds extensions only in the project of the option projectID or of the API key", async () => {
    const staging = emulator.createProject({ name: "staging" });
    await put(client({ projectID: staging.id }), "ad-blocker");
    await expect(client().extensions.get("ad-blocker")).rejects.toThrow(NotFoundError);
    const { key } = emulator.createApiKey({ projectId: staging.id });
    expect(await client({ apiKey: key }).extensions.get("ad-blocker")).toMatchObject({ name: "ad-blocker" });
    await expect(client({ projectID: "none" }).extensions.list()).rejects.toThrow(
      "Project not found or inactive",
    );
  });

  test("a retry of the official client after a lost response stores an extension without a name twice", async () => {
    // Documented behavior of the official client, which must be equally visible with the emulator
    // and the service.
    emulator.faults.add({ method: "POST", at: "after-commit", action: "reset" });
    const file = await toFile(extensionZip(), "extension.zip");
    await new Kernel({ apiKey: "sk_emulator", baseURL: emulator.url }).extensions.upload({ file });
    expect(emulator.extensions.list()).toHaveLength(2);
  });
});
