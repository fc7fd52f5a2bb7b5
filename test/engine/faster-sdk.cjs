/**
 * Makes both processes of Pulumi's SDK start sooner. Programs in JavaScript preload this file.
 *
 * V8 rejects cached code that was compiled under other flags, and Pulumi's runtime sets one in the
 * middle of its start (source: @pulumi/pulumi/runtime/closure/v8.js). The program loads
 * TypeScript before that, and the provider process after it. Without this file, each rejects what
 * the other has put into the cache.
 *
 * A language host that the set-up builds from source ignores `typescript: false` in Pulumi.yaml,
 * unlike the one of Pulumi's releases, and each program would load ts-node for nothing.
 */
const { readFileSync } = require("node:fs");

const script = process.argv[1] ?? "";
if (/[\\/]@pulumi[\\/]pulumi[\\/]cmd[\\/]/.test(script)) {
  require("node:v8").setFlagsFromString("--allow-natives-syntax");
  if (process.env.PULUMI_NODEJS_TYPESCRIPT === "true" && isPlainJavaScript()) {
    delete process.env.PULUMI_NODEJS_TYPESCRIPT;
  }
}

function isPlainJavaScript() {
  try {
    return /^ *typescript: false$/m.test(readFileSync("Pulumi.yaml", "utf8"));
  } catch {
    // The program is elsewhere.
    return false;
  }
}
