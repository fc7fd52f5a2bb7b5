import type { Context, Hono } from "hono";
import { beforeCommit } from "../../http/exchange.js";
import { readBody, tooLarge } from "../../http/request-body.js";
import { invalidInput, ServiceError } from "../../http/service-error.js";
import { nothing } from "../../http/shapes.js";
import type { Access, RouteEnvironment } from "../../objects/access.js";
import { ObjectRoutes } from "../../objects/routes.js";
import { plainNameProblem } from "../../storage/ids-and-names.js";
import { snakeCased } from "../../storage/members.js";
import { readArchive } from "./archive-check.js";
import { parseMultipart } from "./multipart.js";
import type { EmulatedExtension, ExtensionStore } from "./store.js";

/** Largest archive accepted, in bytes (50 MiB). Source: the service's own tools send no more. */
export const archiveBytesMax = 52_428_800;

/** Most bytes of a request body besides the archive: boundaries, headers and further fields. */
const envelopeBytesMax = 1_048_576;

/**
 * Adds the operations on extensions. `access` runs before every operation. `usersOf` lists the
 * users of an extension, as the end of a sentence; undefined if none. @internal
 */
export function addExtensionRoutes(
  app: Hono<RouteEnvironment>,
  access: Access,
  extensions: ExtensionStore,
  usersOf: (extensionId: string) => string | undefined,
): void {
  const kind = { path: "/extensions", thing: "extension", table: extensions, onWire };
  const routes = new ObjectRoutes(app, access, kind);
  app.post("/extensions", access, async (context) => {
    const upload = await readUpload(context);
    await readArchive(upload.bytes);
    await beforeCommit(context);
    const extension = extensions.insert(context.var.project.id, upload.name, upload.bytes);
    return context.json(onWire(extension ?? routes.taken(context, upload)), 201);
  });
  routes.list(["name"]);
  routes.read("/metadata");
  routes.read("", (context, { id }) =>
    context.body(extensions.archive(id), 200, { "content-type": "application/octet-stream" }),
  );
  routes.remove(nothing, (_, { id }) => {
    const users = usersOf(id);
    if (users !== undefined) {
      // Status and code are as expected by the service's Terraform provider.
      throw new ServiceError(400, "resource_in_use", `The extension is used by ${users}.`);
    }
    extensions.remove(id);
  });
}

/** Reads and checks the fields of an upload. Throws `ServiceError`, also for an unknown field. */
async function readUpload(
  context: Context<RouteEnvironment>,
): Promise<{ name: string | null; bytes: Buffer }> {
  const body = await readBody(context.env.exchange, archiveBytesMax + envelopeBytesMax, archiveTooLarge);
  const parts = parseMultipart(context.req.header("content-type"), body);
  context.env.exchange.contents.body = Object.fromEntries(
    parts.map(({ name, isFile, bytes }) => [name, isFile ? `${bytes.byteLength} bytes` : bytes.toString()]),
  );
  const other = parts.find(({ name }) => name !== "file" && name !== "name");
  if (other) {
    throw invalidInput(`The form has an unknown field ${JSON.stringify(other.name)}.`);
  }
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
  const problem = name === undefined ? undefined : plainNameProblem(name);
  if (problem !== undefined) {
    throw invalidInput(`The name ${problem}.`);
  }
  return { name: name ?? null, bytes: file.bytes };
}

function archiveTooLarge() {
  return tooLarge("The extension archive is larger than 50 MiB (52428800 bytes).");
}

/**
 * Converts a record as the service sends records. A published client requires all members, but a
 * missing `checksum` is published as omitted. No extension is ever used: no real browser runs.
 */
function onWire({ projectId, checksum, ...extension }: EmulatedExtension) {
  return snakeCased({ ...extension, lastUsedAt: null, ...(checksum !== null && { checksum }) });
}
