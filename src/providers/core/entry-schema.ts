/** What a file of the journal says, as JSON. Loaded, and zod with it, when a run finds one. */
import { z } from "zod";
import { OtherLayout } from "../journal/files.js";
import type { PropertyMap } from "../properties.js";
import { type NotedEntry, type RemovalList, version } from "./entry.js";

const values = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));

const properties = z.record(z.string(), z.custom<PropertyMap[string]>());

const entry = z.object({
  op: z.enum(["create", "change", "remove"]),
  id: z.string().optional(),
  key: properties.optional(),
  replaces: z.string().optional(),
  existing: z.array(z.string()).optional(),
  trace: properties.optional(),
  sentAt: z.number(),
  soughtAt: z.number().optional(),
  answered: z.string().optional(),
  sent: z.array(values).optional(),
  previous: values.optional(),
  isHandedOn: z.boolean().optional(),
  archive: z.string().optional(),
  urn: z.string().optional(),
  baseUrl: z.string(),
  account: z.string(),
  deployment: z.string(),
  hasEnded: z.boolean().optional(),
  seenBy: z.string().optional(),
  isUnclaimed: z.boolean().optional(),
});

const removals = z.object({
  deployment: z.string(),
  removed: z.record(z.string(), z.array(z.string())),
});

/** Reads what a file says. Throws when the JSON is not that. */
export const parsers = {
  entry(json: unknown): Omit<NotedEntry, "file"> {
    const { urn, ...others } = entry.parse(ofThisVersion(json));
    return { urn, ...others };
  },

  /** The deletions of a deployment that ended in order. */
  removals: (json: unknown): RemovalList => removals.parse(ofThisVersion(json)),
};

function ofThisVersion(json: unknown): unknown {
  const found = (json as { version?: unknown } | null)?.version;
  if (typeof found === "number" && found !== version) {
    throw new OtherLayout(
      `another version of pulumi-browser-infra wrote it, with layout ${found} of the journal`,
    );
  }
  return json;
}
