import type { Context, Hono } from "hono";
import { z } from "zod";
import { beforeCommit } from "../../http/exchange.js";
import { flag, oneOf, pageResponse, readFilters, readPageRequest } from "../../http/query.js";
import { readJson } from "../../http/request-body.js";
import { invalidInput, notFound, ServiceError } from "../../http/service-error.js";
import { anyText, checkedString, exactly, notADateTime, wholeNumber } from "../../http/shapes.js";
import type { Access, RouteEnvironment } from "../../objects/access.js";
import type { EmulatedApiKeyPolicy } from "../../objects/scope.js";
import { nameProblem } from "../../storage/ids-and-names.js";
import { snakeCased } from "../../storage/members.js";
import type { EmulatedProjects } from "../projects/store.js";
import { apiKeyOrders, apiKeyPage, apiKeyStatuses, sortDirections } from "./list.js";
import { type Existing, policyShape, refuseUnreachable } from "./policy.js";
import type { EmulatedApiKey, EmulatedApiKeyRecord } from "./record.js";
import type { EmulatedApiKeys } from "./store.js";

/** Longest lifetime of a key, in days. Source: the published interface. */
const daysToExpireMax = 3650;

/** Default grace period of a rotated key, in days. Source: the published interface. */
const graceDaysDefault = 7;

// According to the service's Terraform provider, whitespace around a name is removed. The provider
// counts bytes, the published interface characters: code points are a guess.
const name = checkedString(nameProblem, anyText.trim());

const daysToExpire = wholeNumber(1, daysToExpireMax).nullish();

const newKey = exactly({
  name,
  days_to_expire: daysToExpire,
  expires_at: z.iso.datetime({ offset: true, error: `${notADateTime}, or null` }).nullish(),
  policy: policyShape.nullish(),
  project_id: anyText.min(1, "must not be empty. Leave it out for a key of the organization").nullish(),
});

// Guesses: null is refused, and a request without a member changes nothing.
const keyChanges = exactly({ name: name.optional(), policy: policyShape.optional() });

const rotationRequest = exactly({
  days_to_expire: daysToExpire,
  expire_in_days: wholeNumber(0, daysToExpireMax).nullish(),
});

/**
 * Adds the operations on API keys. A key scoped to a project reads and creates only keys of the
 * same project. `existing`: objects that a policy may name.
 */
