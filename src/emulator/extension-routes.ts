import type { Context, Hono, MiddlewareHandler } from "hono";
import { checkArchive } from "./archive-check.js";
import type { EmulatedExtension, ExtensionStore } from "./extension-store.js";
import { parseMultipart } from "./multipart.js";
import { pageHeaders, readPageRequest } from "./paging.js";
import { readBody, tooLarge } from "./request-body.js";
import type { RouteEnvironment } from "./scope.js";
import { invalidInput, ServiceError } from "./service-error.js";

/**
 * Largest archive taken, in bytes (50 MiB). Source: the service's own tools stop there before they send; that the service itself
 * does, too, is a guess.
 */
export const archiveBytesMax = 52_428_800;

/** What a request body may have beyond the archive, in bytes: boundaries, headers and other fields. */
const envelopeBytesMax = 1_048_576;

/** Adds the operations on extensions. `access` runs before each. */
export function addExtensionRoutes(
  app: Hono<RouteEnvironment>,
  access: MiddlewareHandler<RouteEnvironment>,
  extensions: ExtensionStore,
): void {
  app.post("/extensions", access, async (context) => {
    const { exchange } = context.env;
    const { name, bytes } = await readUpload(context);
    await checkArchive(bytes);
    await exchange.reach("before-commit");
    const extension = extensions.insert(context.var.project.id, name ?? null, bytes);
    if (extension === undefined) {
      // The status is published; the code is a guess after the service's other conflicts.
      throw new ServiceError(409, "conflict", `An extension named "${name}" exists in this project.`);
    }
    return context.json(onWire(extension), 201);
  });

  app.get("/extensions", access, async (context) => {
    const { name, query, limit, offset } = context.req.query();
    const page = readPageRequest(limit, offset);
    await context.env.exchange.reach("before-commit");
    const { extensions: rows, more } = extensions.page({
      projectId: context.var.project.id,
      ...page,
      // An empty filter filters nothing: a guess.
      name: name || undefined,
      query: query || undefined,
    });
    return context.json(rows.map(onWire), 200, pageHeaders(page, more));
  });

  app.get("/extensions/:idOrName/metadata", access, async (context) => {
    await context.env.exchange.reach("before-commit");
    return context.json(onWire(find(context)));
  });

  app.get("/extensions/:idOrName", access, async (context) => {
    await context.env.exchange.reach("before-commit");
    const bytes = extensions.archive(find(context).id);
    if (bytes === undefined) throw new Error("an extension has no archive");
    return context.body(bytes, 200, { "content-type": "application/octet-stream" });
  });

  app.delete("/extensions/:idOrName", access, async (context) => {
    await context.env.exchange.reach("before-commit");
    extensions.remove(find(context).id);
    return context.body(null, 204);
  });

  function find(context: Context<RouteEnvironment, "/extensions/:idOrName">): EmulatedExtension {
    const extension = extensions.find(context.var.project.id, context.req.param("idOrName"));
    if (extension) return extension;
    throw new ServiceError(404, "not_found", "Extension not found.");
  }
}

/** The fields of an upload, checked. Throws `ServiceError`. Fields of other names are ignored. */
async function readUpload(context: Context<RouteEnvironment>): Promise<{ name?: string; bytes: Buffer }> {
  const { incoming, exchange } = context.env;
  const body = await readBody(incoming, archiveBytesMax + envelopeBytesMax, (count) => {
    exchange.record.bodyBytes += count;
  });
  const parts = parseMultipart(context.req.header("content-type"), body);
  const only = (wanted: string) => {
    const [part, second] = parts.filter(({ name }) => name === wanted);
    if (second) throw invalidInput(`The form has more than one field "${wanted}".`);
    return part;
  };
  const file = only("file");
  if (!file?.isFile) {
    throw invalidInput(
      file
        ? 'The form field "file" is text; send the archive as a file, with a filename.'
        : 'The form has no file in a field "file".',
    );
  }
  if (file.bytes.byteLength > archiveBytesMax) throw tooLarge();
  const name = only("name")?.bytes.toString("utf8");
  if (name === undefined) return { bytes: file.bytes };
  // Source of the pattern: the service's published interface description.
  if (!/^[A-Za-z0-9._-]{1,255}$/.test(name))
    throw invalidInput("The name must be 1 to 255 of the characters A-Z a-z 0-9 . _ -");
  // Every path takes an id or a name. Source: the service's Terraform provider refuses such names; that the service does is a guess.
  if (/^[a-z0-9]{24}$/.test(name))
    throw invalidInput("The name must not look like an id, 24 of a-z and 0-9.");
  return { name, bytes: file.bytes };
}

/** The record as the service sends it. Nullable members are sent as null: a published client refuses their absence. */
function onWire(extension: EmulatedExtension) {
  return {
    id: extension.id,
    name: extension.name,
    created_at: extension.createdAt,
    size_bytes: extension.sizeBytes,
    checksum: extension.checksum,
    last_used_at: extension.lastUsedAt,
  };
}
