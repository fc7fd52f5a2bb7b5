import { quotePath } from "../../text/escape.js";
import type { Findings } from "./findings.js";
import { Fraction } from "./grammar/chromium-json.js";
import { commandsProblem } from "./grammar/commands.js";
import { matchPatternProblem } from "./grammar/match-pattern.js";
import { pagesPolicyProblem, sandboxPolicyProblem } from "./grammar/security-policy.js";
import { isVersion } from "./grammar/version.js";
import { isJsonObject, isNonEmptyString, type JsonObject, valueText } from "./json.js";
import { valuesAt } from "./places.js";
import { isIconPath, isInExtension } from "./references.js";

/** Check of a value. Returns the problem as the end of a sentence; undefined for a valid value. */
type Rule = (value: unknown) => string | undefined;

const must = (requirement: string, holds: (value: unknown) => boolean): Rule => {
  const problem = `must be ${requirement}`;
  return (value) => (holds(value) ? undefined : `${problem}${valueText(value)}`);
};
const isString = (value: unknown): value is string => typeof value === "string";

const string = must("a string", isString);
const nonEmptyString = must("a string that is not empty", isNonEmptyString);
const boolean = must("true or false", (value) => typeof value === "boolean");
const object = must("an object", isJsonObject);
const list = must("a list", Array.isArray);
const oneOf = (...values: readonly string[]) =>
  must(`one of ${values.map((value) => `"${value}"`).join(", ")}`, (value) =>
    values.includes(value as string),
  );
const page = must("a file of the extension", (value) => isString(value) && isInExtension(value));
const pageOrEmpty = must(
  "a file of the extension",
  (value) => value === "" || (isString(value) && isInExtension(value)),
);
const iconPath = must("the path of a file of the extension", (value) => isString(value) && isIconPath(value));
const extensionId = must(
  'an extension id of 32 letters from a to p, or "*"',
  (value) => isString(value) && (value === "*" || /^[a-p]{32}$/i.test(value)),
);
const webAddress = must(
  "an http or https address",
  (value) => isString(value) && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol),
);

/** Makes a rule for strings. Other types are refused. */
const stringRule =
  (problemOf: (value: string) => string | undefined): Rule =>
  (value) =>
    isString(value) ? problemOf(value) : string(value);

/** Makes a rule for objects with the given members. */
const objectWith =
  (...names: readonly string[]): Rule =>
  (value) => {
    const missing = isJsonObject(value) ? names.find((name) => !Object.hasOwn(value, name)) : undefined;
    return missing === undefined ? object(value) : `must have the member "${missing}"`;
  };

const icons: Rule = (value) => {
  const size = Object.keys(isJsonObject(value) ? value : {}).find(
    (key) => !/^\+?\d+$/.test(key) || Number(key) < 1 || Number(key) > 2_048,
  );
  return size === undefined
    ? object(value)
    : `must have sizes from 1 to 2048 as names, not ${valueText(size).slice(8)}`;
};
const actionIcon: Rule = (value) => (isString(value) ? iconPath(value) : icons(value));

