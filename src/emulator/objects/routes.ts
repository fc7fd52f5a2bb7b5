import type { Context, Hono } from "hono";
import type { z } from "zod";
import { beforeCommit } from "../http/exchange.js";
import { pageResponse, readFilters, readPageRequest } from "../http/query.js";
import { readJson } from "../http/request-body.js";
import { asBadRequest, conflict, notFound, ServiceError } from "../http/service-error.js";
import { nothing } from "../http/shapes.js";
import { camelCased } from "../storage/members.js";
import type { ProjectTable } from "../storage/table.js";
import type { Access, RouteEnvironment } from "./access.js";
import { refuseScope } from "./scope.js";

type RouteContext = Context<RouteEnvironment>;

/** Object with the members of a response. */
type OnWire = Readonly<Record<string, unknown>>;

interface Stored {
  readonly id: string;
  readonly projectId?: string | undefined;
  readonly name?: string | null;
}

/** Objects of one kind, as requests address the objects. */
export interface ObjectKind<Item extends Stored> {
  readonly path: string;
  /** Last part of an object's path. Default: `:idOrName`. */
  readonly parameter?: string;
  /** Name in messages, such as `browser pool`. */
  readonly thing: string;
  readonly table: ProjectTable<Item>;
  /** Owner of the objects. Default: the project of the request. */
  readonly owner?: "organization";
  /** Whether the caller can see an object. Default: every object of the owner. */
  isVisible?(context: RouteContext, item: Item): boolean;
  /** Finds an object of the owner; undefined if there is none. Default: by id or name. */
  find?(context: RouteContext, idOrName: string): Item | undefined;
  onWire(item: Item, context: RouteContext): OnWire;
}

interface BodyOptions<Item, Body> {
  /** Default: `onWire` of the kind. */
  readonly onWire?: (item: Item, body: Body) => OnWire;
  /** Largest body, in bytes. */
  readonly bytesMax?: number;
  /** Default: access of the kind. */
  readonly access?: Access;
}

interface CreateOptions<Item, Body> extends BodyOptions<Item, Body> {
  /** Default: 201. */
  readonly status?: 200;
  /** What a new object waits for before the response, after the database has the object. */
  readonly finish?: (made: Item) => Promise<void> | undefined;
}

/**
 * Operations on the objects of one kind. Every operation finishes the checks of the request before
 * the first look into the database.
 */
export class ObjectRoutes<Item extends Stored> {
  readonly #app: Hono<RouteEnvironment>;
  readonly #access: Access;
  readonly #kind: ObjectKind<Item>;
  readonly #object: string;

  constructor(app: Hono<RouteEnvironment>, access: Access, kind: ObjectKind<Item>) {
    this.#app = app;
    this.#access = access;
    this.#kind = kind;
    this.#object = `${kind.path}/${kind.parameter ?? ":idOrName"}`;
  }

  /** Adds the creation. `make` returns undefined if the name is taken. */
  create<Body>(
    shape: z.ZodType<Body>,
    make: (body: Body, context: RouteContext) => Item | undefined,
    { onWire, bytesMax, access = this.#access, status, finish }: CreateOptions<Item, Body> = {},
  ): void {
    this.#app.post(this.#kind.path, access, async (context) => {
      const body = await readJson(context, shape, bytesMax);
      await beforeCommit(context);
      const made = asBadRequest(() => make(body, context)) ?? this.taken(context, body);
      await finish?.(made);
      return context.json(onWire?.(made, body) ?? this.#kind.onWire(made, context), status ?? 201);
    });
  }

