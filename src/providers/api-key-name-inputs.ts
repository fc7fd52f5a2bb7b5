import { pathSegment } from "../client/http/path.js";
import { apiKeyIdProblem, apiKeyNameProblem } from "../client/names.js";
import { isSecretKey } from "../text/redact.js";
import type { CheckFailure } from "./lifecycle.js";
import { type PropertyMap, type PropertyValue, unknownValue } from "./property-values.js";

/** What becomes of the key's name when the resource goes: the previous name is put back, or the name is kept. */
const deletions = ["restore", "keep"];

/** Inputs a program may give. */
const declaredInputs = ["keyId", "name", "onDelete"];

/**
 * Validates the inputs of an ApiKeyName, so that every fault is shown at once. What is not known yet passes. `apiKey` is the configured
 * secret. The engine prints the value of a property that a failure names, so failures that may be about a secret name none but in
 * their text.
 */
export function apiKeyNameFailures(inputs: PropertyMap, apiKey: string): CheckFailure[] {
  const failures: CheckFailure[] = [];
  const fail = (property: string, reason: string) => failures.push({ property, reason });
  for (const property of Object.keys(inputs)) {
    if (!declaredInputs.includes(property)) {
      fail("", `An ApiKeyName has no input "${property}". Its inputs are ${declaredInputs.join(", ")}.`);
    }
  }
  const { keyId, name, onDelete } = inputs;
  const keyIdFault = keyIdProblem(keyId, apiKey);
  if (keyIdFault !== undefined) {
    fail("", keyIdFault);
  }
  if (typeof name === "string" && isSecretKey(name, apiKey)) {
    fail(
      "",
      'The API key\'s "name" is a secret key, which is not shown here. Choose a label for it, and rotate the key if the secret was written into a program.',
    );
  } else {
    const nameFault = nameProblem(name);
    if (nameFault !== undefined) {
      fail("name", `The API key's "name" ${nameFault}.`);
    }
  }
  if (onDelete !== undefined && onDelete !== unknownValue && !deletions.includes(onDelete as string)) {
    fail(
      "onDelete",
      '"onDelete" has to be "restore", which puts the previous name back, or "keep", which leaves the name.',
    );
  }
  return failures;
}

function keyIdProblem(keyId: PropertyValue | undefined, apiKey: string): string | undefined {
  if (keyId === unknownValue) {
    return undefined;
  }
  if (typeof keyId !== "string") {
    return 'An ApiKeyName needs "keyId", a text: the id of the API key; listing the API keys shows it.';
  }
  const problem = apiKeyIdProblem(keyId, apiKey);
  if (problem !== undefined) {
    return `"keyId" ${problem}.`;
  }
  try {
    // Refuses, without repeating it, what a server could read as another address.
    pathSegment("keyId", keyId, "the key's id");
  } catch (error) {
    return (error as Error).message;
  }
  return undefined;
}

function nameProblem(name: PropertyValue | undefined): string | undefined {
  if (name === unknownValue) {
    return undefined;
  }
  if (typeof name !== "string") {
    return "is missing or no text: give what the key is to be called";
  }
  // The service removes them, so the name would differ from the declared one for ever. NEL is a blank to it, and not to \s.
  if (/^[\s\u0085]|[\s\u0085]$/u.test(name)) {
    return "begins or ends with a blank, which the service removes; leave it out";
  }
  return apiKeyNameProblem(name);
}
