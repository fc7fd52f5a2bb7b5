import type { Context, Hono } from "hono";
import { dateTimeMs } from "../../text/date-time.js";
import { durationMs } from "../../text/duration.js";
import { unpackArchive } from "../browsers/extensions/archive-check.js";
import { parseMultipart } from "../browsers/extensions/multipart.js";
import { archiveBytesMax } from "../browsers/extensions/routes.js";
import { sha256 } from "../browsers/extensions/store.js";
import { beforeCommit, eventStreamHeaders, StreamResponse } from "../http/exchange.js";
import { pageResponse, readFilters, readPageRequest } from "../http/query.js";
import { readBody, tooLarge } from "../http/request-body.js";
import { invalidInput, ServiceError } from "../http/service-error.js";
import { nothing } from "../http/shapes.js";
import type { Access, RouteEnvironment } from "../objects/access.js";
import { ObjectRoutes } from "../objects/routes.js";
import { pageOf } from "../storage/table.js";
import { appsIn, buildProblem, isCode } from "./code.js";
import { deploymentOnWire, region, versionOnWire } from "./record.js";
import type { DeploymentService } from "./service.js";

type RouteContext = Context<RouteEnvironment>;

/** Most bytes of a request body besides the archive. A guess, as the largest archive: no limit is published. */
const envelopeBytesMax = 1_048_576;

/** Text fields of the form, besides the variables. */
const textFields = ["entrypoint_rel_path", "version", "force", "region"];

/**
 * Adds the operations on deployments and apps. Published: the shapes and statuses. Guesses: the build, the
 * checks of the form and of the archive, and what `force` refuses.
 */
export function addDeploymentRoutes(
  app: Hono<RouteEnvironment>,
  access: Access,
  service: DeploymentService,
): void {
  const { table } = service;
  const routes = new ObjectRoutes(app, access, {
    path: "/deployments",
    parameter: ":id",
    thing: "deployment",
    table,
    onWire: (deployment) => deploymentOnWire(deployment, table.status(deployment)),
  });
  app.post("/deployments", access, async (context) => {
    const { bytes, fields, envVarNames } = await readForm(context);
    const entrypoint = fields.get("entrypoint_rel_path") ?? "";
    const { kept, files } = await unpackArchive(bytes, isCode);
    if (!files.some(({ path }) => path === entrypoint)) {
      throw invalidInput(`The archive has no entrypoint ${JSON.stringify(entrypoint)}.`);
    }
    await beforeCommit(context);
    const problem = buildProblem(kept);
    const build = service.nextBuilds.shift() ?? (problem === undefined ? {} : { fail: problem });
    const { projectId, version, force } = {
      projectId: context.var.project.id,
      version: fields.get("version") || "latest",
      force: fields.get("force") === "true",
    };
    const made = table.insert({
      ...{ projectId, entrypoint, version, force, envVarNames, build, stepMs: service.stepMs },
      ...{ checksum: sha256(bytes), apps: appsIn(kept, entrypoint) },
    });
    return context.json(made && deploymentOnWire(made, made.status), 201);
  });
  routes.list([], {
    also: (context) => {
      const { app_name: name, app_version: version } = readFilters(context, "app_name", "app_version");
      if (version !== undefined && name === undefined) {
        throw invalidInput("The query parameter app_version needs app_name.");
      }
      return (deployment) =>
        (name === undefined || table.appNames(deployment).includes(name)) &&
        (version ?? deployment.version) === deployment.version;
    },
  });
  routes.read();
  routes.remove(nothing, (_body, { id }) => table.remove(id));
  app.get("/deployments/:id/events", access, async (context) => {
    const { since } = readFilters(context, "since");
    const agoMs = since === undefined ? undefined : durationMs(since);
    const sinceMs = agoMs === undefined ? dateTimeMs(since ?? "1970-01-01T00:00:00Z") : table.nowMs - agoMs;
    if (sinceMs === undefined) {
      throw invalidInput("The query parameter since must be a duration such as 5m, or a date-time.");
    }
    await beforeCommit(context);
    return new StreamResponse(service.stream(routes.find(context).id, sinceMs), eventStreamHeaders);
  });
  app.get("/apps", access, async (context) => {
    const { app_name: name, version, query = "" } = readFilters(context, "app_name", "version", "query");
    const request = readPageRequest(context);
    await beforeCommit(context);
    const found = table
      .versions(context.var.project.id)
      .filter(
        ({ deployment, app: { name: each } }) =>
          (name ?? each) === each && (version ?? deployment.version) === deployment.version,
      )
      .filter(({ app: { name: each } }) => each.toLowerCase().includes(query.toLowerCase()));
    return pageResponse(context, pageOf(found, request), ({ deployment, app: served }) =>
      versionOnWire(deployment, served),
    );
  });
}

/** Reads the form of a deployment. Throws `ServiceError`, also for an unknown or a second field. */
async function readForm(context: RouteContext) {
  const { exchange } = context.env;
  const refusal = () => tooLarge("The archive is larger than 50 MiB (52428800 bytes).");
  const body = await readBody(exchange, archiveBytesMax + envelopeBytesMax, refusal);
  const parts = parseMultipart(context.req.header("content-type"), body);
  exchange.contents.body = Object.fromEntries(
    parts.map(({ name, isFile, bytes }) => [
      name,
      isFile ? `${bytes.byteLength} bytes` : textFields.includes(name) ? `${bytes}` : "hidden",
    ]),
  );
  const names = parts.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  const variable = /^env_vars\[([^\]]+)\]$/;
  const other = names.find(
    (name) => !["file", "source", ...textFields].includes(name) && !variable.test(name),
  );
  if (twice !== undefined || other !== undefined) {
    throw invalidInput(
      `The form has ${other === undefined ? "more than one" : "an unknown"} field ${JSON.stringify(other ?? twice)}.`,
    );
  }
  const file = parts.find(({ name }) => name === "file");
  const fields = new Map(
    parts.filter(({ name }) => textFields.includes(name)).map(({ name, bytes }) => [name, bytes.toString()]),
  );
  if (names.includes("source") === (file !== undefined)) {
    throw invalidInput('The form must have exactly one of the fields "file" and "source".');
  }
  if (file === undefined) {
    throw new ServiceError(
      501,
      "not_emulated",
      "The emulator builds no source of GitHub. Send the archive as a file.",
    );
  }
  if (!fields.get("entrypoint_rel_path") || (fields.get("region") ?? region) !== region) {
    throw invalidInput(`The form needs "entrypoint_rel_path", and the only region is ${region}.`);
  }
  if (!["true", "false", undefined].includes(fields.get("force"))) {
    throw invalidInput('The form field "force" must be true or false.');
  }
  return {
    bytes: file.bytes,
    fields,
    envVarNames: names.flatMap((name) => variable.exec(name)?.[1] ?? []).sort(),
  };
}