  /**
   * Adds the list, with filters by parameter besides `query`. `also` reads a further filter of the
   * kind.
   */
  list(
    filters: readonly string[],
    {
      also = () => undefined,
      onWire = this.#kind.onWire,
    }: {
      also?: (context: RouteContext) => ((item: Item) => boolean) | undefined;
      onWire?: ObjectKind<Item>["onWire"];
    } = {},
  ): void {
    this.#app.get(this.#kind.path, this.#access, async (context) => {
      const { query, ...exact } = readFilters(context, "query", ...filters);
      const fits = also(context);
      const request = { ...readPageRequest(context), query, exact: camelCased(exact) };
      await beforeCommit(context);
      const page = this.#kind.table.page({
        ...request,
        projectId: this.#projectId(context),
        ids: context.var.granted,
        also: (item) => this.#isVisible(context, item) && (fits?.(item) ?? true),
      });
      return pageResponse(context, page, (item) => onWire(item, context));
    });
  }

  /** Adds the operation that reads an object, at a path below the object's. */
  read(
    below = "",
    respond = (context: RouteContext, item: Item): Response => context.json(this.#kind.onWire(item, context)),
    access = this.#access,
  ): void {
    this.#app.get(this.#object + below, access, async (context) => {
      await beforeCommit(context);
      return respond(context, this.find(context));
    });
  }

  /** Adds a change, at a path below the object's. `change` returns undefined if the new name is taken. */
  change<Body>(
    shape: z.ZodType<Body>,
    change: (body: Body, item: Item, context: RouteContext) => Item | undefined,
    {
      below = "",
      onWire,
      bytesMax,
      access = this.#access,
    }: BodyOptions<Item, Body> & { readonly below?: string } = {},
  ): void {
    this.#app.patch(this.#object + below, access, async (context) => {
      const body = await readJson(context, shape, bytesMax);
      await beforeCommit(context);
      const item = this.find(context);
      const changed = asBadRequest(() => change(body, item, context)) ?? this.taken(context, body);
      return context.json(onWire?.(changed, body) ?? this.#kind.onWire(changed, context));
    });
  }

  /** Adds an operation that only an object of the kind has, at a path below the object's. */
  post<Body>(
    below: string,
    shape: z.ZodType<Body>,
    run: (body: Body, item: Item, context: RouteContext) => Response | Promise<Response>,
    access = this.#access,
  ): void {
    this.#app.post(this.#object + below, access, async (context) => {
      const body = await readJson(context, shape);
      await beforeCommit(context);
      return run(body, this.find(context), context);
    });
  }

  /** Adds the deletion. `remove` refuses an object that cannot be deleted. */
  remove<Body>(
    shape: z.ZodType<Body>,
    remove: (body: Body, item: Item) => void | Promise<void>,
    access = this.#access,
  ): void {
    this.#app.delete(this.#object, access, async (context) => {
      const body = await readJson(context, shape);
      await beforeCommit(context);
      await remove(body, this.find(context));
      return context.body(null, 204);
    });
  }

  /**
   * Adds the deletion of an object that nothing uses. `usersOf` lists the users, as the end of a sentence;
   * undefined if none.
   */
  removeUnused(
    usersOf: (id: string) => string | undefined,
    refusal = (message: string) => new ServiceError(400, "resource_in_use", message),
  ): void {
    const { thing, table } = this.#kind;
    this.remove(nothing, (_, { id }) => {
      const users = usersOf(id);
      if (users !== undefined) {
        throw refusal(`The ${thing} is used by ${users}.`);
      }
      table.remove(id);
    });
  }

  /** Finds the object in the path. Throws `ServiceError` 404 or, by the key's policy, 403. */
  find(context: RouteContext): Item {
    const [idOrName = ""] = Object.values(context.req.param());
    const { table, find = () => table.findIn(this.#projectId(context), idOrName) } = this.#kind;
    const item = find(context, idOrName);
    if (item === undefined || !this.#isVisible(context, item)) {
      throw notFound(this.#kind.thing.replace(/^./, (letter) => letter.toUpperCase()));
    }
    if (context.var.granted?.includes(item.id) === false) {
      refuseScope(context.req);
    }
    return item;
  }

  /**
   * Refuses the name in a body with the id of the object that has the name. Names that differ only by
   * case or accents count as equal.
   */
  taken(context: RouteContext, body: unknown): never {
    const { thing, table, owner = "project" } = this.#kind;
    const { name = "" } = body as { readonly name?: string };
    const holder = table.existing({ name }, this.#projectId(context));
    const article = /^[aeiou]/.test(thing) ? "An" : "A";
    throw conflict(
      `${article} ${thing} named "${holder?.name}" (id ${holder?.id}) already exists in this ${owner}. Case and accents of a name do not count.`,
    );
  }

  #projectId(context: RouteContext): string | undefined {
    return this.#kind.owner === "organization" ? undefined : context.var.project.id;
  }

  #isVisible(context: RouteContext, item: Item): boolean {
    return this.#kind.isVisible?.(context, item) ?? true;
  }
}
