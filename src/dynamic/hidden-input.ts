/**
 * The one hidden input of every resource of this package. Dynamic providers are told neither the URN of the resource
 * nor anything else about it, so the program passes what the provider process needs in here. Visible in the state
 * file, hidden from diffs, never secret: a secret in it would make the whole object secret.
 */
export const hiddenInput = "__browserInfra";

/**
 * What {@link hiddenInput} holds. The program gives `urn`; not at the top level, where Pulumi's base class would
 * overwrite a property of that name; and `timeouts`, the option `customTimeouts`, of which dynamic providers hear nothing.
 * `check` adds `memo`, what the life cycle wants to find again in its next check.
 */
export const hiddenMembers = { urn: "urn", timeouts: "timeouts", memo: "memo" } as const;
