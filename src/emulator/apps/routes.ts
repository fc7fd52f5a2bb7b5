import type { Context, Hono } from "hono";
import { dateTimeMs } from "../../text/date-time.js";
import { durationMs } from "../../text/duration.js";
import { unpackArchive } from "../browsers/extensions/archive-check.js";
import { sha256 } from "../browsers/extensions/store.js";
import { readUploadForm } from "../browsers/extensions/upload-form.js";
import { beforeCommit, eventStreamHeaders, StreamResponse } from "../http/exchange.js";
import { pageResponse, readFilters, readPageRequest } from "../http/query.js";
import { invalidInput, ServiceError } from "../http/service-error.js";
import { nothing } from "../http/shapes.js";
import type { Access, RouteEnvironment } from "../objects/access.js";
import { ObjectRoutes } from "../objects/routes.js";
import { pageOf } from "../storage/table.js";
import { appsIn, buildProblem, isCode } from "./code.js";
import { deploymentOnWire, region, versionOnWire } from "./record.js";
import type { DeploymentService } from "./service.js";

/** Form of a deployment. A guess: no limit of the archive is published. The client sends no more. */
const form = {
  noun: "archive",
  bytesMax: 67_108_864,
  shown: ["entrypoint_rel_path", "version", "force", "region"],
  hidden: /^(?:source|env_vars\[[^\]]+\])$/,
};

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
    const { archive, entrypoint, ...settings } = await readForm(context);
    const { kept, files } = await unpackArchive(archive, isCode);
    if (!files.some(({ path }) => path === entrypoint)) {
      throw invalidInput(`The archive has no entrypoint ${JSON.stringify(entrypoint)}.`);
    }
    await beforeCommit(context);
    const problem = buildProblem(kept);
    const made = table.insert({
      ...{ ...settings, entrypoint, projectId: context.var.project.id, stepMs: service.stepMs },
      ...{ checksum: sha256(archive), apps: appsIn(kept, entrypoint) },
      build: service.nextBuilds.shift() ?? (problem === undefined ? {} : { fail: problem }),
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

/** Reads the form of a deployment, without the values of variables. Throws `ServiceError`. */
async function readForm(context: Context<RouteEnvironment>) {
  const { archive, fields } = await readUploadForm(context, form);
  const {
    entrypoint_rel_path: entrypoint,
    version,
    force,
    region: place = region,
  } = Object.fromEntries(fields);
  if (fields.has("source") === (archive !== undefined)) {
    throw invalidInput('The form must have exactly one of the fields "file" and "source".');
  }
  if (archive === undefined) {
    const why = "The emulator builds no source of GitHub. Send the archive as a file.";
    throw new ServiceError(501, "not_emulated", why);
  }
  if (!entrypoint || place !== region) {
    throw invalidInput(`The form needs "entrypoint_rel_path", and the only region is ${region}.`);
  }
  if (!["true", "false", undefined].includes(force)) {
    throw invalidInput('The form field "force" must be true or false.');
  }
  const envVarNames = [...fields.keys()].flatMap((name) => /^env_vars\[(.+)\]$/.exec(name)?.[1] ?? []).sort();
  return { archive, entrypoint, version: version || "latest", force: force === "true", envVarNames };
}
