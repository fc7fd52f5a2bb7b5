import type { Context, Hono } from "hono";
import { checkArchive } from "./archive-check.js";
import { extensionNameProblem } from "./name.js";
import type { EmulatedExtension, ExtensionStore } from "./store.js";
import { parseMultipart } from "./multipart.js";
import { pageHeaders, readPageRequest } from "../storage/select-page.js";
import { readBody, tooLarge } from "../http/request-body.js";
import type { Access, RouteEnvironment } from "../access.js";
import { conflict, invalidInput, notFound } from "../http/service-error.js";

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
  access: Access,
  extensions: ExtensionStore,
): void {
  app.post("/extensions", access, async (context) => {
    const { exchange } = context.env;
    const { name, bytes } = await readUpload(context);
    await checkArchive(bytes);
    await exchange.reach("before-commit");
    const extension = extensions.insert(context.var.project.id, name ?? null, bytes);
    if (extension === undefined) {
      throw conflict(`An extension named "${name}" exists in this project.`);
    }
    return context.json(onWire(extension), 201);
  });

  app.get("/extensions", access, async (context) => {
    const { name, query, limit, offset } = context.req.query();
    const page = readPageRequest(limit, offset);
    await context.env.exchange.reach("before-commit");
    const { rows, more } = extensions.page({
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
    if (bytes === undefined) {
      throw new Error("an extension has no archive");
    }
    return context.body(bytes, 200, { "content-type": "application/octet-stream" });
  });

  app.delete("/extensions/:idOrName", access, async (context) => {
    await context.env.exchange.reach("before-commit");
    extensions.remove(find(context).id);
    return context.body(null, 204);
  });

  function find(context: Context<RouteEnvironment, "/extensions/:idOrName">): EmulatedExtension {
    const extension = extensions.find(context.var.project.id, context.req.param("idOrName"));
    if (extension) {
      return extension;
    }
    throw notFound("Extension");
  }
}

/** The fields of an upload, checked. Throws `ServiceError`. Fields of other names are ignored. */
async function readUpload(context: Context<RouteEnvironment>): Promise<{ name?: string; bytes: Buffer }> {
  const body = await readBody(context.env.exchange, archiveBytesMax + envelopeBytesMax, archiveTooLarge);
  const parts = parseMultipart(context.req.header("content-type"), body);
  const only = (wanted: string) => {
    const [part, second] = parts.filter(({ name }) => name === wanted);
    if (second) {
      throw invalidInput(`The form has more than one field "${wanted}".`);
    }
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
  if (file.bytes.byteLength > archiveBytesMax) {
    throw archiveTooLarge();
  }
  const name = only("name")?.bytes.toString("utf8");
  if (name === undefined) {
    return { bytes: file.bytes };
  }
  const problem = extensionNameProblem(name);
  if (problem !== undefined) {
    throw invalidInput(`The name ${problem}.`);
  }
  return { name, bytes: file.bytes };
}

function archiveTooLarge() {
  return tooLarge("The extension archive is larger than 50 MiB (52428800 bytes).");
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