/** Rules by place, for every version of manifests. `itemRule`: for the items or members. */
const rules: readonly (readonly [place: string, rule: Rule, itemRule?: Rule])[] = [
  ["short_name", nonEmptyString],
  ["description", string],
  ["version_name", string],
  [
    "minimum_chrome_version",
    must('a version, such as "120"', (value) => isVersion(value, Number.POSITIVE_INFINITY)),
  ],
  [
    "key",
    must(
      "a public key in base64",
      (value) =>
        isString(value) &&
        /^(?:-----BEGIN[\s\S]*|(?:[A-Za-z\d+/]{4})+|(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{3}=|[A-Za-z\d+/]{2}==))$/.test(
          value,
        ),
    ),
  ],
  ["icons", icons, iconPath],
  ["permissions", list, string],
  ["optional_permissions", list, string],
  ["incognito", string],
  ["offline_enabled", boolean],
  ["omnibox", objectWith("keyword")],
  ["omnibox.keyword", nonEmptyString],
  ["homepage_url", webAddress],
  ["update_url", must("an address", (value) => isString(value) && URL.canParse(value))],
  ["requirements", object],
  ["requirements.plugins", object],
  ["requirements.3D", objectWith("features")],
  ["requirements.3D.features", list],
  ["app", must('an object with "background", "urls" or "launch.web_url"', isApp)],
  ["content_scripts", list, objectWith("matches")],
  ["content_scripts.*", scriptsProblem],
  ["content_scripts.*", fallbackProblem],
  [
    "content_scripts.*.matches",
    must("a list that is not empty", (value) => Array.isArray(value) && value.length > 0),
  ],
  ...["matches", "exclude_matches"].map(
    (member) =>
      [
        `content_scripts.*.${member}.*`,
        stringRule((pattern) => matchPatternProblem(pattern, { forScripts: true })),
      ] as const,
  ),
  ["content_scripts.*.exclude_matches", list],
  ...["js", "css", "include_globs", "exclude_globs"].map(
    (member) => [`content_scripts.*.${member}`, list, string] as const,
  ),
  ...["all_frames", "match_about_blank", "match_origin_as_fallback"].map(
    (member) => [`content_scripts.*.${member}`, boolean] as const,
  ),
  ["content_scripts.*.run_at", string],
  ["content_scripts.*.world", string],
  ["commands", object],
  ["commands", (value) => (isJsonObject(value) ? commandsProblem(value) : undefined), object],
  ["chrome_url_overrides", object],
  [
    "chrome_url_overrides",
    (value) =>
      ["newtab", "bookmarks", "history"].filter((name) => isJsonObject(value) && Object.hasOwn(value, name))
        .length > 1
        ? "must not override more than one page"
        : undefined,
  ],
  ...["newtab", "bookmarks", "history"].map((name) => [`chrome_url_overrides.${name}`, page] as const),
  ["options_page", pageOrEmpty],
  ["devtools_page", page],
  ["sandbox.pages", list, string],
  ["storage.managed_schema", nonEmptyString],
  ["externally_connectable", object],
  ["externally_connectable.ids", list, extensionId],
  ["externally_connectable.matches", list, stringRule((pattern) => matchPatternProblem(pattern))],
  ["externally_connectable.accepts_tls_channel_id", boolean],
  ["oauth2", objectWith("client_id", "scopes")],
  ["oauth2.client_id", nonEmptyString],
  ["oauth2.scopes", list, string],
  ...["cross_origin_embedder_policy", "cross_origin_opener_policy"].flatMap((member) => [
    [member, object] as const,
    [`${member}.value`, string] as const,
  ]),
  ["theme", object],
  ["theme.images.+", nonEmptyString],
  ["theme.colors.+", must("a list of three integers, with an optional number for the opacity", isColor)],
  [
    "theme.tints.+",
    must(
      "a list of three numbers",
      (value) => Array.isArray(value) && value.length === 3 && value.every(isNumber),
    ),
  ],
  ["tts_engine", object],
  ["tts_engine.voices", list],
  ["tts_engine.voices.*.voice_name", string],
  ["event_rules", list, object],
  ["natively_connectable", list, nonEmptyString],
  ["import", list, objectWith("id")],
  ["import.*.id", extensionId],
  ["declarative_net_request", objectWith("rule_resources")],
  ["declarative_net_request.rule_resources", list],
  ["declarative_net_request.rule_resources", rulesetsProblem, objectWith("id", "enabled", "path")],
  ["declarative_net_request.rule_resources.*.enabled", boolean],
  ["declarative_net_request.rule_resources.*.path", nonEmptyString],
  ["export", object],
];

const rulesFromVersion3: typeof rules = [
  ["action", object],
  ["action.default_title", string],
  ["action.default_state", oneOf("enabled", "disabled")],
  [
    "sandbox.content_security_policy",
    () => 'is for version 2. In version 3, write the policy in "content_security_policy.sandbox"',
  ],
  ["action.default_popup", pageOrEmpty],
  ["action.default_icon", actionIcon, iconPath],
  ["host_permissions", list, string],
  ["optional_host_permissions", list, string],
  ["background.service_worker", page],
  ["side_panel", objectWith("default_path")],
  ["side_panel.default_path", page],
  ["content_security_policy", object],
  ["content_security_policy.extension_pages", stringRule(pagesPolicyProblem)],
  ["content_security_policy.sandbox", stringRule(sandboxPolicyProblem)],
  ["web_accessible_resources", list, objectWith("resources")],
  [
    "web_accessible_resources.*",
    must(
      'an object with "matches", "extension_ids" or "use_dynamic_url"',
      (value) =>
        !isJsonObject(value) ||
        Object.hasOwn(value, "matches") ||
        Object.hasOwn(value, "extension_ids") ||
        value.use_dynamic_url === true,
    ),
  ],
  ...["resources", "matches", "extension_ids"].map(
    (member) => [`web_accessible_resources.*.${member}`, list] as const,
  ),
  ["web_accessible_resources.*.resources.*", string],
  [
    "web_accessible_resources.*.matches.*",
    stringRule((pattern) => matchPatternProblem(pattern, { forOrigins: true })),
  ],
  ["web_accessible_resources.*.extension_ids.*", extensionId],
  ["web_accessible_resources.*.use_dynamic_url", boolean],
];

