import Kernel, { BadRequestError, ConflictError, NotFoundError, PermissionDeniedError } from "@onkernel/sdk";
import { useEmulator } from "../../support/emulator.js";
import { errorOf } from "../../support/error-of.js";
import { json, send } from "../calls.js";

const token = "ops_correct horse battery";
const vault = { name: "vault", token, provider_type: "onepassword" } as const;

describe("emulator: the service's official client, on credential providers", () => {
  const emulator = useEmulator({
    speed: 1000,
    seed: {
      credentialProviders: [{ id: "seeded", name: "seeded", token: "expired", priority: 2 }],
      vaultItems: [
        { path: "Work/Shop", urls: ["https://shop.example/login", "*.bank.example"] },
        { path: "Work/Mail", urls: ["mail.example"] },
        { path: "Home/Router" },
      ],
    },
  });
  const kernel = (apiKey = emulator.apiKeys[0]) =>
    new Kernel({ apiKey, baseURL: emulator.url, maxRetries: 0 });

  test("the official client creates, reads, changes and deletes a credential provider, and gets no token", async () => {
    const { credentialProviders } = kernel();
    const created = await credentialProviders.create({ ...vault, name: " vault ", cache_ttl_seconds: 60 });
    expect(Object.keys(created).sort()).toEqual([
      "created_at",
      "enabled",
      "id",
      "name",
      "priority",
      "provider_type",
      "updated_at",
    ]);
    expect(created).toMatchObject({
      name: "vault",
      enabled: true,
      priority: 0,
      provider_type: "onepassword",
    });
    expect(await credentialProviders.retrieve(created.id)).toEqual(created);
    const changes = { name: "safe", token: "ops_two", enabled: false, priority: -1, cache_ttl_seconds: 0 };
    const changed = await credentialProviders.update(created.id, changes);
    expect(changed).toMatchObject({ id: created.id, name: "safe", enabled: false, priority: -1 });
    const [stored] = emulator.credentialProviders.list();
    expect(stored).toMatchObject({ name: "safe", token: "ops_two", cacheTtlSeconds: 0 });
    expect(JSON.stringify([created, changed, emulator.requests])).not.toMatch(/ops_|horse/);
    await credentialProviders.delete(created.id);
    expect(await errorOf(credentialProviders.retrieve(created.id))).toBeInstanceOf(NotFoundError);
  });

  test("the official client lists credential providers by part of a name, newest first, and reads only by id", async () => {
    const { credentialProviders } = kernel();
    await credentialProviders.create(vault);
    const found = async (query: object) =>
      (await credentialProviders.list(query)).items.map(({ name }) => name);
    expect(await found({})).toEqual(["vault", "seeded"]);
    expect(await found({ query: "SEED" })).toEqual(["seeded"]);
    expect(await errorOf(credentialProviders.retrieve("vault"))).toBeInstanceOf(NotFoundError);
  });

  test("the official client lists the vault items of a credential provider, and tests the token", async () => {
    const { credentialProviders } = kernel();
    const { id } = await credentialProviders.create(vault);
    expect(await credentialProviders.test(id)).toEqual({
      success: true,
      vaults: [
        { id: "vault-Work", name: "Work" },
        { id: "vault-Home", name: "Home" },
      ],
    });
    const { items = [] } = await credentialProviders.listItems(id);
    expect(items.map(({ path }) => path)).toEqual(["Work/Shop", "Work/Mail", "Home/Router"]);
    expect(items[2]).toEqual({
      id: "item-Router",
      path: "Home/Router",
      title: "Router",
      vault_id: "vault-Home",
      vault_name: "Home",
      urls: [],
    });
    expect(await credentialProviders.test("seeded")).toEqual({
      success: false,
      vaults: [],
      error: "The token is not a service account token.",
    });
    expect(await credentialProviders.listItems("seeded")).toEqual({ items: [] });
  });

  test("a credential provider with a taken name, another type, an unknown member or an empty token is refused", async () => {
    const { credentialProviders } = kernel();
    const { id } = await credentialProviders.create(vault);
    expect(await errorOf(credentialProviders.create({ ...vault, name: "VAULT" }))).toBeInstanceOf(
      ConflictError,
    );
    expect(await errorOf(credentialProviders.update(id, { name: "Seeded" }))).toBeInstanceOf(ConflictError);
    for (const wrong of [{ provider_type: "bitwarden" }, { enabled: true }, { token: "" }, { name: "  " }]) {
      await json(send(emulator, "POST", "/org/credential_providers", { ...vault, ...wrong }), 400);
    }
    expect(await errorOf(credentialProviders.update(id, { token: "" }))).toBeInstanceOf(BadRequestError);
  });

  test("a project's key reads credential providers, and neither changes nor tests a credential provider", async () => {
    const { key } = emulator.createApiKey({ projectId: emulator.defaultProject.id });
    const { credentialProviders } = kernel(key);
    expect(await credentialProviders.retrieve("seeded")).toMatchObject({ name: "seeded" });
    expect((await credentialProviders.list()).items).toHaveLength(1);
    for (const work of [
      () => credentialProviders.create(vault),
      () => credentialProviders.update("seeded", { priority: 1 }),
      () => credentialProviders.delete("seeded"),
      () => credentialProviders.test("seeded"),
    ]) {
      expect(await errorOf(work())).toBeInstanceOf(PermissionDeniedError);
    }
  });
});

