import { isNotFound, LoginError, type LoginErrorCode } from "../client/index.js";
import { BrowserInfraError, ConfigError, InputError, OutcomeUnknownError } from "../errors.js";

/** What the command line ends with. Frozen: scripts compare with these numbers. */
export const exitCode = {
  /** It did what it was asked to. */
  done: 0,
  /** It failed at its work. */
  failed: 1,
  /** The command line or a setting cannot be used as it is. */
  usage: 2,
  /** What it was asked for does not exist. */
  notFound: 3,
  /** The question was not answered with yes, so nothing was done. */
  declined: 4,
  /** A write was sent, and whether it was carried out is not known. */
  unknown: 5,
  /** The login that was followed failed. */
  loginFailed: 6,
  /** The login that was followed expired. */
  loginExpired: 7,
  /** The login that was followed was canceled at the service. */
  loginCanceled: 8,
  /** The login that was followed was not over in time, or none began. */
  loginTimedOut: 9,
} as const;

/** The exit codes for `--help`. */
export const exitCodesText = `
Exit codes:
  0    done
  1    failed
  2    the command line or a setting cannot be used as it is
  3    what was asked for does not exist
  4    the question was not answered with yes; nothing was done
  5    a write was sent, and whether it was carried out is not known
  6    the login failed (login follow)
  7    the login expired (login follow)
  8    the login was canceled at the service (login follow)
  9    the login was not over in time, or none began (login follow)
  130  ended by Ctrl+C (143: by SIGTERM)`;

/** Code of the error that a question which was not answered with yes ends with. */
export const declinedCode = "declined";

const loginCodes: Readonly<Record<LoginErrorCode, number>> = {
  login_failed: exitCode.loginFailed,
  login_expired: exitCode.loginExpired,
  login_canceled: exitCode.loginCanceled,
  login_timed_out: exitCode.loginTimedOut,
  login_not_begun: exitCode.loginTimedOut,
  // Nobody knows how the login ends.
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
