/** Names of environment variables and settings from which a provider reads a secret. */
import { containsSecret } from "./redact.js";

/** Environment variable of the process, or setting of the stack. */
export type SecretPlace = "env" | "config";

/**
 * Describes the problem of a place name, as the end of a sentence; undefined for a valid name. The
 * sentence never quotes the name: the name may be the secret by mistake. `namespace`: namespace of
 * the settings that Pulumi passes to the process of the provider.
 */
export function secretPlaceProblem(place: SecretPlace, name: unknown, namespace: string): string | undefined {
  if (typeof name !== "string" || containsSecret(name)) {
    return "must be a name, as a plain string. It must not be the secret itself, nor an Output or a Promise.";
  }
  if (place === "env" && /^PULUMI_/i.test(name)) {
    return "must not name a variable of Pulumi (PULUMI_…), such as the access token or the passphrase.";
  }
  if (place === "env") {
    return /^[A-Za-z_][A-Za-z0-9_]{0,254}$/.test(name)
      ? undefined
      : 'must be the name of an environment variable: letters, digits and "_".';
  }
  const [before, after] = [name.slice(0, namespace.length + 1), name.slice(namespace.length + 1)];
  return before === `${namespace}:` && /^[A-Za-z0-9_.-]{1,255}$/.test(after)
    ? undefined
    : `must be the name of a setting that begins with "${namespace}:", such as ${namespace}:euApiKey. ` +
        "Pulumi passes settings of no other namespace to the process of a provider.";
}
