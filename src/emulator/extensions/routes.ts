import type { Context, Hono } from "hono";
import type { Access, RouteEnvironment } from "../access.js";
import { beforeCommit } from "../http/exchange.js";
import { pageHeaders, readPageRequest } from "../http/query.js";
import { readBody, tooLarge } from "../http/request-body.js";
import { conflict, invalidInput, notFound } from "../http/service-error.js";
import { checkArchive } from "./archive-check.js";
import { parseMultipart } from "./multipart.js";
import { type EmulatedExtension, type ExtensionStore, extensionNameProblem } from "./store.js";

/**
 * Largest archive accepted, in bytes (50 MiB). Source: the service's own tools refuse to send more.
 * It is a guess that the service itself has the same limit.
 */
export const archiveBytesMax = 52_428_800;

/** Most bytes of a request body beside the archive: boundaries, headers and other fields. */
const envelopeBytesMax = 1_048_576;

/** Adds the operations on extensions. `access` runs before each. */
export function addExtensionRoutes(
  app: Hono<RouteEnvironment>,
  access: Access,
  extensions: ExtensionStore,
): void {
  app.post("/extensions", access, async (context) => {
    const { name, bytes } = await readUpload(context);
    await checkArchive(bytes);
    await beforeCommit(context);
    const extension = extensions.insert(context.var.project.id, name ?? null, bytes);
    if (extension === undefined) {
      throw conflict(`An extension named "${name}" already exists in this project.`);
    }
    return context.json(onWire(extension), 201);
  });

  app.get("/extensions", access, async (context) => {
    const { name, query, limit, offset } = context.req.query();
    const page = readPageRequest(limit, offset);
    await beforeCommit(context);
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
    await beforeCommit(context);
    return context.json(onWire(find(context)));
  });

  app.get("/extensions/:idOrName", access, async (context) => {
    await beforeCommit(context);
    const bytes = extensions.archive(find(context).id);
    if (bytes === undefined) {
      throw new Error("an extension has no archive");
    }
    return context.body(bytes, 200, { "content-type": "application/octet-stream" });
  });

  app.delete("/extensions/:idOrName", access, async (context) => {
    await beforeCommit(context);
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
        ? 'The form field "file" is text. Send the archive as a file, with a filename.'
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

/** The record as the service sends it, with all members: a published client requires them. */
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
