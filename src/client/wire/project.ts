import { z } from "zod";
import type { Project, ProjectLimits } from "../types.js";
import { dateTime, orNull, record, recordId } from "./answer.js";

/** A project. Every member is certain. */
export const projectSchema: z.ZodType<Project> = record({
  id: recordId,
  name: z.string(),
  status: z.string().min(1),
  created_at: dateTime,
  updated_at: dateTime,
});

const cap = orNull(z.int().nonnegative());

/** A project's limits. Each may be absent or null; both mean that the project sets no cap. */
export const projectLimitsSchema: z.ZodType<ProjectLimits> = record({
  max_concurrent_sessions: cap,
  max_concurrent_invocations: cap,
  max_pooled_sessions: cap,
});
