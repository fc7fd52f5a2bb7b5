import { quote } from "../../../text/escape.js";
import { isJsonObject, isNonEmptyString, type JsonObject } from "../json.js";

/** Maximum number of commands with a suggested shortcut. */
const shortcutsMax = 4;

const systems = new Set(["default", "linux", "mac", "windows", "chromeos"]);
const mediaKeys = new Set(["MediaNextTrack", "MediaPlayPause", "MediaPrevTrack", "MediaStop"]);
const key = /^(?:[A-Z\d]|Comma|Period|Up|Down|Left|Right|Home|End|PageUp|PageDown|Space|Insert|Delete|Tab)$/;

/** Further modifiers by system, besides Ctrl, Alt and Shift. Each is enough for a shortcut. */
const modifiersOf: Readonly<Record<string, readonly string[]>> = {
  mac: ["Command", "MacCtrl", "Option"],
  chromeos: ["Search"],
};

/** Reason why Chromium on Linux refuses the `commands` of a manifest, as the end of a sentence. */
export function commandsProblem(commands: JsonObject): string | undefined {
  const entries = Object.entries(commands);
  const suggesting = entries.filter(
    ([, command]) =>
      isJsonObject(command) &&
      (isJsonObject(command.suggested_key) || isNonEmptyString(command.suggested_key)),
  );
  if (suggesting.length > shortcutsMax) {
    return `must not suggest keys for more than ${shortcutsMax} commands`;
  }
  for (const [name, command] of entries) {
    const problem = isJsonObject(command) ? commandProblem(name, command) : undefined;
    if (problem !== undefined) {
      return `has the command ${quote(name)}, which ${problem}`;
    }
  }
  return undefined;
}

function commandProblem(name: string, { description, suggested_key: suggested }: JsonObject) {
  if (!/^_execute_(?:browser_|page_)?action$/.test(name) && !isNonEmptyString(description)) {
    return 'must have a "description"';
  }
  if (!isJsonObject(suggested)) {
    return isNonEmptyString(suggested) ? shortcutProblem(suggested, "default") : undefined;
  }
  for (const [system, shortcut] of Object.entries(suggested)) {
    if (!systems.has(system)) {
      return `suggests a key for the unknown system ${quote(system)}`;
    }
    if (!isNonEmptyString(shortcut)) {
      return `suggests no key for ${quote(system)}`;
    }
    const problem = shortcutProblem(shortcut, system);
    if (problem !== undefined) {
      return problem;
    }
  }
  return suggested.default === undefined && suggested.linux === undefined
    ? 'suggests no key for "default" or "linux"'
    : undefined;
}

function shortcutProblem(shortcut: string, system: string): string | undefined {
  const keys = shortcut.split("+").map((each) => each.trim());
  if (keys.length === 1 && mediaKeys.has(shortcut.trim())) {
    return undefined;
  }
  const own = modifiersOf[system] ?? [];
  const last = keys.filter((each) => !["Ctrl", "Alt", "Shift", ...own].includes(each));
  const hasModifier = keys.some((each) => ["Ctrl", "Alt", ...own].includes(each));
  const hasAltAndMore = keys.includes("Alt") && keys.some((each) => ["Ctrl", ...own].includes(each));
  return keys.length <= 3 && last.length === 1 && key.test(last[0] ?? "") && hasModifier && !hasAltAndMore
    ? undefined
    : `suggests the invalid shortcut ${quote(shortcut)}; a valid shortcut is "Ctrl+Shift+Y"`;
}
