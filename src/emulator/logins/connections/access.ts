import { randomBytes } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { sign, verify } from "hono/jwt";
import type { Access } from "../../access.js";
import { bearerCredential } from "../../access.js";
import { forbidden, notFound, ServiceError } from "../../http/service-error.js";
import type { ProjectStore } from "../../projects/store.js";
import type { LoginEngine } from "../engine.js";
import type { AuthConnectionStore } from "./store.js";

/** How long a token is valid, in seconds (30 minutes). Source: the published clients. */
const tokenSeconds = 1800;

/** The one algorithm that tokens are signed with and that is accepted. */
const alg = "HS256";

/** The tokens of login pages: JSON Web Tokens, signed with a secret in the database. */
export class LoginTokens {
  readonly #database: DatabaseSync;
  readonly #now: () => Date;

  constructor(database: DatabaseSync, now: () => Date) {
    this.#database = database;
    this.#now = now;
  }

  /** A token for one login of a connection. */
  async issue(connectionId: string, loginId: string): Promise<string> {
    const seconds = Math.floor(this.#now().getTime() / 1000);
    const claims = { sub: connectionId, jti: loginId, iat: seconds, exp: seconds + tokenSeconds };
    return sign(claims, this.#secret(), alg);
  }

  /** What a token is for; undefined for anything that is not one of these tokens. */
  async read(token: string): Promise<{ connectionId: string; loginId: string } | "expired" | undefined> {
    // The emulator may have a clock of its own, so it checks the times itself.
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

/** What decides whether a request may reach a connection. */
interface ConnectionAccessParts {
  readonly tokens: LoginTokens;
  readonly connections: AuthConnectionStore;
  readonly engine: LoginEngine;
  readonly projects: ProjectStore;
}

/**
 * Admits a request to one connection: with an API key to any connection of its project, with the
 * token of a login page to the connection it was issued for, until another login of it starts. It
 * is a guess that the token ends then.
 */
export function connectionAccess(
  ofProject: Access,
  { tokens, connections, engine, projects }: ConnectionAccessParts,
): Access {
  return async (context, next) => {
    const credential = bearerCredential(context);
    const token = credential === undefined ? undefined : await tokens.read(credential);
    if (token === undefined) {
      return ofProject(context, next);
    }
    if (token === "expired") {
      throw invalidToken();
    }
    if (token.connectionId !== context.req.param("id")) {
      throw forbidden("The token was issued for another auth connection.");
    }
    const connection = connections.find(token.connectionId);
    const project = connection && projects.activeById(connection.projectId);
    if (project === undefined) {
      throw notFound("Auth connection");
    }
    if (engine.latest(token.connectionId)?.id !== token.loginId) {
      throw invalidToken();
    }
    context.set("project", project);
    context.env.exchange.record.project = project.id;
    return next();
  };
}

function invalidToken(): ServiceError {
  return new ServiceError(401, "unauthorized", "The token is no longer valid. Start a new login.");
}
