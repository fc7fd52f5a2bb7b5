import { type ListRequest, ListResponse } from "@pulumi/pulumi/proto/provider_pb.js";
import { checkProjectId, defaultProjectId } from "../../config.js";
import { InputError } from "../../errors.js";
import { checkNames, checkValues } from "../../functions/forms.js";
import type { Call } from "../../providers/call.js";
import type { ResourceKind } from "../../providers/kinds.js";
import { type PropertyMap, unknownValue } from "../../providers/properties.js";
import { type Listing, listInputsOf, listings } from "../../providers/reads/listings.js";
import { propertiesOf } from "./wire.js";

/** Objects of a page by default: as many as a page of the service. */
const pageSize = 100;

type Rows = ReturnType<ReturnType<Listing["operations"]>["iterate"]>;

/** Pages of the lists that a run of the engine reads, with ids and names alone. */
export class ListPages {
  /** Walks that ended with a full page, by what was asked and the place of the next row. */
  readonly #walks = new Map<string, Rows>();

  /**
   * Reads a page. A further page continues the walk of the page before, so that nothing comes twice
   * and nothing is missed. In another process, the walk begins anew and skips the rows of earlier pages.
   *
   * The continuation token has the place of the next row and the rows left of the limit, because
   * Pulumi's command line counts the limit down, and the protocol keeps the limit.
   *
   * Throws `InputError` before any request, and the errors of the client.
   */
  async read(kind: ResourceKind, request: ListRequest, call: Call): Promise<ListResponse[]> {
    const listing: Listing | undefined = listings[kind];
    if (listing === undefined) {
      const message = `The service has no list of the type "${request.getToken()}".`;
      throw new InputError("type_unknown", "token", message);
    }
    const query = propertiesOf(request.getQuery(), Object.keys(listInputsOf(listing)));
    if (Object.values(query).includes(unknownValue)) {
      return [new ListResponse().setComputed(new ListResponse.Computed())];
    }
    checkQuery(query, listing);
    const { offset, left } = placeIn(request.getContinuationToken());
    const limit = Math.min(left, request.getLimit() > 0 ? request.getLimit() : Number.POSITIVE_INFINITY);
    const size = Math.min(limit, request.getPageSize() > 0 ? request.getPageSize() : pageSize);
    const keyAt = (place: number) => JSON.stringify([kind, query, place]);
    const walk = this.#walks.get(keyAt(offset)) ?? walkFrom(offset, query, listing, call);
    this.#walks.delete(keyAt(offset));
    const found: ListResponse[] = [];
    while (found.length < size) {
      const { value, done } = await walk.next();
      if (done === true) {
        return found;
      }
      const id = query.projectId === undefined ? value.id : `${String(query.projectId)}/${value.id}`;
      const name = listing.nameOf?.(value as never) ?? value.name ?? "";
      found.push(new ListResponse().setResult(new ListResponse.Result().setId(id).setName(name)));
    }
    if (size === limit) {
      return found;
    }
    const next = offset + size;
    this.#walks.set(keyAt(next), walk);
    const token = limit === Number.POSITIVE_INFINITY ? `${next}` : `${next}/${limit - size}`;
    const continuation = new ListResponse.Continuation().setContinuationToken(token);
    return [...found, new ListResponse().setContinuation(continuation)];
  }
}

function checkQuery(query: PropertyMap, listing: Listing): void {
  const inputs = listInputsOf(listing);
  const rules = Object.fromEntries(Object.keys(inputs).map((name) => [name, "any" as const]));
  checkNames(query, rules);
  checkValues(query, rules);
  for (const [name, { values }] of Object.entries(inputs)) {
    if (values !== undefined && query[name] !== undefined && !values.includes(String(query[name]))) {
      const message = `"${name}" must be one of ${values.join(", ")}.`;
      throw new InputError("argument_invalid", name, message);
    }
  }
}

function walkFrom(
  offset: number,
  { projectId, ...filters }: PropertyMap,
  { scope, operations }: Listing,
  call: Call,
): Rows {
  const project = () =>
    projectId === undefined ? defaultProjectId(call.settings) : checkProjectId(projectId as string);
  const client = call.clientFor(scope === "project" ? project() : undefined);
  return operations(client).iterate({ ...filters, offset, ...call.options } as never);
}

function placeIn(token: string) {
  const [, offset, left] = /^(\d{1,15})(?:\/(\d{1,15}))?$/.exec(token || "0") ?? [];
  if (offset === undefined) {
    const message = "The continuation token is not from this provider. List again from the beginning.";
    throw new InputError("argument_invalid", "continuationToken", message);
  }
  return { offset: Number(offset), left: left === undefined ? Number.POSITIVE_INFINITY : Number(left) };
}
