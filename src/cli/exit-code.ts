import { isNotFound, LoginError, type LoginErrorCode } from "../client/index.js";
import { BrowserInfraError, ConfigError, InputError, OutcomeUnknownError } from "../errors.js";
import { OutputLost } from "./terminal/checked-output.js";
import { declinedCode } from "./terminal/confirm.js";

/**
 * Exit codes of the command line. Frozen: scripts compare with these numbers.
 */
export const exitCode = {
  done: 0,
  failed: 1,
  usage: 2,
  notFound: 3,
  declined: 4,
  unknown: 5,
  loginFailed: 6,
  loginExpired: 7,
  /** Number with which Pulumi's `--expect-no-changes` ends. */
  drift: 7,
  loginCanceled: 8,
  loginTimedOut: 9,
  outputLost: 10,
  notStarted: 127,
} as const;

/** Name of an exit code. */
export type ExitCodeName = keyof typeof exitCode;

/** Meanings for `--help`. A test compares docs/reference/cli.md with these words. */
const meanings: Readonly<Record<ExitCodeName, string>> = {
  done: "done",
  failed: "failed",
  usage: "the command line or a setting is invalid; nothing was changed",
  notFound: "not found: the object of the command, such as a project or a key",
  declined: "not confirmed; nothing was done",
  unknown: "a write was sent, outcome unknown: check before you repeat the command",
  loginFailed: "the login failed",
  loginExpired: "the login expired",
  drift: "something has drifted",
  loginCanceled: "the login was canceled at the service",
  loginTimedOut: "the login did not end in time, or never began",
  outputLost: "standard output cannot be written; standard error reports the result",
  notStarted: "the command cannot be started",
};

/** Codes that every command can end with. */
const commonNames: readonly ExitCodeName[] = ["done", "failed", "usage", "outputLost"];

const ownNames = new WeakMap<object, readonly ExitCodeName[]>();

/** Records the exit codes of a command, besides the codes of every command, for `--help`. */
export function withExitCodes<Of extends object>(command: Of, ...names: readonly ExitCodeName[]): Of {
  ownNames.set(command, names);
  return command;
}

/** Exit codes of a command, for the end of `--help`. Empty for a group of commands. */
export function exitCodesText(command: object): string {
  const own = ownNames.get(command);
  if (own === undefined) {
    return "";
  }
  const names = Object.keys(exitCode) as ExitCodeName[];
  const lines = names
    .filter((name) => commonNames.includes(name) || own.includes(name))
    .map((name) => `  ${String(exitCode[name]).padEnd(4)} ${meanings[name]}\n`);
  return `\nExit codes:\n${lines.join("")}  130  ended by Ctrl+C (143: by SIGTERM)`;
}

const loginCodes: Readonly<Record<LoginErrorCode, number>> = {
  login_failed: exitCode.loginFailed,
  login_expired: exitCode.loginExpired,
  login_canceled: exitCode.loginCanceled,
  login_timed_out: exitCode.loginTimedOut,
  login_not_begun: exitCode.loginTimedOut,
  // The end of the login is unknown.
  login_stream_error: exitCode.failed,
};

/** Ends a command with an exit code, without a report: the command has printed everything. */
export class CommandEnd extends Error {
  override readonly name = "CommandEnd";
  readonly exitCode: number;

  constructor(code: number) {
    super(`Ended with ${code}.`);
    this.exitCode = code;
  }
}

/** Exit code for an error that ended a command. */
export function exitCodeFor(error: unknown): number {
  const code = error instanceof BrowserInfraError ? error.code : undefined;
  if (error instanceof ConfigError || error instanceof InputError) {
    return exitCode.usage;
  }
  if (error instanceof LoginError) {
    return loginCodes[error.code];
  }
  if (error instanceof OutputLost) {
    return exitCode.outputLost;
  }
  if (error instanceof OutcomeUnknownError) {
    return exitCode.unknown;
  }
  if (isNotFound(error) || code === "name_not_found" || code === "id_not_found") {
    return exitCode.notFound;
  }
  if (code === "command_not_started") {
    return exitCode.notStarted;
  }
  return code === declinedCode ? exitCode.declined : exitCode.failed;
}
