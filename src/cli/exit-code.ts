import { isNotFound } from "../client/not-found.js";
import {
  BrowserInfraError,
  ConfigError,
  InputError,
  LoginError,
  type LoginErrorCode,
  OutcomeUnknownError,
} from "../errors.js";
import { OutputLost } from "./terminal/checked-output.js";
import { declinedCode } from "./terminal/confirm.js";

/** Exit codes by name, with the meanings for `--help`. Frozen: scripts compare with these numbers. */
const codes = {
  done: [0, "done"],
  failed: [1, "failed"],
  usage: [2, "the command line or a setting is invalid; nothing was changed"],
  notFound: [3, "not found: the object of the command, such as a project or a key"],
  declined: [4, "not confirmed; nothing was done"],
  unknown: [5, "a write was sent, outcome unknown: check before you repeat the command"],
  loginFailed: [6, "the login failed"],
  loginExpired: [7, "the login expired"],
  // The number with which `--expect-no-changes` of the engine ends.
  drift: [7, "something has drifted"],
  loginCanceled: [8, "the login was canceled at the service"],
  loginTimedOut: [9, "the login did not end in time, or never began"],
  outputLost: [10, "standard output cannot be written; standard error reports the result"],
  notStarted: [127, "the command cannot be started"],
} as const;

export type ExitCodeName = keyof typeof codes;

/** Exit codes of the command line. */
export const exitCode = Object.fromEntries(Object.entries(codes).map(([name, [code]]) => [name, code])) as {
  readonly [Name in ExitCodeName]: (typeof codes)[Name][0];
};

/** Exit codes of a command, for `--help`. `own`: besides the codes of every command. */
export function exitCodesText(...own: readonly ExitCodeName[]): string {
  const listed: readonly string[] = ["done", "failed", "usage", "outputLost", ...own];
  const lines = Object.entries(codes)
    .filter(([name]) => listed.includes(name))
    .map(([, [code, meaning]]) => `  ${String(code).padEnd(4)} ${meaning}\n`);
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