export function addApiKeyRoutes(
  app: Hono<RouteEnvironment>,
  access: Access,
  apiKeys: EmulatedApiKeys,
  projects: EmulatedProjects,
  existing: Existing,
): void {
  app.post("/org/api_keys", access, async (context) => {
    const { name, project_id, policy, ...lifetime } = await readJson(context, newKey);
    const { caller } = context.var;
    const expiresAt = expiryOf(lifetime);
    // Published for `expires_at`. Guess: the rule also holds for `days_to_expire` and for keys
    // without an expiry.
    if (caller.expiresAt !== null && (expiresAt === null || expiresAt > caller.expiresAt)) {
      throw invalidInput(
        `A new key must not outlive the API key that creates it, which expires at ${caller.expiresAt}.`,
      );
    }
    // Source: the service's Terraform provider. The status is a guess.
    if (caller.projectId !== null && !project_id) {
      throw invalidInput(
        "An API key that is scoped to a project can only create keys for that project. Name it in project_id.",
      );
    }
    await beforeCommit(context);
    // For a foreign project, the response is the same as for a missing project.
    if (project_id && !(projects.activeById(project_id) && (caller.projectId ?? project_id) === project_id)) {
      throw notFound("Project");
    }
    checkReach(policy, project_id ?? null);
    const apiKey = apiKeys.create({
      name,
      projectId: project_id ?? null,
      createdBy: caller.createdBy,
      expiresAt,
      policy,
    });
    return context.json(onWire(apiKey), 201);
  });

  app.get("/org/api_keys", access, async (context) => {
    const deletedToo = flag(context, "include_deleted");
    const request = {
      ...readPageRequest(context),
      ...readFilters(context, "name", "query"),
      // The deprecated parameter applies if its replacement is absent: a guess.
      status: oneOf(context, "status", apiKeyStatuses) ?? (deletedToo ? ("all" as const) : undefined),
      sortBy: oneOf(context, "sort_by", apiKeyOrders),
      sortDirection: oneOf(context, "sort_direction", sortDirections),
    };
    await beforeCommit(context);
    const projectId = context.var.caller.projectId ?? undefined;
    const page = apiKeyPage(apiKeys.list(), (id) => apiKeys.lastUse(id), { ...request, projectId });
    return pageResponse(context, page, onWire);
  });

  app.get("/org/api_keys/:id", access, async (context) => {
    const deletedToo = flag(context, "include_deleted");
    await beforeCommit(context);
    return context.json(onWire(find(context, deletedToo)));
  });

  app.patch("/org/api_keys/:id", access, async (context) => {
    const { name, policy } = await readJson(context, keyChanges);
    await beforeCommit(context);
    const { id, projectId } = find(context);
    checkReach(policy, projectId);
    const renamed = name === undefined ? find(context) : apiKeys.rename(id, name);
    return context.json(onWire(policy === undefined ? renamed : apiKeys.setPolicy(id, policy)));
  });

  app.delete("/org/api_keys/:id", access, async (context) => {
    await beforeCommit(context);
    const { id } = find(context);
    if (id === context.var.caller.id) {
      const message = "An API key cannot delete itself. Use another key.";
      throw new ServiceError(400, "cannot_delete_current_key", message);
    }
    apiKeys.remove(id);
    return context.body(null, 204);
  });

  app.post("/org/api_keys/:id/rotate", access, async (context) => {
    const { days_to_expire, expire_in_days } = await readJson(context, rotationRequest);
    const expireInDays = expire_in_days ?? graceDaysDefault;
    if (days_to_expire && days_to_expire < expireInDays) {
      throw invalidInput(
        `The new key would expire (days_to_expire ${days_to_expire}) before the rotated one (expire_in_days ${expireInDays}).`,
      );
    }
    await beforeCommit(context);
    const { createdBy } = context.var.caller;
    const rotation = { createdBy, daysToExpire: days_to_expire ?? null, expireInDays };
    return context.json(onWire(apiKeys.rotate(find(context).id, rotation)), 201);
  });

  /**
   * Returns the expiry of a new key. Guesses: `expires_at` has the bounds of `days_to_expire`, and
   * a request contains at most one of the two.
   */
  function expiryOf({ days_to_expire, expires_at }: Partial<z.infer<typeof newKey>>) {
    if (!expires_at) {
      return days_to_expire ? apiKeys.inDays(days_to_expire) : null;
    }
    if (days_to_expire) {
      throw invalidInput("Give days_to_expire or expires_at, not both.");
    }
    const time = new Date(expires_at).toISOString();
    if (time <= apiKeys.inDays(0) || time > apiKeys.inDays(daysToExpireMax)) {
      throw invalidInput(`The time in expires_at must be in the future, at most ${daysToExpireMax} days.`);
    }
    return time;
  }

  /** Refuses a policy that a key of a project, or of the organization (null), cannot have. */
  function checkReach(policy: EmulatedApiKeyPolicy | null | undefined, keyProjectId: string | null): void {
    if (policy) {
      const isProject = (id: string) => projects.activeById(id) !== undefined;
      refuseUnreachable(policy, keyProjectId, isProject, existing);
    }
  }

  function find(
    context: Context<RouteEnvironment, `/org/api_keys/:id${string}`>,
    deletedToo = false,
  ): EmulatedApiKeyRecord {
    const record = apiKeys.find(context.req.param("id"), deletedToo);
    const { projectId } = context.var.caller;
    if (record && (projectId === null || projectId === record.projectId)) {
      return record;
    }
    throw notFound("API key");
  }

  /**
   * Converts a record for the wire. A published client requires all members but `policy`, which an
   * ordinary key does not have. The secret is sent only for a new key.
   */
  function onWire({ policy, ...apiKey }: EmulatedApiKeyRecord | EmulatedApiKey) {
    const lastUsedAt = apiKeys.lastUse(apiKey.id);
    return snakeCased({ ...apiKey, lastUsedAt, ...(policy !== null && { policy }) });
  }
}
