import { z } from "zod";
import { anyText, checkedString, exactly, flag, notEmulated, wholeNumber } from "../../http/shapes.js";
import { plainNameProblem } from "../../storage/ids-and-names.js";
import { changesOf, requestMembers } from "./changes.js";
import { networkShape } from "./network.js";
import { nameOrEmpty } from "./setting-rules.js";
import { poolSettings } from "./settings.js";

const name = checkedString(plainNameProblem);

export const createRequest = exactly({
  ...requestMembers,
  size: poolSettings.size.shape,
  name: name.optional(),
}).transform(({ name, size, ...members }) => ({ name, changes: { ...changesOf(members), size } }));

/** Body of an update request. An empty name changes nothing, as published. */
export const updateRequest = exactly({
  ...requestMembers,
  region: z.undefined("cannot be changed").optional(),
  expected_network: networkShape.optional(),
  name: nameOrEmpty.optional(),
  discard_all_idle: flag.optional(),
}).transform(({ name, discard_all_idle, expected_network, ...members }) => ({
  name: name || undefined,
  expectedNetwork: expected_network,
  discardsIdle: discard_all_idle === true,
  changes: changesOf(members),
}));

export const deleteRequest = exactly({ force: flag.optional() });

const notTags = "must be an object with at most 50 strings";

/** Body of an acquire request. Telemetry and profile of a single lease are not emulated. */
export const acquireRequest = exactly({
  acquire_timeout_seconds: wholeNumber(0).optional(),
  name: name.optional(),
  start_url: anyText.optional(),
  tags: z
    .record(z.string(), anyText, notTags)
    .refine((tags) => Object.keys(tags).length <= 50, notTags)
    .optional(),
  profile: notEmulated,
  telemetry: notEmulated,
});

export const releaseRequest = exactly({ session_id: anyText, reuse: flag.optional() });
