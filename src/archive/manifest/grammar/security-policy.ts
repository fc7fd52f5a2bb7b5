/** Allowed sources of scripts, objects and workers in version 3. */
const secureSource =
  /^(?:'self'|'none'|'wasm-unsafe-eval'|http:\/\/(?:localhost|127\.0\.0\.1)(?::[\d*]*)?\/?)$/i;

/** Reason why Chromium refuses the policy of an extension's pages in version 3, or undefined. */
export function pagesPolicyProblem(policy: string): string | undefined {
  const directives = directivesOf(policy);
  const scripts = directives.get("script-src") ?? directives.get("default-src");
  if (scripts === undefined) {
    return 'must have the directive "script-src" or "default-src"';
  }
  const restricted = [
    ["script-src", scripts],
    ["object-src", directives.get("object-src") ?? []],
    ["worker-src", directives.get("worker-src") ?? []],
  ] as const;
  const [name] =
    restricted.find(([, sources]) => !sources.every((source) => secureSource.test(source))) ?? [];
  return name === undefined
    ? undefined
    : `must allow in "${name}" only 'self', 'none', 'wasm-unsafe-eval' and http://localhost`;
}

/** Finds the reason why Chromium refuses the policy of sandboxed pages; undefined if valid. */
export function sandboxPolicyProblem(policy: string): string | undefined {
  const sandbox = directivesOf(policy).get("sandbox");
  return sandbox === undefined || sandbox.includes("allow-same-origin")
    ? 'must have the directive "sandbox" without "allow-same-origin"'
    : undefined;
}

/** Parses a policy into values by directive. Of two directives with one name, the first counts. */
function directivesOf(policy: string): ReadonlyMap<string, readonly string[]> {
  const directives = policy
    .split(";")
    .map((directive) => directive.trim().split(/\s+/))
    .map(
      ([name = "", ...values]) => [name.toLowerCase(), values.map((value) => value.toLowerCase())] as const,
    );
  return new Map(directives.reverse());
}
