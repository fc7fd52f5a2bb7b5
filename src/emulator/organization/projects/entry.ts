import { z } from "zod";
import { id, named } from "../../http/seed-members.js";
import { exactly, inputOf } from "../../http/shapes.js";

const notALimit = "must be a whole number of at least 1, or null for no limit";

/** Shape of a limit that is not null. @internal */
export const limit = z.int(notALimit).min(1, notALimit);

/** Shape of limits of a project. @internal */
export const limitsShape = exactly({
  maxConcurrentSessions: limit.nullish().describe("Browsers at the same time, browsers of pools included."),
  maxConcurrentInvocations: limit.nullish().describe("App invocations at the same time."),
  maxPooledSessions: limit
    .nullish()
    .describe(
      "Browsers in pools. Deprecated: requests cannot set this limit, but an old project may have one.",
    ),
});

/** Project in a seed. @internal */
export const projectEntry = exactly({
  id: id.optional(),
  name: named("Unique within the organization."),
  status: z
    .enum(["active", "archived"], 'must be "active" or "archived"')
    .optional()
    .describe("Default: active."),
  limits: limitsShape
    .describe(
      "Limits of the project. Default, also with null: the organization's limits, for sessions also the default of projects.",
    )
    .optional(),
});

const inputProject = () => inputOf(projectEntry);

/** Project to create. Defaults: a new id, active, no limits. */
export type NewProject = ReturnType<typeof inputProject>;
