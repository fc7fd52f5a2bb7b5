import Kernel, { ConflictError, NotFoundError } from "@onkernel/sdk";
import { useEmulator } from "../support/emulator.js";
import { errorOf } from "../support/error-of.js";
import { json, send } from "./calls.js";

const secret = "JBSWY3DPEHPK3PXP";

describe("emulator: the service's official client, on credentials", () => {
  const emulator = useEmulator({
    seed: { credentials: [{ name: "seeded", domain: "seed.example", values: { pin: "1" } }] },
  });
  const kernel = () => new Kernel({ apiKey: emulator.apiKeys[0], baseURL: emulator.url, maxRetries: 0 });
  const shop = { name: "shop", domain: "shop.example", values: { username: "ada", password: "one" } };

  test("creates, reads, changes and deletes one, and gets no value of it", async () => {
    const { credentials } = kernel();
    const { id, ...created } = await credentials.create({
      ...shop,
      sso_provider: "google",
      totp_secret: secret,
    });
    expect(created).toMatchObject({
      name: "shop",
      domain: "shop.example",
      has_values: true,
      value_keys: ["username", "password"],
      has_totp_secret: true,
      sso_provider: "google",
    });
    expect(await credentials.retrieve("SHOP")).toEqual({ id, ...created });
    const changes = {
      name: "store",
      values: { pin: "7", password: "two" },
      remove_value_keys: ["username", "pin"],
    };
    const changed = await json<object>(send(emulator, "PATCH", `/credentials/${id}`, changes));
    expect(changed).toMatchObject({ id, name: "store", value_keys: ["password", "pin"] });
    expect(JSON.stringify([created, changed, emulator.requests])).not.toMatch(/"(one|two|ada)"|JBSWY/);
    await credentials.delete(id);
    expect(await errorOf(credentials.retrieve(id))).toBeInstanceOf(NotFoundError);
  });

  test("lists them by domain and by a part of a name or a domain, without the names of values", async () => {
    const { credentials } = kernel();
    await credentials.create(shop);
    const found = async (query: object) => (await credentials.list(query)).items.map(({ name }) => name);
    expect(await found({})).toEqual(["shop", "seeded"]);
    expect(await found({ domain: "SHOP.example" })).toEqual(["shop"]);
    expect(await found({ query: "seed.ex" })).toEqual(["seeded"]);
    expect((await credentials.list()).items[0]).not.toHaveProperty("value_keys");
  });

  test("a name that is taken is refused, and so are settings of one-time codes without a secret", async () => {
    const { credentials } = kernel();
    const { id } = await credentials.create(shop);
    expect(await errorOf(credentials.create({ ...shop, name: "Shop" }))).toBeInstanceOf(ConflictError);
    const { message } = await json<{ message: string }>(
      send(emulator, "PATCH", `/credentials/${id}`, { totp_digits: 8 }),
      400,
    );
    expect(message).toBe("totp_digits needs totp_secret.");
  });

  test("a URI counts for what it says of one-time codes, and a raw secret keeps the rest", async () => {
    const { credentials } = kernel();
    const totp_secret = `otpauth://totp/shop:ada?secret=${secret}&digits=8&algorithm=SHA256`;
    const { id, ...made } = await credentials.create({ ...shop, totp_secret });
    expect(made).toMatchObject({ totp_algorithm: "SHA256", totp_digits: 8, totp_period: 30 });
    const change = (changes: object) => json<object>(send(emulator, "PATCH", `/credentials/${id}`, changes));
    const rotated = await change({ totp_secret: "KRSXG5CTMVRXEZLU", totp_period: 60 });
    expect(rotated).toMatchObject({ totp_algorithm: "SHA256", totp_digits: 8, totp_period: 60 });
    expect(await change({ totp_secret: "" })).toMatchObject({ has_totp_secret: false });
  });
});
