import { z } from "zod";
import { extensionNameProblem } from "../extensions/store.js";
import { checkedString, flag, notAString, wholeNumber } from "../http/shapes.js";
import { changesOf, requestMembers } from "./changes.js";
import { poolSettings, type SettingChanges } from "./settings.js";

const notAJsonObject = "must be a JSON object";

// The published pattern is that of extensions. So is the guess about names that look like ids.
const name = checkedString(extensionNameProblem);

/** What a request asks for. */
interface WantedPool<Changes> {
  readonly name: string | undefined;
  readonly changes: Changes;
}

/** Body of a request that creates a pool. */
export const createRequest: z.ZodType<WantedPool<SettingChanges & { readonly size: number }>> = z
  .object({ ...requestMembers, size: poolSettings.size.shape, name: name.optional() }, notAJsonObject)
  .transform(({ name, size, ...members }) => ({ name, changes: { ...changesOf(members), size } }));

/** Body of a request that changes a pool. An empty name changes nothing, as published. */
export const updateRequest: z.ZodType<WantedPool<SettingChanges> & { readonly discardsIdle: boolean }> = z
  .object(
    {
      ...requestMembers,
      name: checkedString((text) => (text === "" ? undefined : extensionNameProblem(text))).optional(),
      discard_all_idle: flag.optional(),
    },
    notAJsonObject,
  )
  .transform(({ name, discard_all_idle, ...members }) => ({
    name: name || undefined,
    discardsIdle: discard_all_idle === true,
    changes: changesOf(members),
  }));

/** Body of a request that deletes a pool. */
export const deleteRequest = z.object({ force: flag.optional() }, notAJsonObject);

const notTags = "must be an object with at most 50 strings";

/** Body of a request that acquires a browser. Telemetry of a single lease is not emulated. */
export const acquireRequest = z.object(
  {
    acquire_timeout_seconds: wholeNumber(0).optional(),
    name: name.optional(),
    start_url: z.string(notAString).optional(),
    tags: z
      .record(z.string(), z.string(notAString), notTags)
      .refine((tags) => Object.keys(tags).length <= 50, notTags)
      .optional(),
    telemetry: poolSettings.telemetry.shape.optional(),
  },
  notAJsonObject,
);

/** Body of a request that releases a browser. */
export const releaseRequest = z.object(
  { session_id: z.string(notAString), reuse: flag.optional() },
  notAJsonObject,
);
