/** One-time codes of a credential: RFC 6238 over RFC 4226. */
import { createHmac } from "node:crypto";
import type { EmulatedTotp } from "./store.js";

const base32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Returns the code at a time, with its expiry, as the service sends both. */
export function totpCode({ secret, algorithm, digits, period }: EmulatedTotp, now: Date) {
  const step = Math.floor(now.getTime() / 1000 / period);
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const hash = createHmac(algorithm, bytesOf(secret)).update(counter).digest();
  const offset = hash.readUInt8(hash.length - 1) & 0x0f;
  const number = (hash.readUInt32BE(offset) & 0x7fff_ffff) % 10 ** digits;
  return {
    code: String(number).padStart(digits, "0"),
    expires_at: new Date((step + 1) * period * 1000).toISOString(),
  };
}

/** Decodes a string in base32 (RFC 4648). */
function bytesOf(secret: string): Buffer {
  const bits = [...secret.toUpperCase().replace(/=+$/, "")]
    .map((letter) => base32.indexOf(letter).toString(2).padStart(5, "0"))
    .join("");
  const bytes = bits.match(/.{8}/g) ?? [];
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
}
