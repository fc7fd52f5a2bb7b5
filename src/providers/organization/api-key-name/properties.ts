import type { ApiKey } from "../../../client/index.js";
import { apiKeyIdProblem, apiKeyNameProblem } from "../../../client/names.js";
import { withoutNull } from "../../../text/without-null.js";
import { marks } from "../../core/marks.js";
import { type CheckFailure, undeclaredInputs } from "../../lifecycle.js";
import { outerWhitespaceProblem } from "../../messages/input-failures.js";
import { Properties, type PropertiesOf, type PropertyMap, t, unknownValue } from "../../properties.js";

export const apiKeyNameInputs = new Properties({
  keyId: { ...t.string, isRequired: true, replaces: true },
  name: { ...t.string, isRequired: true },
  /** Action on the key's name when the resource is deleted. */
  onDelete: t.oneOf({
    restore: "Restores the previous name. The default.",
    keep: "Leaves the name unchanged.",
  }),
});

export type ApiKeyNameInputs = PropertiesOf<typeof apiKeyNameInputs>;

/** Outputs from the service's record of an API key. */
export const keyOutputs = {
  maskedKey: t.string,
  createdAt: t.string,
  createdBy: t.object({ id: t.string, email: t.string, name: t.string }),
  projectId: t.string,
  projectName: t.string,
  expiresAt: t.string,
};

/** State of an ApiKeyName. For a key of the whole organization, without a project. */
export const apiKeyNameState = new Properties({
  ...apiKeyNameInputs.types,
  ...marks,
  /** Name of the key before the resource existed. */
  previousName: t.string,
  /** Name set by the resource, while a refresh has found a different name. */
  setName: { ...t.string, isInternal: true },
  ...keyOutputs,
});
export type ApiKeyNameState = PropertiesOf<typeof apiKeyNameState>;

/** Values of {@link keyOutputs}, with the id and the name of the key. */
export function liveProperties(key: ApiKey) {
  const { id, name, maskedKey, createdAt, createdBy, projectId, projectName, expiresAt } = withoutNull(key);
  return { keyId: id, name, maskedKey, createdAt, createdBy, projectId, projectName, expiresAt };
}

/**
 * Reports all invalid inputs of an ApiKeyName at once. Unknown values pass. `apiKey`: the
 * configured secret. The engine prints the value of the property of a failure, so a failure that
 * may be about a secret has the input name only in the message.
 */
export function apiKeyNameFailures(news: PropertyMap, apiKey: string): CheckFailure[] {
  const failures = undeclaredInputs(news, apiKeyNameInputs, "An ApiKeyName");
  const fail = (property: string, reason: string) => {
    failures.push({ property, reason });
  };
  const { keyId, name } = apiKeyNameInputs.readDeclared(news);
  const keyIdFault = keyId === unknownValue ? undefined : keyIdProblem(keyId, apiKey);
  if (keyIdFault !== undefined) {
    fail("", keyIdFault);
  }
  const nameFault = name === unknownValue ? undefined : keyNameProblem(name);
  if (nameFault !== undefined) {
    fail("name", `The API key's "name" ${nameFault}.`);
  }
  return failures;
}

function keyIdProblem(keyId: string | undefined, apiKey: string): string | undefined {
  if (keyId === undefined) {
    return 'An ApiKeyName needs "keyId", a string: the id of the API key, as the list of API keys shows it.';
  }
  const problem = apiKeyIdProblem(keyId, apiKey);
  return problem && `"keyId" ${problem}.`;
}

/** Problem of a declared key name, as the end of a sentence; undefined for a valid name. */
export function keyNameProblem(name: string | undefined): string | undefined {
  if (name === undefined) {
    return "is missing or not a string; give the name that the key should have";
  }
  return outerWhitespaceProblem(name) ?? apiKeyNameProblem(name);
}
