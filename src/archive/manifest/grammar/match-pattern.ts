/** Schemes of Chromium with `://` in URLs. */
const standardSchemes = new Set(
  "http https file ftp ws wss chrome chrome-extension devtools isolated-app".split(" "),
);

/** Schemes of pages in which content scripts may run. */
const scriptSchemes = new Set(["*", "http", "https", "file", "ftp"]);

/**
 * Finds the reason why Chromium refuses a match pattern such as `https://*.example.com/*`, as the
 * end of a sentence about the pattern; undefined if valid. `forScripts`: a pattern of content
 * scripts, with fewer schemes. `forOrigins`: a pattern whose path must be `/*`.
 */
export function matchPatternProblem(
  pattern: string,
  { forScripts = false, forOrigins = false }: { forScripts?: boolean; forOrigins?: boolean } = {},
): string | undefined {
  if (pattern === "<all_urls>") {
    return undefined;
  }
  const [, scheme, separator = "", rest = ""] = /^([^:]*?)(:\/\/|:)(.*)$/s.exec(pattern) ?? [];
  if (scheme === undefined) {
    return 'has no scheme, such as "https://"';
  }
  if (separator === ":") {
    const isKnown = scheme === "uuid-in-package" || !forScripts;
    return isKnown && !standardSchemes.has(scheme.toLowerCase()) && !forOrigins
      ? undefined
      : 'has no "://" after its scheme';
  }
  if (
    !(forScripts ? scriptSchemes.has(scheme) : scheme === "*" || standardSchemes.has(scheme.toLowerCase()))
  ) {
    return `has a scheme that ${forScripts ? "content scripts cannot run in" : "Chromium does not know"}`;
  }
  const isFile = scheme.toLowerCase() === "file";
  const slash = rest.indexOf("/");
  const path = isFile && slash === -1 ? "/*" : rest.slice(slash);
  if (slash === -1 && !isFile) {
    return 'has no path, such as "/*"';
  }
  const problem = isFile ? (rest === "" ? "has no path" : undefined) : hostProblem(rest.slice(0, slash));
  return problem ?? (forOrigins && path !== "/*" ? 'has a path other than "/*"' : undefined);
}

function hostProblem(authority: string): string | undefined {
  const [, host = "", port] = /^(\[[^\]]*\]|.*?)(?::([^:]*))?$/s.exec(authority) ?? [];
  if (port !== undefined && port !== "*" && !(/^\d+$/.test(port) && Number(port) <= 65_535)) {
    return "has an invalid port";
  }
  const name = host === "*" ? "any" : host.replace(/^\*\./, "");
  if (name === "") {
    return "has no host";
  }
  return name.includes("*")
    ? 'has a "*" in its host; a "*" must be the whole host, or stand before a dot at the start'
    : name.includes("@")
      ? "has a user name in its host"
      : undefined;
}
