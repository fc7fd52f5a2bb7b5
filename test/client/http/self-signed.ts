import { generateKeyPairSync, sign } from "node:crypto";

/**
 * Creates a self-signed certificate for a host, by default `localhost`, so that the repository
 * contains no private key. Valid from last year to the year after next; `validYears` counts from
 * this year. The encoding is X.509 v1 in DER (RFC 5280, section 4.1): version 1 has no extensions
 * and is therefore short.
 */
export function selfSigned(
  host = "localhost",
  validYears: readonly [from: number, until: number] = [-1, 2],
): { readonly key: string; readonly cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const ecdsaWithSha256 = sequence(Buffer.from("06082a8648ce3d040302", "hex"));
  const commonName = sequence(Buffer.from("0603550403", "hex"), der(0x0c, Buffer.from(host)));
  const name = sequence(der(0x31, commonName));
  const year = (offset: number) =>
    der(0x17, Buffer.from(`${(new Date().getUTCFullYear() + offset) % 100}0101000000Z`));
  const toBeSigned = sequence(
    der(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    name,
    sequence(...validYears.map(year)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
  );
  const signature = sign("sha256", toBeSigned, privateKey);
  const certificate = sequence(toBeSigned, ecdsaWithSha256, der(0x03, Buffer.from([0]), signature));
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.toString("base64")}\n-----END CERTIFICATE-----\n`,
  };
}

function sequence(...parts: Buffer[]): Buffer {
  return der(0x30, ...parts);
}

/** Tag, length, value. Nothing here is longer than 65 535 bytes. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const value = Buffer.concat(parts);
  const length = value.byteLength;
  const head =
    length < 128
      ? [tag, length]
      : length < 256
        ? [tag, 0x81, length]
        : [tag, 0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from(head), value]);
}
