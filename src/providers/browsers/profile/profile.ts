import type { Profile } from "../../../client/index.js";
import { profileNameProblem } from "../../../client/names.js";
import { ignoreNotFound } from "../../../client/not-found.js";
import { settingProblems } from "../../../client/options.js";
import { adoptInput, marks } from "../../core/marks.js";
import type { OwnedResource } from "../../core/owned/declaration.js";
import { ownedKind } from "../../core/owned/lifecycle.js";
import { formFailures } from "../../messages/input-failures.js";
import { Properties, type PropertiesOf, t } from "../../properties.js";
import { profilesOf } from "../../reads/lists.js";

const profileInputs = new Properties({
  name: t.string,
  ...adoptInput,
  projectId: { ...t.string, replaces: true },
});
type ProfileInputs = PropertiesOf<typeof profileInputs>;

/** State of a Profile, without the times of the last use and the last change. */
export const profileState = new Properties({
  ...profileInputs.types,
  ...marks,
  createdAt: t.string,
});
type ProfileState = PropertiesOf<typeof profileState>;

/** A browser profile, empty at first. Browsers and logins fill it, unseen by the provider. */
const profile: OwnedResource<ProfileInputs, ProfileState, Profile> = {
  resource: "Profile",
  noun: "profile",
  isInProject: true,
  notFoundCode: "profile_not_found",
  deleteCommand: "browser-infra profiles delete",
  inputs: profileInputs,
  state: profileState,
  managedMarker: "name",
  failures: (news) =>
    formFailures(news, profileInputs, "A Profile", {}, ({ name }) =>
      settingProblems([["name", name === undefined ? undefined : profileNameProblem(name)]]),
    ),
  list: profilesOf,
  find: (id, projectId, call) => ignoreNotFound(profilesOf(projectId, call).get(id, call.options)),
  holderOf: (name, projectId, call) => profilesOf(projectId, call).holderOf(name, call.options),
  create: ({ projectId }, name, call) => profilesOf(projectId, call).create({ name }, call.options),
  change: (live, { name = live.name ?? "", projectId }, _known, call) =>
    live.name === name ? undefined : () => profilesOf(projectId, call).rename(live.id, name, call.options),
  remove: (id, { projectId }, call) => profilesOf(projectId, call).delete(id, call.options),
  stateOf: ({ name, createdAt }, inputs, known) => ({
    ...known,
    ...inputs,
    name: name ?? undefined,
    createdAt: createdAt ?? undefined,
  }),
  advice:
    "Always set the resource option `deleteBeforeReplace` to true. Names are unique in a project, so a forced " +
    "replacement (`--replace`, `pulumi state taint`) must delete the old profile first. Without the option, " +
    "the replacement keeps the old profile, or fails because the name is taken.",
};

/** Profiles, for the bridges. */
export const profileKind = ownedKind(profile);
