import type { CallOptions } from "../http/call.js";
import { profileNameProblem } from "../names.js";
import { nameTakenAdvice } from "../operations/list.js";
import { type RenamableListing, RenamableOperations } from "../operations/renamable.js";
import { checkName } from "../options.js";
import { type Profile, profileSchema } from "./profile.js";

/**
 * The browser profiles of a project (`/profiles`). Reads and `rename` are retried; `create` and
 * `delete` only while a rate limit refuses the request. The contents of a profile come from
 * browsers and logins alone, and are deleted with the profile. A browser that uses a profile by
 * name may lose new data if the profile is renamed meanwhile.
 *
 * Source: the service's published description.
 */
export class ProfileOperations extends RenamableOperations<Profile> {
  /**
   * Creates an empty profile. `name`: 1 to 255 characters, but not 24 of `a-z 0-9`, the
   * form of an id. Default: none. Sent once, and again only while a rate limit refuses the request.
   *
   * Throws `InputError` before any request; `ApiError` when the service refused, so that nothing
   * was created (409: the name is taken); `ConnectionError` when nothing was sent;
   * `OutcomeUnknownError` when the profile may exist: look for the name.
   */
  async create(
    { name }: { readonly name?: string | undefined } = {},
    options: CallOptions = {},
  ): Promise<Profile> {
    if (name !== undefined) {
      checkName("profile", profileNameProblem(name));
    }
    return this.createNamed(name, {}, options);
  }

  /** @internal */
  protected override listing(): RenamableListing<Profile> {
    return {
      path: "/profiles",
      noun: "profile",
      schema: profileSchema,
      nameProblem: profileNameProblem,
      conflictAdvice: nameTakenAdvice,
    };
  }
}
