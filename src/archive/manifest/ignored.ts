import { quotePath } from "../../text/escape.js";
import { isMisspelling } from "../../text/near.js";
import type { Findings } from "./findings.js";
import { matchPatternProblem } from "./grammar/match-pattern.js";
import { isJsonObject, isNonEmptyString, type JsonObject } from "./json.js";
import { permissions } from "./permissions.js";
import { valuesAt } from "./places.js";
import { isInExtension } from "./references.js";

/** Endings of the files that Chromium 136 and newer run as scripts, or apply as styles. */
const endings = { js: /[^/]\.m?js$/i, css: /[^/]\.css$/i };

/** Whether Chromium uses a file of a content script. Any other file is ignored in silence. */
export function isUsedByContentScripts(path: string, where: string): boolean {
  return endings[/\.css\[\d+\]$/.test(where) ? "css" : "js"].test(path);
}

/**
 * Adds warnings about parts that Chromium ignores although the extension loads: scripts and styles with
 * a wrong ending, hosts and permissions that grant nothing, and options without a page. Chromium tells
 * only people who open its page of extensions.
 */
export function checkIgnored(manifest: JsonObject, { warnings }: Findings): void {
  for (const member of ["js", "css"] as const) {
    for (const { value, where } of valuesAt(manifest, `content_scripts.*.${member}.*`)) {
      if (typeof value === "string" && !isUsedByContentScripts(value, where)) {
        const ending = member === "js" ? ".js or .mjs" : ".css";
        warnings.add(`${quotePath(where)} is ${quotePath(value)}. ${ignoredText(ending)}`);
      }
    }
  }
  for (const { value, where } of valuesAt(manifest, "background.service_worker")) {
    if (isNonEmptyString(value) && !endings.js.test(value.replace(/[?#].*$/s, ""))) {
      warnings.add(`${quotePath(where)} is ${quotePath(value)}. ${ignoredText(".js or .mjs")}`);
    }
  }
  if (manifest.manifest_version !== 2) {
    checkPermissions(manifest, warnings);
  }
  const { options_ui: options, options_page: page } = manifest;
  const hasPage = isJsonObject(options) && isNonEmptyString(options.page) && isInExtension(options.page);
  if (options !== undefined && !hasPage && !isNonEmptyString(page)) {
    warnings.add('"options_ui" has no file of the extension as "page", so there is no options page');
  }
}

function ignoredText(ending: string): string {
  return `Chromium ignores the file, because its name does not end in ${ending}. If this is the folder of the sources, point "path" at the folder of the build`;
}

/** Of unknown names, only likely mistakes are reported: other browsers have further permissions. */
function checkPermissions(manifest: JsonObject, warnings: Set<string>): void {
  for (const member of ["permissions", "optional_permissions"]) {
    for (const { value, where } of valuesAt(manifest, `${member}.*`)) {
      if (typeof value !== "string" || permissions.has(value)) {
        continue;
      }
      const meant = [...permissions].find((permission) => isMisspelling(value, permission));
      if (value === "<all_urls>" || value.includes("://")) {
        const right = member.replace("permissions", "host_permissions");
        warnings.add(
          `${quotePath(where)} is ${quotePath(value)}, which grants nothing. In version 3, hosts belong to "${right}"`,
        );
      } else if (meant !== undefined) {
        warnings.add(
          `${quotePath(where)} is ${quotePath(value)}, which Chromium does not know. If you mean "${meant}", correct the name`,
        );
      }
    }
  }
  for (const member of ["host_permissions", "optional_host_permissions"]) {
    for (const { value, where } of valuesAt(manifest, `${member}.*`)) {
      // A host may have the schemes of content scripts, and those of web sockets.
      const problem =
        typeof value === "string" &&
        matchPatternProblem(value.replace(/^ws(?=s?:)/, "http"), { forScripts: true });
      if (problem) {
        warnings.add(
          `${quotePath(where)} is ${quotePath(String(value))}, which grants nothing: it ${problem}`,
        );
      }
    }
  }
}
