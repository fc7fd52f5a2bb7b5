import { randomBytes } from "node:crypto";
import { sign, verify } from "hono/jwt";
import type { Database } from "../../storage/database.js";
import { Table } from "../../storage/table.js";

/** Lifetime of a token, in seconds (30 minutes). Source: the published clients. */
const tokenSeconds = 1800;

/** Only algorithm with which tokens are signed and accepted. */
const alg = "HS256";

/** Tokens of login pages: JSON Web Tokens, signed with a secret in the database. */
export class LoginTokens extends Table<{ readonly id: string; readonly secret: string }> {
  readonly #now: () => Date;

  constructor(database: Database, now: () => Date) {
    super(database, "tokenSecrets");
    this.#now = now;
  }

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
    const known = this.find(alg) ?? this.add({ id: alg, secret: randomBytes(32).toString("base64") });
    return known?.secret ?? "";
  }
}
