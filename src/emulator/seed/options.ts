import { isIPv4 } from "node:net";
import { isExecutable } from "../../chromium/find.js";
import { ConfigError } from "../../errors.js";
import { timerMsMax } from "../../text/duration.js";
import type { RecordedRequest } from "../http/request-log.js";
import { isHost } from "../http/request-source.js";
import { apiKeyProblem, newApiKey } from "../organization/api-keys/record.js";
import type { EmulatorSeed } from "./schema.js";

export interface EmulatorOptions {
  /** Address to listen on. Default `127.0.0.1`; any address but loopback needs `allowRemote`. */
  readonly host?: string;
  /** Port to listen on, 0 to 65535. Default 0: any free port. */
  readonly port?: number;
  /**
   * Folder that keeps all data between starts, for one emulator at a time. Created if missing.
   * Default: none, so all data is in memory and lost at the end.
   */
  readonly dataDir?: string;
  /**
   * Keys of the organization, 1 to 255 visible ASCII characters. Default `["sk_emulator"]`; with
   * `allowRemote` a new random key at every start, in `Emulator.apiKeys`.
   */
  readonly apiKeys?: readonly string[];
  /**
   * Initial contents: an object, or the path of a JSON file. `docs/emulator/emulator-seed.schema.json`
   * describes the format. With a data folder, missing objects are created and existing objects are
   * unchanged. Default: nothing.
   */
  readonly seed?: EmulatorSeed | string;
  /**
   * Allows a `host` that is not loopback, and requests under IP addresses and under the name of this
   * machine. Anyone who can reach the emulator and has a key can then read and change everything, so
   * the key `sk_emulator`, which everybody knows, is refused. Default false: a request must name a
   * loopback host, so that no website can reach the emulator under a name of its own.
   */
  readonly allowRemote?: boolean;
  /**
   * Further hosts under which requests are answered, without port, such as the name `emulator` of a
   * container. Default: none. A host whose address a stranger can decide lets every website in.
   */
  readonly allowedHosts?: readonly string[];
  /**
   * Origins whose web pages may call the emulator from a browser and read the responses, such as
   * `http://localhost:3000`. Default: none. Every page except the emulator's own then gets 403
   * `origin_not_allowed`, even a page on a different port of this machine.
   */
  readonly allowedOrigins?: readonly string[];
  /**
   * Source of all reported times. Default: the system's. To let time jump, move `Emulator.clock`,
   * which is an offset from `now`.
   */
  readonly now?: () => Date;
  /**
   * Speed of logins, builds and of filling browser pools, from 0.01 to 1000. Default 1. Divides every
   * duration of a scenario, the time to a login's expiry and the time to build a browser, but not
   * heartbeats, leases and times of keys.
   */
  readonly speed?: number;
  /**
   * Time between two heartbeats of an event stream, in milliseconds. Default 15 000, a guess: the
   * service publishes no figure.
   */
  readonly heartbeatIntervalMs?: number;
  /**
   * Longest time for the headers of a request, and between two pieces of a body, in milliseconds. A
   * whole body has ten times as long. The connection then ends. Default 60 000.
   */
  readonly requestTimeoutMs?: number;
  /**
   * Most requests in a second, above 0. Further requests get 429 with `Retry-After`, and every
   * response has the headers `X-RateLimit-Limit` and `X-RateLimit-Remaining`. Default: no limit.
   */
  readonly requestsPerSecond?: number;
  /**
   * Chromium or Chrome that is started for every session: a path, or true for the browser on PATH. On a
   * machine without a browser, or without the option, the addresses of a session lead nowhere, and their
   * host says why. Default: none.
   */
  readonly browser?: string | true;
  /**
   * Called once for every request except control requests (`/_emulator`, `/health` and the page), when
   * the response begins or the connection has ended without a response. Gets a copy of the record in
   * `requests`. Errors of the function are ignored.
   */
  readonly onRequest?: (request: RecordedRequest) => void;
}

const speedMin = 0.01;
const speedMax = 1000;

/** API key that is valid if no key is given and only this machine reaches the emulator. */
export const defaultApiKey = "sk_emulator";

