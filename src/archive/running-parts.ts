import { parseChromiumJson } from "./manifest/grammar/chromium-json.js";
import { isUsedByContentScripts } from "./manifest/ignored.js";
import { textOf } from "./manifest/json.js";
import { valuesAt } from "./manifest/places.js";
import { normalized } from "./manifest/references.js";

/** Files of a manifest that run in pages. */
export interface ContentScript {
  readonly files: readonly {
    /** Path below the extension. */
    readonly file: string;
    readonly kind: "js" | "css";
    /** Whether Chromium accepts the ending of the name. */
    readonly isUsed: boolean;
  }[];
  /** Whether the files run in the page at an address. */
  runsAt(url: string): boolean;
  /** Address of a page in which the files run; undefined if none follows from the patterns. */
  readonly address: string | undefined;
}

/** Parts of an extension that run by themselves. None in a manifest that Chromium cannot read. */
export function runningParts(manifestFile: Uint8Array): {
  readonly contentScripts: readonly ContentScript[];
  readonly hasWorker: boolean;
} {
  let manifest: unknown;
  try {
    manifest = parseChromiumJson(textOf(manifestFile));
  } catch {
    // Chromium gives the reason.
  }
  return {
    contentScripts: valuesAt(manifest, "content_scripts.*").map(({ value }) => contentScript(value)),
    hasWorker: valuesAt(manifest, "background.service_worker").length > 0,
  };
}

function contentScript(script: unknown): ContentScript {
  const listed = (member: string) => valuesAt(script, `${member}.*`).map(({ value }) => String(value));
  const globs = listed("include_globs");
  const runsAt = (url: string) => {
    const pattern = (each: string) => matchesPattern(each, url);
    const glob = (each: string) => globExpression(each).test(url);
    return (
      listed("matches").some(pattern) &&
      !listed("exclude_matches").some(pattern) &&
      (globs.length === 0 || globs.some(glob)) &&
      !listed("exclude_globs").some(glob)
    );
  };
  const files = (["js", "css"] as const).flatMap((kind) =>
    listed(kind).map((path) => {
      const isUsed = isUsedByContentScripts(path, `content_scripts[0].${kind}[0]`);
      return { file: normalized(path), kind, isUsed };
    }),
  );
  // The text between the wildcards of a glob is often an address, or the end of a path.
  const texts = globs.map((glob) => glob.replace(/[*?]/g, "").replace(/^\//, ""));
  const made = ["", "x", ...texts].flatMap((fill) =>
    listed("matches").flatMap((pattern) => [
      addressIn(pattern, "", "example.com", fill),
      addressIn(pattern, "www.", "example.org", fill),
    ]),
  );
  const address = [...texts, ...made].find(
    (url) => /^(https?|file):/.test(url) && URL.canParse(url) && runsAt(url),
  );
  return { files, runsAt, address };
}

/** Address of a valid pattern. `prefix`: of a domain below the pattern's; `fill`: end of a path. */
function addressIn(pattern: string, prefix: string, host: string, fill: string): string {
  return pattern
    .replace("<all_urls>", "*://*/*")
    .replace(/^\*/, "https")
    .replace("://*.", `://${prefix}`)
    .replace("://*", `://${host}`)
    .replace(":*/", "/")
    .replace(/\*(?=.)/gs, fill || "x")
    .replace("*", fill);
}

/** Whether a page is at one of the addresses of a valid pattern. */
function matchesPattern(pattern: string, url: string): boolean {
  const { protocol, hostname, port, pathname, search } = new URL(url);
  if (pattern === "<all_urls>") {
    return /^(https?|file):$/.test(protocol);
  }
  const [, scheme = "", host = "", wantedPort = "*", path = ""] =
    /^(.*?):\/\/(\[.*?\]|[^/:]*)(?::([^/]*))?(.*)$/s.exec(pattern) ?? [];
  const domain = host.toLowerCase().replace(/^\*\.?/, "");
  const isBelow = host.startsWith("*") && `.${hostname}`.endsWith(domain && `.${domain}`);
  const hasScheme = scheme === "*" ? /^https?:$/.test(protocol) : protocol === `${scheme}:`;
  const hasHost = protocol === "file:" || hostname === domain || isBelow;
  const hasPort = ["*", port || { "http:": "80", "https:": "443" }[protocol]].includes(wantedPort);
  const hasPath = globExpression((path || "/*").replaceAll("?", "\\?")).test(pathname + search);
  return hasScheme && hasHost && hasPort && hasPath;
}

/** Expression for a glob: `*` is any text, `?` at most one character. */
function globExpression(glob: string): RegExp {
  const source = glob.replace(/\\?[.*+?^${}()|[\]\\]/g, (found) =>
    found === "*" ? ".*" : found === "?" ? ".?" : `\\${found.at(-1)}`,
  );
  return new RegExp(`^${source}$`, "su");
}
