/** Requests about sessions. Source: the types of the official client 0.84.0. */
import { z } from "zod";
import { anyText, checkedString, exactly, flag, notEmulated } from "../../http/shapes.js";
import { plainNameProblem } from "../../storage/ids-and-names.js";
import { changesOf, requestMembers } from "../browser-pools/changes.js";
import { nameOrEmpty, selectorShape } from "../browser-pools/setting-rules.js";
import { viewportMembers, viewportOf } from "../browser-pools/settings.js";

const notTags = "must be an object with at most 50 strings";

const tags = z
  .record(z.string(), anyText, notTags)
  .refine((given) => Object.keys(given).length <= 50, notTags);

/** Members of a session, also of a lease. Telemetry of a single lease is not emulated. @internal */
export const sessionMembers = {
  name: checkedString(plainNameProblem).optional(),
  tags: tags.optional(),
  profile: selectorShape.extend({ save_changes: flag.optional() }).optional(),
};

const { size, fill_rate_per_minute, refresh_on_profile_update, region, memory, network, ...settings } =
  requestMembers;

/** Body of a request for a browser outside of pools. */
export const createRequest = exactly({
  ...settings,
  ...sessionMembers,
  // Accepted and without effect: which program the browser serves, and a graphics card.
  invocation_id: anyText.optional(),
  gpu: flag.optional(),
}).transform(({ name, tags, profile, invocation_id: _program, gpu: _card, ...members }) => ({
  ...{ name, tags, profile, changes: { ...changesOf(members), size: 1 } },
}));

/** Body of a change. An empty name removes the name. Null changes nothing: a guess. */
export const updateRequest = exactly({
  name: nameOrEmpty.nullable().optional(),
  tags: tags.nullable().optional(),
  viewport: exactly({ ...viewportMembers, force: flag.optional() })
    .transform(viewportOf)
    .optional(),
  profile: notEmulated,
  proxy_id: notEmulated,
  telemetry: notEmulated,
  disable_default_proxy: notEmulated,
});
