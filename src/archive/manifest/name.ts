import { quote, quotePath } from "../../text/escape.js";
import { got, isJsonObject, type JsonObject, readJsonObject, type ShippedFiles } from "./json.js";

/**
 * Longest name, in characters, also after it is looked up in a locale. The browser's documentation
 * allows 75 and the browser loads more; this limit keeps what is remembered of an extension small.
 */
const nameCharactersMax = 1_000;

/** A reference to a message in `_locales`; a name may hold several, among other characters. */
const messageReference = /__MSG_([A-Za-z0-9_@]+)__/g;

/**
 * The extension's name as a user reads it, or the problem with it. `__MSG_appName__` is looked up
 * in `_locales/<default_locale>/messages.json`, whose keys the browser compares without letter
 * case.
 */
export async function resolveName(
  { name, default_locale: locale }: JsonObject,
  files: ShippedFiles,
): Promise<{ name: string } | { problem: string }> {
  if (typeof name !== "string" || name.trim() === "") {
    return { problem: `"name" must be a string that is not empty${got(name)}` };
  }
  if (name.length > nameCharactersMax) {
    return { problem: `"name" is longer than ${nameCharactersMax} characters` };
  }
  const keys = Array.from(name.matchAll(messageReference), ([, key = ""]) => key);
  if (keys.length === 0) {
    return { name };
  }
  if (typeof locale !== "string") {
    return {
      problem: `"name" refers to ${quote(name)}, but "default_locale" does not say which locale has it`,
    };
  }
  const path = `_locales/${locale}/messages.json`;
  if (!files.sizes.has(path)) {
    // A file that is missing is reported with the others the manifest names.
    return { problem: `"name" refers to ${quote(name)}, which needs ${quotePath(path)}` };
  }
  const messages = await readJsonObject(files, path);
  if (typeof messages === "string") {
    return { problem: `${quotePath(path)}, to which "name" refers, ${messages}` };
  }
  const texts = new Map(
    Object.entries(messages).map(([key, entry]) => [
      key.toLowerCase(),
      isJsonObject(entry) && typeof entry.message === "string" ? entry.message : undefined,
    ]),
  );
  const missing = keys.find((key) => texts.get(key.toLowerCase()) === undefined);
  if (missing !== undefined) {
    return {
      problem: `"name" refers to the message ${quote(missing)}, which ${quotePath(path)} does not have`,
    };
  }
  const resolved = name.replace(messageReference, (_, key: string) => texts.get(key.toLowerCase()) ?? "");
  return resolved.trim() === "" || resolved.length > nameCharactersMax
    ? { problem: `the name in ${quotePath(path)} is empty or longer than ${nameCharactersMax} characters` }
    : { name: resolved };
}
