/**
 * Makes both processes of Pulumi's SDK start sooner: half of their time is code that these programs
 * never run. The programs of these tests preload this file. The demo, the README's commands and the
 * programs of docs/programs/compatibility.md run without it, as their users run them.
 */
const { readFileSync } = require("node:fs");
const Module = require("node:module");

/**
 * What the SDK loads at its start, and needs only to serialize functions, or to name its sources in
 * stack traces.
 */
const latePackages = ["typescript", "normalize-package-data", "source-map-support/register"];

/** What it loads for `--tracing`. It takes functions out of these at once. */
const tracingPackages = /^@opentelemetry\/(?!api$)/;

const script = process.argv[1] ?? "";
if (/[\\/]@pulumi[\\/]pulumi[\\/]cmd[\\/]/.test(script)) {
  // V8 rejects cached code that was compiled under other flags, and Pulumi's runtime sets this one
  // in the middle of its start. Without this line, the program and the provider process each reject
  // what the other has put into the cache. Source: @pulumi/pulumi/runtime/closure/v8.js.
  require("node:v8").setFlagsFromString("--allow-natives-syntax");
  // A language host that the set-up builds from source ignores `typescript: false` in Pulumi.yaml,
  // unlike the one of Pulumi's releases, and each program would load ts-node for nothing.
  if (process.env.PULUMI_NODEJS_TYPESCRIPT === "true" && isPlainJavaScript()) {
    delete process.env.PULUMI_NODEJS_TYPESCRIPT;
  }
  loadLate();
}

function isPlainJavaScript() {
  try {
    return /^ *typescript: false$/m.test(readFileSync("Pulumi.yaml", "utf8"));
  } catch {
    // The program is elsewhere.
    return false;
  }
}

/** Loads each of these packages when the SDK first uses it. */
function loadLate() {
  const { _load: load } = Module;
  Module._load = (request, parent, ...rest) => {
    const isTracing = tracingPackages.test(request);
    if (
      !(isTracing || latePackages.includes(request)) ||
      !/[\\/]@pulumi[\\/]pulumi[\\/]/.test(parent?.filename)
    ) {
      return load(request, parent, ...rest);
    }
    const loaded = () => load(request, parent, ...rest);
    return isTracing
      ? new Proxy({}, { get: (_, name) => lateValue(() => loaded()[name]) })
      : lateValue(loaded);
  };
}

/** Stands for a function, a class or a module until something uses it. */
function lateValue(value) {
  return new Proxy(function late() {}, {
    // The SDK looks at these two names of each module that it imports. Of a module in CommonJS, the
    // default export is the module.
    get: (_, name) => (name === "__esModule" ? true : name === "default" ? value() : value()[name]),
    apply: (_, self, args) => Reflect.apply(value(), self, args),
    construct: (_, args) => Reflect.construct(value(), args),
  });
}
