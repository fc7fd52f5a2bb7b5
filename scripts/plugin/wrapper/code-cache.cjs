/**
 * How many runs add to the cache what they compiled. It takes some 12 ms at the end of a run, and a
 * deployment and a preview call nearly everything. A program in YAML starts two processes for each.
 */
const runsMax = 4;

/** Bytes before V8's data: a checksum and the number of runs, both little-endian. */
const headBytes = 8;

/**
 * Runs a file as a module of CommonJS, with V8's code cache in `folder`. Files beside it that it
 * loads get the same.
 *
 * Node's own compile cache holds a module as it was compiled at first. It lacks the functions that
 * V8 compiles when they are first called, and these are most of what a bundle compiles in a run.
 * Source: Node's src/compile_cache.cc, which stores a module before it runs.
 *
 * @param {string} path
 * @param {string} folder that only the user can write to. It belongs to one version of Node: V8
 *   rejects data of another one.
 * @returns {unknown} what the module exports.
 */
function runWithCodeCache(path, folder) {
  const { readFileSync } = require("node:fs");
  const { createRequire } = require("node:module");
  const { basename, dirname, join } = require("node:path");
  const { Script } = require("node:vm");

  const source = readFileSync(path, "utf8");
  const file = join(folder, `${basename(path)}.code-cache`);
  const stored = storedCache(file, source);
  const head = "(function (exports, require, module, __filename, __dirname) { ";
  const script = new Script(`${head}${source}\n})`, {
    filename: path,
    columnOffset: -head.length,
    cachedData: stored.data,
  });
  const isUsed = stored.data !== undefined && script.cachedDataRejected === false;
  const runs = isUsed ? stored.runs : 0;

  const requireOther = createRequire(path);
  /** @type {Map<string, unknown>} */
  const loaded = new Map();
  /** @param {string} request */
  const load = (request) => {
    if (!request.startsWith("./")) {
      return requireOther(request);
    }
    if (!loaded.has(request)) {
      loaded.set(request, runWithCodeCache(requireOther.resolve(request), folder));
    }
    return loaded.get(request);
  };
  const module = { exports: {} };
  script.runInThisContext()(module.exports, load, module, path, dirname(path));

  if (!isUsed) {
    // Soon, because a killed process reaches no end.
    setImmediate(() => store(file, source, script.createCachedData(), 0));
  }
  if (runs < runsMax) {
    process.once("exit", () => store(file, source, script.createCachedData(), runs + 1));
  }
  return module.exports;
}

/**
 * What an earlier run stored. Of the source, V8 compares only the length.
 *
 * @param {string} file
 * @param {string} source
 * @returns {{ data?: Buffer, runs: number }} without data when there is none for this source, or it
 *   is damaged.
 */
function storedCache(file, source) {
  try {
    const bytes = require("node:fs").readFileSync(file);
    if (bytes.readUInt32LE(0) === checksumOf(source, bytes.subarray(4))) {
      return { data: bytes.subarray(headBytes), runs: bytes.readUInt32LE(4) };
    }
  } catch {
    // The first run, or a file that cannot be read.
  }
  return { runs: 0 };
}

/**
 * @param {string} file
 * @param {string} source
 * @param {Buffer} data
 * @param {number} runs
 */
function store(file, source, data, runs) {
  const { renameSync, rmSync, writeFileSync } = require("node:fs");
  const bytes = Buffer.concat([Buffer.alloc(headBytes), data]);
  bytes.writeUInt32LE(runs, 4);
  bytes.writeUInt32LE(checksumOf(source, bytes.subarray(4)), 0);
  const unfinished = `${file}.${process.pid}`;
  try {
    // Another plugin may read the file now.
    writeFileSync(unfinished, bytes);
    renameSync(unfinished, file);
  } catch {
    // Only time is lost.
    rmSync(unfinished, { force: true });
  }
}

/**
 * @param {string} source
 * @param {Uint8Array} bytes
 */
function checksumOf(source, bytes) {
  const { crc32 } = require("node:zlib");
  return crc32(bytes, crc32(source));
}

module.exports = { runWithCodeCache };
