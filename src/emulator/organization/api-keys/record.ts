import { createHash } from "node:crypto";
import { dateTime, id, named, project, text } from "../../http/seed-members.js";
import { anyText, exactly } from "../../http/shapes.js";
import type { EmulatedApiKeyPolicy } from "../../objects/scope.js";
import { randomText } from "../../storage/ids-and-names.js";
import { policyShape } from "./policy.js";

export interface ApiKeyCreator {
  readonly id: string;
  readonly email: string;
  /** Null if the person gave no name. */
  readonly name: string | null;
}

/** API key without the secret, as visible to everyone. */
export interface EmulatedApiKeyRecord {
  readonly id: string;
  /** Label; several keys may have the same name. */
  readonly name: string;
  /** The key without its middle, for instance `sk_1234...abcd`. */
  readonly maskedKey: string;
  /** Id of the project to which the key is scoped; null for a key of the whole organization. */
  readonly projectId: string | null;
  /** Name of the project; null without a project, and once the project is deleted. */
  readonly projectName: string | null;
  /** ISO 8601 date-time. */
  readonly createdAt: string;
  readonly createdBy: ApiKeyCreator;
  /** Time of expiry, as an ISO 8601 date-time; null for never. */
  readonly expiresAt: string | null;
  /** Permissions; null for an ordinary key, which may do everything. */
  readonly policy: EmulatedApiKeyPolicy | null;
  /** Time of deletion, as an ISO 8601 date-time; null for a living key. */
  readonly deletedAt: string | null;
}

/** API key with the secret. Only the creation returns the secret: the emulator keeps a digest. */
export interface EmulatedApiKey extends EmulatedApiKeyRecord {
  /** Value after `Bearer ` in the header `Authorization`. */
  readonly key: string;
}

export interface StoredApiKey extends Omit<EmulatedApiKeyRecord, "projectName"> {
  /** {@link digest} of the key. */
  readonly keySha256: string;
  readonly isGivenAtStart: boolean;
  /** Days from creation to expiry; null for a key that was to be valid for ever. */
  readonly lifetimeDays: number | null;
}

/** Describes the problem of an API key, as the end of a sentence; undefined for a valid key. */
export function apiKeyProblem(key: unknown): string | undefined {
  // A key follows "Bearer " in a header: visible ASCII, no spaces.
  return typeof key === "string" && /^[\x21-\x7e]{1,255}$/.test(key)
    ? undefined
    : "must be 1 to 255 visible ASCII characters without spaces";
}

export function newApiKey(): string {
  return `sk_${randomText(32)}`;
}

/** Returns the digest by which the emulator recognizes a key. */
export function digest(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}

/** API key in a seed. @internal */
export const apiKeyEntry = exactly({
  id: id.optional(),
  name: named("Label, not unique."),
  key: text(apiKeyProblem, {
    description:
      "Secret of the key. Default: a random secret that is shown nowhere, for a key that is only listed and renamed.",
    pattern: "^[!-~]{1,255}$",
  }).optional(),
  project: project.describe(
    "Id or exact name of the project of the key. Default: none, a key of the organization.",
  ),
  expiresAt: dateTime.optional().describe("Expiry time, which may be in the past. Default: never."),
  policy: policyShape
    .optional()
    .describe("Policy, in the form of a request. Default: everything is allowed."),
  createdBy: exactly({
    id: anyText.optional(),
    email: anyText,
    name: anyText.nullish(),
  })
    .optional()
    .describe("Creator. Default: the only person of the emulated organization."),
});
