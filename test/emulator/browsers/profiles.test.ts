import Kernel, { BadRequestError, ConflictError, NotFoundError } from "@onkernel/sdk";
import { useEmulator } from "../../support/emulator.js";
import { errorOf } from "../../support/error-of.js";

describe("emulator: the service's official client, on profiles", () => {
  const emulator = useEmulator();
  let kernel: Kernel;
  beforeEach(() => {
    kernel = new Kernel({ apiKey: "sk_emulator", baseURL: emulator.url, maxRetries: 0 });
  });

  test("the official client creates, reads, renames and deletes a profile, by id or name", async () => {
    const profile = await kernel.profiles.create({ name: "shopper" });
    const { id } = profile;
    expect(profile).toEqual({
      id: expect.stringMatching(/^[a-z0-9]{24}$/),
      name: "shopper",
      created_at: expect.any(String),
    });
    expect(await kernel.profiles.retrieve(id)).toEqual(profile);
    expect(await kernel.profiles.retrieve("SHOPPER")).toEqual(profile);
    const renamed = await kernel.profiles.update("shopper", { name: "buyer" });
    expect(renamed).toEqual({ ...profile, name: "buyer", updated_at: expect.any(String) });
    await kernel.profiles.delete("buyer");
    expect(await errorOf(kernel.profiles.retrieve(id))).toBeInstanceOf(NotFoundError);
  });

  test("the official client lists profiles by part of a name or id, and page by page", async () => {
    const { id } = await kernel.profiles.create({ name: "shopper" });
    await kernel.profiles.create({ name: "reader" });
    await kernel.profiles.create({});
    const found = async (query: object) => (await kernel.profiles.list(query)).items.map(({ name }) => name);
    expect(await found({})).toEqual([undefined, "reader", "shopper"]);
    expect(await found({ query: "HOP" })).toEqual(["shopper"]);
    expect(await found({ query: id.slice(4, 20) })).toEqual(["shopper"]);
    expect(await found({ limit: 1, offset: 1 })).toEqual(["reader"]);
  });

  test("a profile with a taken, empty or too long name is refused, and so is an unknown member", async () => {
    const { id } = await kernel.profiles.create({ name: "shopper" });
    const { id: other } = await kernel.profiles.create({ name: "reader" });
    expect((await errorOf(kernel.profiles.create({ name: "Shopper" }))).message).toContain(id);
    expect(await errorOf(kernel.profiles.update(other, { name: "shopper" }))).toBeInstanceOf(ConflictError);
    for (const body of [{ name: "" }, { name: "a".repeat(256) }, { nam: "a" }]) {
      expect(await errorOf(kernel.profiles.create(body as object))).toBeInstanceOf(BadRequestError);
    }
    expect(await errorOf(kernel.profiles.update(id, {} as never))).toBeInstanceOf(BadRequestError);
  });

  test("a profile may have a name with a space, but a browser pool can select the profile only by id", async () => {
    const { id } = await kernel.profiles.create({ name: "a b" });
    const refused = await errorOf(kernel.browserPools.create({ size: 1, profile: { name: "a b" } }));
    expect(refused).toBeInstanceOf(BadRequestError);
    expect(refused.message).toContain("profile.name must be 1 to 255 of the characters");
    expect((await kernel.browserPools.create({ size: 1, profile: { id } })).profile_id).toBe(id);
  });

  test("an auth connection creates a missing profile by name, and keeps an existing profile", async () => {
    const { id } = await kernel.profiles.create({ name: "reader" });
    for (const profile_name of ["shopper", "reader"]) {
      await kernel.auth.connections.create({ domain: "shop.example", profile_name });
    }
    expect(emulator.profiles.list().map(({ name }) => name)).toEqual(["shopper", "reader"]);
    expect((await kernel.profiles.retrieve("reader")).id).toBe(id);
  });

  test("a browser pool loads a profile by id or name, and only a profile of the pool's project", async () => {
    const { id } = await kernel.profiles.create({ name: "shopper" });
    emulator.createProject({ id: "other", name: "Other" });
    const { id: foreign } = emulator.profiles.ensure("theirs", "other");
    for (const profile of [{ id: "none" }, { name: "theirs" }, { id: foreign }]) {
      const refused = await errorOf(kernel.browserPools.create({ size: 1, profile }));
      expect(refused).toBeInstanceOf(BadRequestError);
      expect(refused.message).toContain("names no profile of the project");
    }
    const pool = await kernel.browserPools.create({ size: 1, profile: { name: "SHOPPER" } });
    expect(pool.profile_id).toBe(id);
    emulator.browserPools.fill(pool.id);
    expect((await kernel.browserPools.acquire(pool.id, {})).profile).toMatchObject({ id, name: "shopper" });
    expect((await kernel.browserPools.update(pool.id, { profile: { id: "" } })).profile_id).toBeUndefined();
  });

  test("a project with a profile cannot be deleted, and projects.remove deletes the project and the profile", async () => {
    emulator.createProject({ id: "other", name: "Other" });
    emulator.profiles.ensure("theirs", "other");
    expect(await errorOf(kernel.projects.delete("other"))).toBeInstanceOf(ConflictError);
    emulator.projects.remove("other");
    emulator.createProject({ id: "other", name: "Other" });
    expect(emulator.profiles.list("other")).toEqual([]);
  });
});
