/**
 * Lets both processes of Pulumi's SDK use V8's compile cache. Programs in JavaScript preload this
 * file.
 *
 * V8 rejects cached code that was compiled under other flags, and Pulumi's runtime sets one in the
 * middle of its start (source: @pulumi/pulumi/runtime/closure/v8.js). The program loads
 * TypeScript before that, and the provider process after it. Without this file, each rejects what
 * the other has put into the cache.
 */
if (/[\\/]@pulumi[\\/]pulumi[\\/]cmd[\\/]/.test(process.argv[1] ?? "")) {
  require("node:v8").setFlagsFromString("--allow-natives-syntax");
}
