import { parseChromiumJson } from "./manifest/grammar/chromium-json.js";
import { isUsedByContentScripts } from "./manifest/ignored.js";
import { textOf } from "./manifest/json.js";
import { valuesAt } from "./manifest/places.js";
import { normalized } from "./manifest/references.js";

/** Files of a manifest that run in pages. */
export interface ContentScript {
  /** Scripts and styles, as paths below the extension. */
  readonly files: readonly {
    readonly path: string;
    readonly kind: "js" | "css";
    readonly isIgnored: boolean;
  }[];
  /** Whether the files run in the page at an address. */
  runsAt(url: string): boolean;
  /** Address of a page in which the files run; undefined if none can be made from the patterns. */
  readonly address: string | undefined;
}

/** Parts of an extension that run by themselves. Empty for a manifest that Chromium cannot read. */
export function runningParts(manifestFile: Uint8Array): {
  readonly contentScripts: readonly ContentScript[];
  /** File of the service worker. */
  readonly worker: string | undefined;
} {
  let manifest: unknown;
  try {
    manifest = parseChromiumJson(textOf(manifestFile));
  } catch {
    return { contentScripts: [], worker: undefined };
  }
  return {
    contentScripts: valuesAt(manifest, "content_scripts.*").map(({ value }) => contentScript(value)),
    worker: textsAt(manifest, "background.service_worker")[0],
  };
}

function contentScript(script: unknown): ContentScript {
  const listed = (member: string) => textsAt(script, `${member}.*`);
  const [matches, excluded] = [listed("matches"), listed("exclude_matches")];
  const [globs, excludedGlobs] = [listed("include_globs"), listed("exclude_globs")];
  const runsAt = (url: string) =>
    matches.some((pattern) => matchesPattern(pattern, url)) &&
    !excluded.some((pattern) => matchesPattern(pattern, url)) &&
    (globs.length === 0 || globs.some((glob) => matchesGlob(glob, url))) &&
    !excludedGlobs.some((glob) => matchesGlob(glob, url));
  const files = (["js", "css"] as const).flatMap((kind) =>
    listed(kind).map((path) => {
      const isIgnored = !isUsedByContentScripts(path, `content_scripts[0].${kind}[0]`);
      return { path: normalized(path), kind, isIgnored };
    }),
  );
  // The text between the wildcards of a glob is often an address, or the end of a path.
  const texts = globs.map((glob) => glob.replace(/[*?]/g, "").replace(/^\//, ""));
  const candidates = [...texts, ...matches.flatMap((pattern) => matchingUrls(pattern, ["", "x", ...texts]))];
  return { files, runsAt, address: candidates.find((url) => URL.canParse(url) && runsAt(url)) };
}

function textsAt(manifest: unknown, place: string): readonly string[] {
  return valuesAt(manifest, place)
    .map(({ value }) => value)
    .filter((value) => typeof value === "string");
}

/** Schemes of `*`, and of `<all_urls>` as far as Chromium still opens such pages. */
const wildSchemes = { "*": ["https", "http"], "<all_urls>": ["https", "http", "file"] } as const;

interface Pattern {
  readonly schemes: readonly string[];
  readonly host: string;
  readonly port: string;
  readonly path: string;
}

/** Parts of a valid pattern. */
function parsed(pattern: string): Pattern {
  if (pattern === "<all_urls>") {
    return { schemes: wildSchemes[pattern], host: "*", port: "*", path: "/*" };
  }
  const [, scheme = "", authority = "", path = "/*"] = /^([^:]*):\/\/([^/]*)(.*)$/s.exec(pattern) ?? [];
  const [, host = "", port = "*"] = /^(\[[^\]]*\]|.*?)(?::([^:]*))?$/s.exec(authority.toLowerCase()) ?? [];
  const isFile = scheme === "file";
  return {
    schemes: scheme === "*" ? wildSchemes[scheme] : [scheme],
    host: isFile ? "*" : host,
    port,
    path: path === "" ? "/*" : path,
  };
}

/** Ports of addresses without a port. */
const defaultPorts: Readonly<Record<string, string>> = { "http:": "80", "https:": "443" };

/** Whether a page is at one of the addresses of a valid pattern. */
function matchesPattern(pattern: string, url: string): boolean {
  const { schemes, host, port, path } = parsed(pattern);
  const { protocol, hostname, port: ownPort, pathname, search } = new URL(url);
  const domain = host.replace(/^\*\./, "");
  return (
    schemes.includes(protocol.slice(0, -1)) &&
    (host === "*" || hostname === domain || (domain !== host && hostname.endsWith(`.${domain}`))) &&
    (port === "*" || port === (ownPort || defaultPorts[protocol])) &&
    globExpression(path.replaceAll("?", "\\?")).test(pathname + search)
  );
}

/** Whether an address matches a glob: `*` is any text, `?` at most one character. */
function matchesGlob(glob: string, url: string): boolean {
  return globExpression(glob).test(url);
}

/** Addresses of a valid pattern. `fills`: texts for the wildcards of the path. */
function matchingUrls(pattern: string, fills: readonly string[]): readonly string[] {
  const { schemes, host, port, path } = parsed(pattern);
  const domain = host.replace(/^\*\./, "");
  const hosts =
    host === "*" ? ["example.com", "example.org"] : [domain, ...(domain === host ? [] : [`www.${domain}`])];
  return schemes.flatMap((scheme) =>
    (scheme === "file" ? [""] : hosts).flatMap((name) =>
      fills.map(
        (fill) => `${scheme}://${name}${port === "*" ? "" : `:${port}`}${path.replaceAll("*", fill)}`,
      ),
    ),
  );
}

function globExpression(glob: string): RegExp {
  const source = glob.replace(/\\?[.*+?^${}()|[\]\\]/g, (found) =>
    found === "*" ? ".*" : found === "?" ? ".?" : `\\${found.at(-1)}`,
  );
  return new RegExp(`^${source}$`, "su");
}
