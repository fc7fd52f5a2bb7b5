import type { Profile } from "../../../client/index.js";
import { profileNameProblem } from "../../../client/names.js";
import { listings } from "../../../providers/reads/listings.js";
import { type Noun, nameFact, timeFact } from "../../noun.js";

/** `browser-infra profiles`: the browser profiles of a project. */
export const profiles: Noun<Profile> = {
  group: "profiles",
  noun: "profile",
  listing: listings.Profile,
  help: "Show, rename and delete the browser profiles of a project.",
  facts: [
    nameFact,
    timeFact("CREATED", ({ createdAt }) => createdAt),
    timeFact("LAST USED", ({ lastUsedAt }) => lastUsedAt),
  ],
  list: {
    help: "List the browser profiles.",
  },
  get: { help: "Show one profile." },
  rename: {
    rule: "1 to 255 characters, but not 24 of a-z 0-9, like an id",
    problem: profileNameProblem,
    send: (client, id, name, options) => client.profiles.rename(id, name, options),
  },
  delete: { help: "Delete one profile and all saved browser data, after a confirmation." },
};