describe("emulator: the credential of an auth connection, by the name of a provider", () => {
  const emulator = useEmulator({
    speed: 1000,
    seed: {
      credentialProviders: [{ id: "vault", name: "vault", token }],
      vaultItems: [
        { path: "Work/Shop", urls: ["https://shop.example/login", "*.bank.example"] },
        { path: "Home/Router" },
      ],
    },
  });
  let profiles = 0;

  /** Step of the login of a new connection, after some seconds. */
  async function stepOf(domain: string, credential: object) {
    profiles += 1;
    const { id } = emulator.authConnections.create({
      domain,
      profileName: `profile-${profiles}`,
      credential,
    });
    emulator.authConnections.startLogin(id);
    emulator.clock.advance(60_000);
    const { login } = emulator.authConnections.get(id);
    return login?.status === "SUCCESS" ? "SUCCESS" : login?.step;
  }

  test.each<[string, string, object, string]>([
    ["a path", "other.example", { provider: "vault", path: "Work/Shop" }, "SUCCESS"],
    ["an unknown path", "shop.example", { provider: "vault", path: "Work/Mail" }, "AWAITING_INPUT"],
    ["auto and an address of the domain", "shop.example", { provider: "vault", auto: true }, "SUCCESS"],
    ["auto and a subdomain", "my.bank.example", { provider: "VAULT", auto: true }, "SUCCESS"],
    [
      "auto and no address of the domain",
      "bank.example",
      { provider: "vault", auto: true },
      "AWAITING_INPUT",
    ],
  ])(
    "an auth connection with a credential provider logs in, or waits for a person, with %s",
    async (_how, domain, credential, step) => {
      expect(await stepOf(domain, credential)).toBe(step);
    },
  );

  test("a login waits for a person while the credential provider is disabled, renamed or has a bad token", async () => {
    const credential = { provider: "vault", path: "Work/Shop" };
    const { id } = emulator.authConnections.create({
      domain: "shop.example",
      profileName: "buyer",
      credential,
    });
    const step = () => {
      emulator.authConnections.startLogin(id);
      emulator.clock.advance(60_000);
      const { login } = emulator.authConnections.get(id);
      if (login?.status === "IN_PROGRESS") {
        emulator.authConnections.endLogin(id, { status: "CANCELED" });
        emulator.authConnections.recordHealthCheck(id, "NEEDS_AUTH");
      }
      return login?.status === "SUCCESS" ? "SUCCESS" : login?.step;
    };
    emulator.credentialProviders.setEnabled("vault", false);
    expect(step()).toBe("AWAITING_INPUT");
    emulator.credentialProviders.setEnabled("vault", true);
    const path = "/org/credential_providers/vault";
    await json(send(emulator, "PATCH", path, { token: "expired" }));
    expect(step()).toBe("AWAITING_INPUT");
    await json(send(emulator, "PATCH", path, { token, name: "safe" }));
    expect(step()).toBe("AWAITING_INPUT");
    await json(send(emulator, "PATCH", path, { name: "vault" }));
    expect(step()).toBe("SUCCESS");
    emulator.credentialProviders.remove("vault");
    emulator.authConnections.recordHealthCheck(id, "NEEDS_AUTH");
    expect(emulator.authConnections.get(id).credential).toEqual(credential);
  });

  test("an auth connection with an unknown credential provider gets 400", async () => {
    const credential = { provider: "safe", auto: true };
    const connection = { domain: "shop.example", profile_name: "seller" };
    const { message } = await json<{ message: string }>(
      send(emulator, "POST", "/auth/connections", { ...connection, credential }),
      400,
    );
    expect(message).toBe('The organization has no credential provider named "safe". Create it first.');
    const { id } = emulator.authConnections.create({ domain: "shop.example", profileName: "other" });
    await json(send(emulator, "PATCH", `/auth/connections/${id}`, { credential }), 400);
  });
});
