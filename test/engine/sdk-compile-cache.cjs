/**
 * Lets Pulumi's SDK use V8's compile cache. Programs in JavaScript preload this file.
 *
 * V8 takes nothing from the cache that was made under other flags. Pulumi's runtime sets one in the
 * middle of its start (source: @pulumi/pulumi/runtime/closure/v8.js), so that all it loads before,
 * TypeScript and npm's Arborist among it, would be compiled again by every process.
 */
if (/[\\/]@pulumi[\\/]pulumi[\\/]cmd[\\/]/.test(process.argv[1] ?? "")) {
  require("node:v8").setFlagsFromString("--allow-natives-syntax");
}
