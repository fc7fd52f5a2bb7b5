import { isNotFound, LoginError, type LoginErrorCode } from "../client/index.js";
import { BrowserInfraError, ConfigError, InputError, OutcomeUnknownError } from "../errors.js";
import { declinedCode } from "./terminal/confirm.js";

/** The exit codes of the command line. Frozen: scripts compare with these numbers. */
export const exitCode = {
  /** Done. */
  done: 0,
  /** Failed. */
  failed: 1,
  /** The command line or a setting is invalid. */
  usage: 2,
  /** Not found. */
  notFound: 3,
  /** Not confirmed, so nothing was done. */
  declined: 4,
  /** A write was sent, and nobody knows whether the service carried it out. */
  unknown: 5,
  /** The login failed. */
  loginFailed: 6,
  /** The login expired. */
  loginExpired: 7,
  /** The login was canceled at the service. */
  loginCanceled: 8,
  /** The login did not end in time, or never began. */
  loginTimedOut: 9,
} as const;

/** The exit codes, for `--help`. */
export const exitCodesText = `
Exit codes:
  0    done
  1    failed
  2    the command line or a setting is invalid
  3    not found
  4    not confirmed; nothing was done
  5    a write was sent, but its outcome is unknown
  6    the login failed (login follow)
  7    the login expired (login follow)
  8    the login was canceled at the service (login follow)
  9    the login did not end in time, or never began (login follow)
  130  ended by Ctrl+C (143: by SIGTERM)`;

const loginCodes: Readonly<Record<LoginErrorCode, number>> = {
  login_failed: exitCode.loginFailed,
  login_expired: exitCode.loginExpired,
  login_canceled: exitCode.loginCanceled,
  login_timed_out: exitCode.loginTimedOut,
  login_not_begun: exitCode.loginTimedOut,
  // The end of the login is unknown.
  login_stream_error: exitCode.failed,
};

/** The exit code for an error that ended a command. */
export function exitCodeFor(error: unknown): number {
  if (error instanceof ConfigError || error instanceof InputError) {
    return exitCode.usage;
  }
  if (error instanceof LoginError) {
    return loginCodes[error.code];
  }
  if (error instanceof OutcomeUnknownError) {
    return exitCode.unknown;
  }
  if (isNotFound(error)) {
    return exitCode.notFound;
  }
  if (!(error instanceof BrowserInfraError)) {
    return exitCode.failed;
  }
  if (error.code === "name_not_found") {
    return exitCode.notFound;
  }
  return error.code === declinedCode ? exitCode.declined : exitCode.failed;
}
