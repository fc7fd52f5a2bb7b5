import type { Context, Hono } from "hono";
import { beforeCommit } from "../../http/exchange.js";
import { invalidInput } from "../../http/service-error.js";
import type { Access, RouteEnvironment } from "../../objects/access.js";
import { ObjectRoutes } from "../../objects/routes.js";
import { plainNameProblem } from "../../storage/ids-and-names.js";
import { snakeCased } from "../../storage/members.js";
import { readArchive } from "./archive-check.js";
import type { EmulatedExtension, ExtensionStore } from "./store.js";
import { readUploadForm } from "./upload-form.js";

/** Largest archive accepted, in bytes (50 MiB). Source: the service's own tools send no more. */
export const archiveBytesMax = 52_428_800;

const form = { noun: "extension archive", bytesMax: archiveBytesMax, shown: ["name"] };

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
  // Status and code of the refusal are as expected by the service's Terraform provider.
  routes.removeUnused(usersOf);
}

/** Reads and checks the fields of an upload. Throws `ServiceError`. */
async function readUpload(context: Context<RouteEnvironment>) {
  const { archive, fields } = await readUploadForm(context, form);
  if (archive === undefined) {
    throw invalidInput('The form has no file in a field "file".');
  }
  const name = fields.get("name");
  const problem = name === undefined ? undefined : plainNameProblem(name);
  if (problem !== undefined) {
    throw invalidInput(`The name ${problem}.`);
  }
  return { name: name ?? null, bytes: archive };
}

/**
 * Converts a record as the service sends records. A published client requires all members, but a
 * missing `checksum` is published as omitted. Guess: no browser counts as a use.
 */
function onWire({ projectId, checksum, ...extension }: EmulatedExtension) {
  return snakeCased({ ...extension, lastUsedAt: null, ...(checksum !== null && { checksum }) });
}
