import Kernel, { BadRequestError, ConflictError, NotFoundError } from "@onkernel/sdk";
import { useEmulator } from "../../support/emulator.js";
import { errorOf } from "../../support/error-of.js";
import { json, send } from "../calls.js";

const secret = "JBSWY3DPEHPK3PXP";

describe("emulator: the service's official client, on credentials", () => {
  const emulator = useEmulator({
    seed: { credentials: [{ name: "seeded", domain: "seed.example", values: { pin: "1" } }] },
  });
  const kernel = () => new Kernel({ apiKey: emulator.apiKeys[0], baseURL: emulator.url, maxRetries: 0 });
  const shop = { name: "shop", domain: "shop.example", values: { username: "ada", password: "one" } };

  test("the official client creates, reads, changes and deletes a credential, and gets no secret value", async () => {
    const { credentials } = kernel();
    const answer = await credentials.create({ ...shop, sso_provider: "google", totp_secret: secret });
    const { id, totp_code: _, totp_code_expires_at: __, ...created } = answer;
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

  test("the official client lists credentials by domain and by part of a name or domain, without value names", async () => {
    const { credentials } = kernel();
    await credentials.create(shop);
    const found = async (query: object) => (await credentials.list(query)).items.map(({ name }) => name);
    expect(await found({})).toEqual(["shop", "seeded"]);
    expect(await found({ domain: "SHOP.example" })).toEqual(["shop"]);
    expect(await found({ query: "seed.ex" })).toEqual(["seeded"]);
    expect((await credentials.list()).items[0]).not.toHaveProperty("value_keys");
  });

  test("a credential with a taken name is refused, and so are one-time code settings without a secret", async () => {
    const { credentials } = kernel();
    const { id } = await credentials.create(shop);
    expect(await errorOf(credentials.create({ ...shop, name: "Shop" }))).toBeInstanceOf(ConflictError);
    const { message } = await json<{ message: string }>(
      send(emulator, "PATCH", `/credentials/${id}`, { totp_digits: 8 }),
      400,
    );
    expect(message).toBe("totp_digits needs totp_secret.");
  });

  test("an otpauth URI sets algorithm and digits of one-time codes, and a raw secret keeps both", async () => {
    const { credentials } = kernel();
    const totp_secret = `otpauth://totp/shop:ada?secret=${secret}&digits=8&algorithm=SHA256`;
    const { id, ...made } = await credentials.create({ ...shop, totp_secret });
    expect(made).toMatchObject({ totp_algorithm: "SHA256", totp_digits: 8, totp_period: 30 });
    const change = (changes: object) => json<object>(send(emulator, "PATCH", `/credentials/${id}`, changes));
    const rotated = await change({ totp_secret: "KRSXG5CTMVRXEZLU", totp_period: 60 });
    expect(rotated).toMatchObject({ totp_algorithm: "SHA256", totp_digits: 8, totp_period: 60 });
    expect(await change({ totp_secret: "" })).toMatchObject({ has_totp_secret: false });
  });

  // Vectors of RFC 6238, appendix B. The secrets are the RFC's ASCII digits in base32.
  test.each([
    ["SHA1", 20, "14050471"],
    ["SHA256", 32, "67062674"],
    ["SHA512", 64, "99943326"],
  ] as const)(
    "a one-time code of %s is correct, and appears only in totpCode and in the response to a new secret",
    async (algorithm, bytes, code) => {
      // The clock goes on, and this code stays for 29 seconds.
      emulator.clock.set("2005-03-18T01:58:31Z");
      const { credentials } = kernel();
      const totp = { totp_secret: digitsInBase32(bytes), totp_algorithm: algorithm, totp_digits: 8 };
      const { id, ...made } = await credentials.create({ ...shop, ...totp });
      const expires = "2005-03-18T01:59:00.000Z";
      expect(made).toMatchObject({ totp_code: code, totp_code_expires_at: expires });
      expect(await credentials.totpCode("shop")).toEqual({ code, expires_at: expires });
      expect(await credentials.retrieve(id)).not.toHaveProperty("totp_code");
      expect(await credentials.update(id, { name: "store" })).not.toHaveProperty("totp_code");
      expect(await credentials.update(id, { totp_secret: secret })).toHaveProperty("totp_code");
    },
  );

  test("a credential without a TOTP secret has no one-time code, and digits and period have bounds", async () => {
    const { credentials } = kernel();
    await credentials.create(shop);
    expect(await errorOf(credentials.totpCode("shop"))).toBeInstanceOf(NotFoundError);
    for (const totp of [
      { totp_digits: 5 },
      { totp_digits: 10 },
      { totp_period: 14 },
      { totp_period: 301 },
      { totp_secret: `otpauth://totp/a?secret=${secret}&digits=10` },
      { totp_secret: `otpauth://totp/a?secret=${secret}&algorithm=MD5` },
    ]) {
      const body = { ...shop, name: "other", totp_secret: secret, ...totp };
      expect(await errorOf(credentials.create(body))).toBeInstanceOf(BadRequestError);
    }
    const most = { totp_secret: secret, totp_digits: 9, totp_period: 300 };
    expect((await credentials.create({ ...shop, name: "other", ...most })).totp_code).toMatch(/^\d{9}$/);
  });

  test("an auth connection needs an existing credential, follows a rename, and loses a deleted credential", async () => {
    const { credentials, auth } = kernel();
    const connect = (name: string) =>
      auth.connections.create({ domain: "shop.example", profile_name: "ada", credential: { name } });
    expect(await errorOf(connect("shop"))).toBeInstanceOf(BadRequestError);
    const { id } = await credentials.create(shop);
    const connection = await connect("shop");
    const present = () => auth.connections.retrieve(connection.id);
    await credentials.update(id, { name: "store" });
    expect(await present()).toMatchObject({ credential: { name: "store" } });
    expect(
      await errorOf(auth.connections.update(connection.id, { credential: { name: "shop" } })),
    ).toBeInstanceOf(BadRequestError);
    await credentials.delete(id);
    expect(await present()).not.toHaveProperty("credential");
  });
});

/** The digits 1 to 9 and 0, repeated to so many bytes, in base32. */
function digitsInBase32(bytes: number): string {
  const bits = [...Buffer.from("1234567890".repeat(7)).subarray(0, bytes)]
    .map((byte) => byte.toString(2).padStart(8, "0"))
    .join("");
  const groups = bits.match(/.{1,5}/g) ?? [];
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  return groups.map((group) => letters[Number.parseInt(group.padEnd(5, "0"), 2)]).join("");
}
