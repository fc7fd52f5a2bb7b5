/**
 * Start of the plugin, run by the wrapper scripts. Loads the plugin with Node's cache of compiled
 * code, which is faster from the second start on. An old Node must be able to read this file, to
 * report that Node is too old.
 */

/** Whether this Node can run the plugin. If not, it has said so. */
function canRun() {
  try {
    require("../../../src/node-version");
    return true;
  } catch (error) {
    console.error(/** @type {Error} */ (error).message);
    return false;
  }
}

/**
 * The user's own folder for caches: code that another user could write there would run here. It may
 * not be in node_modules either, which can be read-only, and where package managers compare files.
 */
function cacheFolder() {
  const { homedir } = require("node:os");
  const { isAbsolute, join } = require("node:path");
  const { LOCALAPPDATA, XDG_CACHE_HOME } = process.env;
  const name = "pulumi-browser-infra";
  if (process.platform === "win32" && LOCALAPPDATA) {
    return join(LOCALAPPDATA, name, "Cache");
  }
  if (process.platform === "darwin") {
    return join(homedir(), "Library", "Caches", name);
  }
  // The specification of this variable says to ignore a relative path.
  const isUsable = XDG_CACHE_HOME && isAbsolute(XDG_CACHE_HOME);
  return join(isUsable ? XDG_CACHE_HOME : join(homedir(), ".cache"), name);
}

if (canRun()) {
  const { enableCompileCache, flushCompileCache } = require("node:module");
  // A folder that cannot be written, or NODE_DISABLE_COMPILE_CACHE, only means no cache.
  // NODE_COMPILE_CACHE names another folder.
  enableCompileCache(cacheFolder());
  // Not by a constant, which esbuild would follow. An old Node cannot read the bundle.
  require(`${__dirname}/bundle.cjs`);
  // Soon, because a killed process reaches no end.
  setImmediate(flushCompileCache);
} else {
  process.exitCode = 1;
}