/** End of a warning about a value that is unknown here, and may be known to a newer Chromium. */
const unknownValueText = ". Chromium 156 does not load the extension, and a newer Chromium may";

/** Values that Chromium knows. A newer Chromium may know more, so a further value is only a warning. */
const knownValues: readonly (readonly [place: string, rule: Rule])[] = [
  ["incognito", oneOf("spanning", "split", "not_allowed")],
  ["content_scripts.*.run_at", oneOf("document_start", "document_end", "document_idle")],
  ["content_scripts.*.world", oneOf("ISOLATED", "MAIN", "USER_SCRIPT")],
];

/** Checks types and values of the members that Chromium validates. */
export function checkShapes(manifest: JsonObject, { refusals, warnings }: Findings): void {
  const all = manifest.manifest_version === 2 ? rules : [...rules, ...rulesFromVersion3];
  const check = (place: string, rule: Rule, ending = "", found = refusals) => {
    for (const { value, where } of valuesAt(manifest, place)) {
      const problem = rule(value);
      if (problem !== undefined) {
        found.add(`${quotePath(where)} ${problem}${ending}`);
      }
    }
  };
  const checkKnown = (place: string, rule: Rule) => {
    check(place, (value) => (isString(value) ? rule(value) : undefined), unknownValueText, warnings);
  };
  for (const [place, rule, itemRule] of all) {
    check(place, rule);
    if (itemRule !== undefined) {
      check(`${place}.*`, itemRule);
    }
  }
  // Chromium reads a worker's type only if there is a worker.
  if (valuesAt(manifest, "background.service_worker").length > 0) {
    check("background.type", string);
    checkKnown("background.type", oneOf("classic", "module"));
  }
  for (const [place, rule] of knownValues) {
    checkKnown(place, rule);
  }
}

function scriptsProblem(script: unknown): string | undefined {
  const lists = isJsonObject(script) ? [script.js, script.css] : [];
  return lists.length === 0 || lists.some((files) => Array.isArray(files) && files.length > 0)
    ? undefined
    : 'must have a file in "js" or "css"';
}

/** Requires whole origins in the matches of a script for pages without a URL of their own. */
function fallbackProblem(script: unknown): string | undefined {
  const { match_origin_as_fallback: falls, matches } = isJsonObject(script) ? script : {};
  return falls === true && valuesAt(matches, "*").some(({ value }) => isString(value) && hasPath(value))
    ? 'must have matches that end in "/*" because of "match_origin_as_fallback"'
    : undefined;
}

const hasPath = (pattern: string) =>
  matchPatternProblem(pattern) === undefined &&
  matchPatternProblem(pattern, { forOrigins: true }) !== undefined;

/** Requires unique strings as ids of rulesets. Ids with a leading "_" are reserved by Chromium. */
function rulesetsProblem(rulesets: unknown): string | undefined {
  const ids = valuesAt(rulesets, "*.id").map(({ value }) => value);
  const isValid = ids.every((id) => isString(id) && /^[^_]/.test(id)) && new Set(ids).size === ids.length;
  return isValid ? undefined : 'must have ids that are strings, differ, and do not begin with "_"';
}

function isApp(app: unknown): boolean {
  return (
    isJsonObject(app) &&
    (app.background !== undefined ||
      app.urls !== undefined ||
      (isJsonObject(app.launch) && (app.launch.web_url !== undefined || app.launch.local_path !== undefined)))
  );
}

function isColor(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    (value.length === 3 || value.length === 4) &&
    value.slice(0, 3).every(Number.isInteger) &&
    value.every(isNumber)
  );
}

function isNumber(value: unknown): boolean {
  return typeof value === "number" || value instanceof Fraction;
}
