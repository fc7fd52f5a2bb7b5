import { isAscii, isUtf8 } from "node:buffer";
import { quotePath } from "../../text/escape.js";
import type { Findings } from "./findings.js";
import { isUsedByContentScripts } from "./ignored.js";
import { invalidJson, type JsonObject, readJsonObject, type ShippedFiles, textOf } from "./json.js";
import { valuesAt } from "./places.js";
import { normalized, type References } from "./references.js";

/** Largest file read for a check, in bytes: 16 MiB. Larger files count as valid. */
const checkedFileBytesMax = 16 * 1024 * 1024;

/** Maximum numbers of rulesets and of enabled rulesets. Source: Chromium. */
const rulesetsMax = 100;
const enabledRulesetsMax = 50;

/**
 * Checks the contents of the files that Chromium reads on load: content scripts must be UTF-8,
 * rulesets a list of rules, and the schema of managed storage an object.
 */
export async function checkContents(
  manifest: JsonObject,
  files: ShippedFiles,
  references: References,
  { refusals }: Findings,
): Promise<void> {
  const scripts = new Set(
    ["content_scripts.*.js.*", "content_scripts.*.css.*"]
      .flatMap((place) => valuesAt(manifest, place))
      .flatMap(({ value, where }) =>
        typeof value === "string" && isUsedByContentScripts(value, where)
          ? [references.fileOf(value, false)]
          : [],
      ),
  );
  for (const path of scripts) {
    if (path !== undefined && isSmall(files, path) && !isScriptText(await files.read(path))) {
      refusals.add(
        `the content script ${quotePath(path)} is not UTF-8, or has a character such as U+FFFF. Save it as UTF-8, or let the build write ASCII only`,
      );
    }
  }
  await checkRulesets(manifest, files, references, refusals);
  await checkSchema(manifest, files, references, refusals);
}

/** Whether Chromium accepts the bytes as text. Chromium also refuses Unicode noncharacters. */
function isScriptText(bytes: Uint8Array): boolean {
  return (
    isAscii(bytes) ||
    (isUtf8(bytes) &&
      !/\p{Noncharacter_Code_Point}/u.test(
        Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString(),
      ))
  );
}

async function checkRulesets(
  manifest: JsonObject,
  files: ShippedFiles,
  references: References,
  refusals: Set<string>,
): Promise<void> {
  const { declarative_net_request: declared, permissions } = manifest;
  if (declared === undefined) {
    return;
  }
  const granting = ["declarativeNetRequest", "declarativeNetRequestWithHostAccess"];
  if (!granting.some((permission) => Array.isArray(permissions) && permissions.includes(permission))) {
    refusals.add('"declarative_net_request" needs the permission "declarativeNetRequest"');
    return;
  }
  const rulesets = valuesAt(manifest, "declarative_net_request.rule_resources.*");
  const enabled = rulesets.filter(({ value }) => (value as JsonObject | null)?.enabled === true);
  if (rulesets.length > rulesetsMax || enabled.length > enabledRulesetsMax) {
    refusals.add(
      `"declarative_net_request.rule_resources" must have at most ${rulesetsMax} rulesets, and at most ${enabledRulesetsMax} enabled rulesets`,
    );
  }
  for (const { value: reference, where } of valuesAt(
    manifest,
    "declarative_net_request.rule_resources.*.path",
  )) {
    const path =
      typeof reference === "string" && !reference.split("/").includes("..") ? normalized(reference) : "";
    if (!files.sizes.has(path)) {
      refusals.add(references.missingProblem(where, String(reference)));
    } else if (isSmall(files, path)) {
      const problem = rulesProblem(await files.read(path));
      if (problem !== undefined) {
        refusals.add(`${quotePath(path)} ${problem}`);
      }
    }
  }
}

/** Checks a list of rules. Chromium reads rules as strict JSON, and skips invalid rules. */
function rulesProblem(bytes: Uint8Array): string | undefined {
  try {
    return Array.isArray(JSON.parse(textOf(bytes))) ? undefined : "is not a list of rules";
  } catch (error) {
    return invalidJson(error);
  }
}

async function checkSchema(
  manifest: JsonObject,
  files: ShippedFiles,
  references: References,
  refusals: Set<string>,
): Promise<void> {
  for (const { value, where } of valuesAt(manifest, "storage.managed_schema")) {
    if (typeof value !== "string" || value === "") {
      continue;
    }
    const path = /^\/|(?:^|\/)\.\.(?:\/|$)/.test(value) ? "" : normalized(value);
    if (!files.sizes.has(path)) {
      refusals.add(references.missingProblem(where, value));
      continue;
    }
    const schema = await readJsonObject(files, path, { trailingCommas: true });
    if (typeof schema === "string" || schema.type !== "object") {
      refusals.add(
        `${quotePath(path)} ${typeof schema === "string" ? schema : 'must have "object" as "type"'}`,
      );
    }
  }
}

function isSmall(files: ShippedFiles, path: string): boolean {
  return (files.sizes.get(path) ?? 0) <= checkedFileBytesMax;
}
