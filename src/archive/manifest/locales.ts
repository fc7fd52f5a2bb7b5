import { quote, quotePath, shorten } from "../../text/escape.js";
import { sizeText } from "../../text/words.js";
import type { Findings } from "./findings.js";
import { parseChromiumJson } from "./grammar/chromium-json.js";
import { isLocale } from "./grammar/locale-names.js";
import { isMessageName, replaceReferences } from "./grammar/message-references.js";
import {
  invalidJson,
  isJsonObject,
  type JsonObject,
  manifestBytesMax,
  type ShippedFiles,
  textOf,
  valueText,
} from "./json.js";
import { type PlacedValue, valuesAt } from "./places.js";
import type { References } from "./references.js";

/** Messages of one locale, by name in lower case. */
type Messages = ReadonlyMap<string, string>;

/** Locales of the browser. A guess: no language is published, and the browsers show English. */
const browserLocales = ["en_US", "en"];

/** Predefined messages that a manifest may refer to. */
const predefined: Messages = new Map(
  ["ui_locale", "bidi_dir", "bidi_reversed_dir", "bidi_start_edge", "bidi_end_edge"].map((name) => [
    `@@${name}`,
    "",
  ]),
);

/** Places of a manifest in which Chromium replaces `__MSG_name__`. Other places keep the string. */
const localizedPlaces = [
  "short_name",
  "description",
  "omnibox.keyword",
  "commands.*.description",
  ...["action", "browser_action", "page_action"].map((action) => `${action}.default_title`),
  "chrome_settings_overrides.search_provider.name",
  "chrome_settings_overrides.homepage",
  "chrome_settings_overrides.startup_pages.*",
  "input_components.*.name",
  "file_browser_handlers.*.default_title",
  "app.launch.local_path",
  "app.launch.web_url",
];

/** Maximum length of a name, in characters. The browser has no limit; the state must stay small. */
const nameCharactersMax = 1_000;

/**
 * Checks `default_locale`, the messages of every locale and the message references of the manifest.
 * Returns the extension's name as shown to users: `__MSG_appName__` is looked up in the default
 * locale, then in the locales of a browser in English. Undefined without a name.
 */
export async function checkLocales(
  manifest: JsonObject,
  files: ShippedFiles,
  references: References,
  { refusals }: Findings,
): Promise<string | undefined> {
  const { default_locale: locale, name } = manifest;
  if (locale === undefined) {
    if (references.folders.has("_locales") || files.sizes.has("_locales")) {
      refusals.add('"default_locale" is missing and must name a locale in the folder "_locales"');
    }
    return nameOf(name, undefined, { refusals });
  }
  const path = `_locales/${locale}/messages.json`;
  if (typeof locale !== "string" || locale === "") {
    refusals.add(`"default_locale" must be a string that is not empty${valueText(locale)}`);
  } else if (!files.sizes.has(path)) {
    refusals.add(references.missingProblem("default_locale", path));
  } else if (!isLocale(locale)) {
    refusals.add(
      `"default_locale" is ${quote(locale)}, but must be a locale of Chromium, such as "en" or "pt_BR"`,
    );
  }
  const byLocale = new Map<string, Messages>();
  for (const folder of localeFolders(references.folders, locale)) {
    const isRead = folder === locale || browserLocales.includes(folder);
    if (files.isKnown && !isRead) {
      continue;
    }
    const messages = await readMessages(files, references, folder, isRead);
    if (typeof messages === "string") {
      refusals.add(messages);
    } else {
      byLocale.set(folder, messages);
    }
  }
  if (refusals.size > 0) {
    return nameOf(name, undefined, { refusals });
  }
  // The default locale comes first. If it is also the browser's locale, the search ends there.
  const read = locale === browserLocales[0] ? [] : browserLocales;
  const messages = new Map(
    [...read, String(locale)].flatMap((each) => [...(byLocale.get(each) ?? predefined)]),
  );
  for (const placed of localizedPlaces.flatMap((place) => valuesAt(manifest, place))) {
    localized(placed, messages, refusals);
  }
  return nameOf(name, messages, { refusals });
}

