import { randomBytes } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { sign, verify } from "hono/jwt";

/** Lifetime of a token, in seconds (30 minutes). Source: the published clients. */
const tokenSeconds = 1800;

/** Only algorithm with which tokens are signed and accepted. */
const alg = "HS256";

/** Tokens of login pages: JSON Web Tokens, signed with a secret in the database. */
export class LoginTokens {
  readonly #database: DatabaseSync;
  readonly #now: () => Date;

  constructor(database: DatabaseSync, now: () => Date) {
    this.#database = database;
    this.#now = now;
  }

  /** Issues a token for one login of a connection. */
  async issue(connectionId: string, loginId: string): Promise<string> {
    const seconds = Math.floor(this.#now().getTime() / 1000);
    const claims = { sub: connectionId, jti: loginId, iat: seconds, exp: seconds + tokenSeconds };
    return sign(claims, this.#secret(), alg);
  }

  /**
   * Reads connection and login of a token; `expired` for an old token; undefined for a string that
   * `issue` did not return.
   */
  async read(token: string): Promise<{ connectionId: string; loginId: string } | "expired" | undefined> {
    // The emulator's clock may differ from the library's, so the expiry is checked below.
    const times = { exp: false, iat: false, nbf: false };
    const claims = await verify(token, this.#secret(), { alg, ...times }).catch(() => undefined);
    if (claims === undefined) {
      return undefined;
    }
    const { sub, jti, exp } = claims as { sub: string; jti: string; exp: number };
    return this.#now().getTime() < exp * 1000 ? { connectionId: sub, loginId: jti } : "expired";
  }

  #secret(): string {
    const find = () =>
      this.#database.prepare("SELECT bytes FROM token_secret").get()?.bytes as Uint8Array | undefined;
    const known = find();
    if (known) {
      return Buffer.from(known).toString("base64");
    }
    this.#database.prepare("INSERT INTO token_secret VALUES (?)").run(randomBytes(32));
    return this.#secret();
  }
}