/** Completes and checks options. Throws `ConfigError` `config_invalid`. @internal */
export function readOptions(options: EmulatorOptions) {
  const { host = "127.0.0.1", port = 0, dataDir } = options;
  const { allowRemote = false, allowedHosts = [], allowedOrigins = [] } = options;
  const { apiKeys = [allowRemote ? newApiKey() : defaultApiKey] } = options;
  const { seed = {}, now = () => new Date(), speed = 1, heartbeatIntervalMs = 15_000 } = options;
  const { requestTimeoutMs = 60_000, requestsPerSecond, onRequest, browser } = options;
  if (typeof host !== "string" || host.trim() === "") {
    throw invalid("host", "is empty", "Give an address of this machine, for example 127.0.0.1");
  }
  if (!allowRemote && !isLoopback(host)) {
    const remedy = "Use 127.0.0.1, ::1 or localhost, or allow it with allowRemote (--allow-remote)";
    throw invalid("host", `"${host}" can be reached from other machines`, remedy);
  }
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw invalid("port", "is not a whole number from 0 to 65535", "Choose one, or 0 for any free port");
  }
  if (dataDir?.trim() === "") {
    throw invalid("dataDir", "is empty", "Give a folder, or leave it out");
  }
  if (seed === "") {
    throw invalid("seed", "is empty", "Give a file, or leave it out");
  }
  if (apiKeys.length === 0) {
    throw invalid("apiKeys", "is empty", "Give at least one key, or leave it out");
  }
  for (const key of apiKeys) {
    const problem = apiKeyProblem(key);
    if (problem !== undefined) {
      throw invalid("apiKeys", "has a malformed key", `An API key ${problem}`);
    }
  }
  const strange = allowedHosts.find((each) => !isHost(each));
  if (strange !== undefined) {
    const remedy = "Give the name alone, in lower case and without a port, for example emulator";
    throw invalid("allowedHosts", `has ${JSON.stringify(strange)}, which is not a host`, remedy);
  }
  const malformed = allowedOrigins.find((each) => !URL.canParse(each) || new URL(each).origin !== each);
  if (malformed !== undefined) {
    const remedy = "Give scheme, host and port as browsers do, for example http://localhost:3000";
    throw invalid("allowedOrigins", `has ${JSON.stringify(malformed)}, which is not an origin`, remedy);
  }
  if (!(speed >= speedMin && speed <= speedMax)) {
    const why = `is not a number from ${speedMin} to ${speedMax}`;
    throw invalid("speed", why, "Leave it out for logins in real time");
  }
  if (!(heartbeatIntervalMs >= 1 && heartbeatIntervalMs <= timerMsMax)) {
    const why = `is not a number from 1 to ${timerMsMax}`;
    throw invalid("heartbeatIntervalMs", why, "Leave it out for a heartbeat every 15 seconds");
  }
  if (!(requestTimeoutMs >= 1 && requestTimeoutMs <= timerMsMax)) {
    const why = `is not a number from 1 to ${timerMsMax}`;
    throw invalid("requestTimeoutMs", why, "Leave it out for one minute");
  }
  if (requestsPerSecond !== undefined && !(requestsPerSecond > 0 && Number.isFinite(requestsPerSecond))) {
    throw invalid("requestsPerSecond", "is not a positive number", "Leave it out for no limit");
  }
  if (typeof browser === "string" && !isExecutable(browser)) {
    const remedy = "Give the path of Chromium or Chrome, or true for the browser on PATH";
    throw invalid("browser", `is ${JSON.stringify(browser)}, which cannot be executed`, remedy);
  }
  const keys = [...new Set(apiKeys)];
  const pace = { speed, heartbeatIntervalMs };
  const more = { browser, requestTimeoutMs, requestsPerSecond, onRequest: withoutErrors(onRequest) };
  const sources = { allowRemote, allowedHosts, allowedOrigins };
  return { host, port, dataDir, apiKeys: keys, seed, ...sources, now, ...more, ...pace };
}

/** Wraps a listener and ignores its errors: no request may fail because of a listener. */
function withoutErrors(listener: EmulatorOptions["onRequest"]): (request: RecordedRequest) => void {
  return (request) => {
    try {
      listener?.(request);
    } catch {
      // An error of the listener, not of the emulator.
    }
  };
}

/** Base URL for programs on this machine. */
export function baseUrl(host: string, port: number): string {
  // Wildcard addresses are for listening; not every system accepts them in a request.
  const name = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}

/**
 * Refuses the default key where others can reach the emulator, whether given, from a seed or from a data
 * folder. Throws `ConfigError` `config_invalid`. @internal
 */
export function refuseKnownKey(isValid: (key: string) => boolean, allowRemote: boolean): void {
  if (allowRemote && isValid(defaultApiKey)) {
    const remedy =
      "Leave the key out of apiKeys (--api-key), seed and data, and the emulator makes up a key, or choose a secret key";
    throw invalid("allowRemote", `is refused with the key ${defaultApiKey}, which everybody knows`, remedy);
  }
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIPv4(host) && host.startsWith("127."));
}

function invalid(option: string, why: string, remedy: string): ConfigError {
  return new ConfigError("config_invalid", `The emulator's option ${option} ${why}. ${remedy}.`);
}
