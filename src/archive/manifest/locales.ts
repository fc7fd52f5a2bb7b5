import { quote, quotePath, shorten } from "../../text/escape.js";
import { sizeText } from "../../text/words.js";
import type { Findings } from "./findings.js";
import { parseChromiumJson } from "./grammar/chromium-json.js";
import { isLocale } from "./grammar/locale-names.js";
import { isMessageName, replaceReferences } from "./grammar/message-references.js";
import {
  got,
  invalidJson,
  isJsonObject,
  type JsonObject,
  manifestBytesMax,
  type ShippedFiles,
  textOf,
} from "./json.js";
import { type PlacedValue, valuesAt } from "./places.js";
import type { References } from "./references.js";

/** Messages of one locale, by their names in lower case. */
type Messages = ReadonlyMap<string, string>;

/**
 * Locales of the browser, besides the default of the extension. A guess: the service does not
 * publish the language of its browsers, and they show English.
 */
const browserLocales = ["en_US", "en"];

/** Predefined messages that a manifest may refer to. */
const predefined: Messages = new Map(
  ["ui_locale", "bidi_dir", "bidi_reversed_dir", "bidi_start_edge", "bidi_end_edge"].map((name) => [
    `@@${name}`,
    "",
  ]),
);

/** Places of a manifest in which Chromium replaces `__MSG_name__`. Others keep such text. */
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

/**
 * Longest name that is kept, in characters, also after it is looked up in a locale. The browser has
 * no limit; this limit keeps small what is remembered of an extension.
 */
const nameCharactersMax = 1_000;

/**
 * Checks `default_locale`, the messages of every locale and the references of the manifest to them.
 * Returns the extension's name as a user reads it: `__MSG_appName__` is looked up in the default
 * locale, and otherwise in those of a browser in English. Undefined if there is none.
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
      refusals.add('there is "_locales", so "default_locale" must name one of its locales');
    }
    return nameOf(name, undefined, { refusals });
  }
  const path = `_locales/${locale}/messages.json`;
  if (typeof locale !== "string" || locale === "") {
    refusals.add(`"default_locale" must be a string that is not empty${got(locale)}`);
  } else if (!files.sizes.has(path)) {
    refusals.add(references.missing("default_locale", path));
  } else if (!isLocale(locale)) {
    refusals.add(
      `"default_locale" is ${quote(locale)}, which is no locale that Chromium knows, such as "en" or "pt_BR"`,
    );
  }
  const byLocale = new Map<string, Messages>();
  for (const folder of localeFolders(references.folders, locale)) {
    const isRead = folder === locale || browserLocales.includes(folder);
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
  // The default locale is what a user of this package sees. One that is the browser's ends the search.
  const read = locale === browserLocales[0] ? [] : browserLocales;
  const messages = new Map(
    [...read, String(locale)].flatMap((each) => [...(byLocale.get(each) ?? predefined)]),
  );
  for (const placed of localizedPlaces.flatMap((place) => valuesAt(manifest, place))) {
    localized(placed, messages, refusals);
  }
  return nameOf(name, messages, { refusals });
}

/** The name of an extension, with its references replaced if there are messages. */
function nameOf(name: unknown, messages: Messages | undefined, { refusals }: Pick<Findings, "refusals">) {
  const shown =
    messages === undefined || typeof name !== "string"
      ? name
      : localized({ value: name, where: "name" }, messages, refusals);
  if (typeof shown === "string" && shown !== "") {
    return shorten(shown, nameCharactersMax);
  }
  if (shown === "" && name !== "") {
    refusals.add('"name" is empty in its locale');
  } else if (shown !== undefined || name === undefined) {
    refusals.add(`"name" must be a string that is not empty${got(name)}`);
  }
  return undefined;
}

/** The text of a member with its references replaced; undefined if it has a wrong one. */
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
      `${quotePath(where)} refers to the message ${quote(replaced.missing)}, which the default locale does not have`,
    );
    return undefined;
  }
  return replaced.text;
}

/** Folders of locales that Chromium reads, in order. */
function localeFolders(folders: ReadonlySet<string>, defaultLocale: unknown): readonly string[] {
  return [...folders]
    .map((folder) => /^_locales\/([^/]+)$/.exec(folder)?.[1] ?? "")
    .filter((locale) => isLocale(locale) || (locale !== "" && locale === defaultLocale))
    .sort();
}

/**
 * The messages of a locale, or the problem with them as a sentence without its end. `isRead`: they
 * are kept. Those of other locales are only checked, and the result is empty.
 */
async function readMessages(
  files: ShippedFiles,
  references: References,
  locale: string,
  isRead: boolean,
): Promise<Messages | string> {
  const path = `_locales/${locale}/messages.json`;
  const sizeBytes = files.sizes.get(path);
  if (sizeBytes === undefined) {
    return references.missing(`_locales/${locale}`, path);
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

/** A message with its placeholders replaced, or its problem as the end of a sentence. */
function messageOf(name: string, entry: unknown): { text: string } | string {
  if (!isMessageName(name)) {
    return `has the message ${quote(name)}, whose name has other characters than letters, digits, "_" and "@"`;
  }
  if (!isJsonObject(entry) || typeof entry.message !== "string") {
    return `has the message ${quote(name)}, which must be an object with a string as "message"`;
  }
  const { message, placeholders } = entry;
  if (placeholders === undefined && !message.includes("$")) {
    return { text: message };
  }
  if (placeholders !== undefined && !isJsonObject(placeholders)) {
    return `has the message ${quote(name)}, whose "placeholders" must be an object`;
  }
  const contents = new Map<string, string>();
  for (const [placeholder, value] of Object.entries(placeholders ?? {})) {
    if (!isMessageName(placeholder) || !isJsonObject(value) || typeof value.content !== "string") {
      return `has the message ${quote(name)}, whose placeholder ${quote(placeholder)} must be an object with a string as "content"`;
    }
    contents.set(placeholder.toLowerCase(), value.content);
  }
  const replaced = replaceReferences(message, ["$", "$"], (each) => contents.get(each));
  return "text" in replaced
    ? replaced
    : `has the message ${quote(name)}, which uses the placeholder ${quote(replaced.missing)} and does not declare it`;
}

/** Parses messages, of which an extension may have megabytes, by the fast parser where both agree. */
function parsedMessages(text: string): unknown {
  // Half of a surrogate pair, which only Chromium refuses.
  if (!/\\u[dD][89a-fA-F]/.test(text)) {
    try {
      return JSON.parse(text);
    } catch {
      // Chromium may accept the text, and otherwise its parser knows the place.
    }
  }
  return parseChromiumJson(text);
}
