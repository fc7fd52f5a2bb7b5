import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";

/** How long a token is valid, in seconds (30 minutes). Source: the service's published clients. */
const tokenSeconds = 1800;

/** The tokens that login pages work with: JSON Web Tokens, signed with a secret of the data they are for. */
export class LoginTokens {
  readonly #database: DatabaseSync;
  readonly #now: () => Date;

  constructor(database: DatabaseSync, now: () => Date) {
    this.#database = database;
    this.#now = now;
  }

  /** A token that is good for one login of a connection. */
  issue(connectionId: string, flowId: string): string {
    const seconds = Math.floor(this.#now().getTime() / 1000);
    const signed = `${part({ alg: "HS256", typ: "JWT" })}.${part({
      sub: connectionId,
      jti: flowId,
      iat: seconds,
      exp: seconds + tokenSeconds,
    })}`;
    return `${signed}.${this.#signature(signed).toString("base64url")}`;
  }

  /** What a token is good for; undefined for anything that is no token of these. */
  read(token: string): { connectionId: string; flowId: string } | "expired" | undefined {
    const [header = "", payload = "", signature] = token.split(".");
    if (signature === undefined) {
      return undefined;
    }
    const given = Buffer.from(signature, "base64url");
    const expected = this.#signature(`${header}.${payload}`);
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
      return undefined;
    }
    const { sub, jti, exp } = JSON.parse(Buffer.from(payload, "base64url").toString("utf8")) as {
      sub: string;
      jti: string;
      exp: number;
    };
    return this.#now().getTime() < exp * 1000 ? { connectionId: sub, flowId: jti } : "expired";
  }

  #signature(signed: string): Buffer {
    return createHmac("sha256", this.#secret()).update(signed).digest();
  }

  #secret(): Uint8Array {
    const find = () =>
      this.#database.prepare("SELECT bytes FROM token_secret").get()?.bytes as Uint8Array | undefined;
    const known = find();
    if (known) {
      return known;
    }
    this.#database.prepare("INSERT INTO token_secret VALUES (?)").run(randomBytes(32));
    return find() as Uint8Array;
  }
}

function part(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}
