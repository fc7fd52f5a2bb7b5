/** A file that a manifest names, and the member that does. */
export interface NamedFile {
  /** Path below the extension's folder. */
  readonly path: string;
  /** Where it is named: `background.service_worker`, `content_scripts[0].js`. */
  readonly member: string;
}

/** Members of a manifest that name files, as paths into it; `[]` stands for each item of a list, `*` for each member. */
const fileMembers = [
  "icons.*",
  "background.service_worker",
  "background.scripts[]",
  "background.page",
  "content_scripts[].js[]",
  "content_scripts[].css[]",
  "action.default_popup",
  "action.default_icon",
  "action.default_icon.*",
  "browser_action.default_popup",
  "browser_action.default_icon",
  "browser_action.default_icon.*",
  "page_action.default_popup",
  "page_action.default_icon",
  "page_action.default_icon.*",
  "options_page",
  "options_ui.page",
  "devtools_page",
  "chrome_url_overrides.*",
  "declarative_net_request.rule_resources[].path",
  "side_panel.default_path",
  "sandbox.pages[]",
  "web_accessible_resources[]",
  "web_accessible_resources[].resources[]",
  "storage.managed_schema",
];

/** Every file the manifest names. Patterns with wildcards name no particular file and are passed over. */
export function filesNamedIn(manifest: Record<string, unknown>): NamedFile[] {
  return fileMembers.flatMap((member) =>
    textsAt(manifest, member.split(/\.|(?=\[\])/), "").flatMap(({ text, at }) => {
      const path = text
        .replace(/[?#].*$/s, "")
        .replace(/^\/+/, "")
        .replace(/^(\.\/)+/, "");
      return path === "" || path.includes("*") || /^[a-z][a-z0-9+.-]*:/i.test(path)
        ? []
        : [{ path, member: at }];
    }),
  );
}

/** Whether a value is a JSON object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function textsAt(value: unknown, steps: readonly string[], at: string): { text: string; at: string }[] {
  const [step, ...rest] = steps;
  if (step === undefined) {
    return typeof value === "string" ? [{ text: value, at }] : [];
  }
  if (step === "[]") {
    return Array.isArray(value) ? value.flatMap((item, index) => textsAt(item, rest, `${at}[${index}]`)) : [];
  }
  if (!isRecord(value)) {
    return [];
  }
  const names = step === "*" ? Object.keys(value) : Object.hasOwn(value, step) ? [step] : [];
  return names.flatMap((name) => textsAt(value[name], rest, at === "" ? name : `${at}.${name}`));
}
