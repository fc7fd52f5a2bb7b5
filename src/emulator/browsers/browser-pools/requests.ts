import { z } from "zod";
import { anyText, exactly, flag, notEmulated, wholeNumber } from "../../http/shapes.js";
import { sessionMembers } from "../sessions/requests.js";
import { changesOf, requestMembers } from "./changes.js";
import { networkShape } from "./network.js";
import { nameOrEmpty } from "./setting-rules.js";
import { poolSettings } from "./settings.js";

/** Largest body of a request with settings, in bytes (8 MiB): a policy may have 5 MiB. A guess. */
export const settingsBytesMax = 8_388_608;

export const createRequest = exactly({
  ...requestMembers,
  size: poolSettings.size.shape,
  name: sessionMembers.name,
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

/** Body of an acquire request. */
export const acquireRequest = exactly({
  acquire_timeout_seconds: wholeNumber(0).optional(),
  ...sessionMembers,
  start_url: anyText.optional(),
  telemetry: notEmulated,
});

export const releaseRequest = exactly({ session_id: anyText, reuse: flag.optional() });