/** Returns the name of an extension, with references replaced if there are messages. */
function nameOf(name: unknown, messages: Messages | undefined, { refusals }: Pick<Findings, "refusals">) {
  const shown =
    messages === undefined || typeof name !== "string"
      ? name
      : localized({ value: name, where: "name" }, messages, refusals);
  if (typeof shown === "string" && shown !== "") {
    return shorten(shown, nameCharactersMax);
  }
  if (shown === "" && name !== "") {
    refusals.add('"name" is empty in the default locale');
  } else if (shown !== undefined || name === undefined) {
    refusals.add(`"name" must be a string that is not empty${valueText(name)}`);
  }
  return undefined;
}

/** Replaces the references in a member; undefined if not a string, or if a message is missing. */
function localized(
  { value, where }: PlacedValue,
  messages: Messages,
  refusals: Set<string>,
): string | undefined {
  if (typeof value !== "string") {
    return undefined;
  }
  const replaced = replaceReferences(value, ["__MSG_", "__"], (name) => messages.get(name));
  if ("missing" in replaced) {
    refusals.add(
      `${quotePath(where)} refers to the message ${quote(replaced.missing)}, which is missing in the default locale`,
    );
    return undefined;
  }
  return replaced.text;
}

/** Returns the locales that Chromium reads, sorted. */
function localeFolders(folders: ReadonlySet<string>, defaultLocale: unknown): readonly string[] {
  return [...folders]
    .map((folder) => /^_locales\/([^/]+)$/.exec(folder)?.[1] ?? "")
    .filter((locale) => isLocale(locale) || (locale !== "" && locale === defaultLocale))
    .sort();
}

/** Messages of a locale, empty unless `isRead`, or the problem as a sentence without a full stop. */
async function readMessages(
  files: ShippedFiles,
  references: References,
  locale: string,
  isRead: boolean,
): Promise<Messages | string> {
  const path = `_locales/${locale}/messages.json`;
  const sizeBytes = files.sizes.get(path);
  if (sizeBytes === undefined) {
    return references.missingProblem(`_locales/${locale}`, path);
  }
  const problem =
    sizeBytes > manifestBytesMax
      ? `is larger than ${sizeText(manifestBytesMax)}`
      : messagesOf(await files.read(path), isRead);
  return typeof problem === "string" ? `${quotePath(path)} ${problem}` : problem;
}

function messagesOf(bytes: Uint8Array, isRead: boolean): Messages | string {
  let json: unknown;
  try {
    json = parsedMessages(textOf(bytes));
  } catch (error) {
    return invalidJson(error);
  }
  if (!isJsonObject(json)) {
    return "is not a JSON object";
  }
  const messages = new Map(predefined);
  for (const name of Object.keys(json)) {
    const message = messageOf(name, json[name]);
    if (typeof message !== "object") {
      return message;
    }
    if (isRead) {
      messages.set(name.toLowerCase(), message.text);
    }
  }
  return messages;
}

/** Returns a message with placeholders replaced, or the problem as the end of a sentence. */
function messageOf(name: string, entry: unknown): { text: string } | string {
  if (!isMessageName(name)) {
    return `has the message ${quote(name)}; a message name may have only letters, digits, "_" and "@"`;
  }
  if (!isJsonObject(entry) || typeof entry.message !== "string") {
    return `must have an object with a string as "message" for the message ${quote(name)}`;
  }
  const { message, placeholders } = entry;
  if (placeholders === undefined && !message.includes("$")) {
    return { text: message };
  }
  if (placeholders !== undefined && !isJsonObject(placeholders)) {
    return `must have an object as "placeholders" of the message ${quote(name)}`;
  }
  const contents = new Map<string, string>();
  for (const [placeholder, value] of Object.entries(placeholders ?? {})) {
    if (!isMessageName(placeholder) || !isJsonObject(value) || typeof value.content !== "string") {
      return `must have an object with a string as "content" for the placeholder ${quote(placeholder)} of the message ${quote(name)}`;
    }
    contents.set(placeholder.toLowerCase(), value.content);
  }
  const replaced = replaceReferences(message, ["$", "$"], (each) => contents.get(each));
  return "text" in replaced
    ? replaced
    : `uses the undeclared placeholder ${quote(replaced.missing)} in the message ${quote(name)}`;
}

/** Parses messages, by the fast parser if both parsers agree: an extension may have megabytes. */
function parsedMessages(text: string): unknown {
  // Only Chromium refuses half of a surrogate pair.
  if (!/\\u[dD][89a-fA-F]/.test(text)) {
    try {
      return JSON.parse(text);
    } catch {
      // Chromium may accept the text. Otherwise Chromium's parser reports line and column.
    }
  }
  return parseChromiumJson(text);
}
