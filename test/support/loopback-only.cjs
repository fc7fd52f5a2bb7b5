/**
 * Blocks every connection of this process but those to this machine. jest loads it before each test
 * file, and NODE_OPTIONS passes it on to every Node process that a test starts, also through other
 * programs such as the Pulumi CLI. So no test can reach a real service. npm alone may reach its
 * registry. The programs that npm starts may not.
 */
const { ChildProcess } = require("node:child_process");
const { realpathSync } = require("node:fs");
const net = require("node:net");
const { basename } = require("node:path");
const { runInThisContext } = require("node:vm");

const mark = Symbol.for("pulumi-browser-infra/loopback-only");
const { prototype } = net.Socket;

const option = `--require ${JSON.stringify(__filename)}`;
const withOption = (options = "") => (options.includes(option) ? options : `${options} ${option}`.trim());

// jest gives each test file a copy of the environment, and children inherit the real one.
for (const env of [runInThisContext("process").env, process.env]) {
  env.NODE_OPTIONS = withOption(env.NODE_OPTIONS);
}

const isNpm = /^np[mx]-cli\.js$/.test(scriptName());

if (!(mark in prototype) && !isNpm) {
  const spawn = ChildProcess.prototype.spawn;
  ChildProcess.prototype.spawn = function (options) {
    // A child with an environment of its own gets the option as well.
    const others = (options.envPairs ?? []).filter((pair) => !pair.startsWith("NODE_OPTIONS="));
    const own = (options.envPairs ?? []).find((pair) => pair.startsWith("NODE_OPTIONS="))?.slice(13);
    return spawn.call(this, { ...options, envPairs: [...others, `NODE_OPTIONS=${withOption(own)}`] });
  };

  const connect = prototype.connect;
  Object.defineProperty(prototype, mark, { value: true });
  prototype.connect = function (...args) {
    const blocked = foreignHost(args);
    if (blocked === undefined) {
      return connect.apply(this, args);
    }
    // A name that does not resolve, as for a machine without a network.
    const error = Object.assign(
      new Error(`getaddrinfo ENOTFOUND ${blocked} (blocked: tests reach only this machine)`),
      {
        code: "ENOTFOUND",
        syscall: "getaddrinfo",
        hostname: blocked,
      },
    );
    process.nextTick(() => this.destroy(error));
    return this;
  };
}

/** Name of the file that this process runs, behind links; empty if there is none. */
function scriptName() {
  try {
    return basename(realpathSync(process.argv[1]));
  } catch {
    return "";
  }
}

/**
 * The host that a call of `connect` wants, unless it is this machine or a path. `connect` takes an
 * object, a port and a host, or an array of what it has already read from these.
 */
function foreignHost(args) {
  const [first, second] = Array.isArray(args[0]) ? args[0] : args;
  if (typeof first === "object" && first !== null) {
    return first.path ? undefined : unlessLoopback(first.host);
  }
  return typeof first === "string" && !/^\d+$/.test(first)
    ? undefined
    : unlessLoopback(typeof second === "string" ? second : undefined);
}

function unlessLoopback(host = "localhost") {
  return /^(localhost|127(\.\d+){3}|::1|::ffff:127(\.\d+){3})$/i.test(host) ? undefined : host;
}
