/** Reports of failed commands: a sentence, or with `--json` a line of JSON. */
import type { CommanderError } from "commander";
import { ApiError, BrowserInfraError, CanceledError, InputError, LoginError } from "../errors.js";
import { messageOf } from "../text/words.js";
import { exitCode, exitCodeFor } from "./exit-code.js";
import { ownPackage } from "./processes/own-package.js";
import { outputProblem } from "./terminal/checked-output.js";
import type { Interrupted } from "./terminal/interrupt.js";
import { painter, type Streams } from "./terminal/streams.js";
import { displayText, jsonText } from "./terminal/text.js";

/** Whether a command line contains `--json`. Not parsed, because the rest may be invalid. */
export function hasJsonOption(argv: readonly string[]): boolean {
  const end = argv.indexOf("--");
  return argv.slice(0, end === -1 ? argv.length : end).includes("--json");
}

/** Reports on standard error how a command failed, and decides on the exit code. */
export class FailureReporter {
  readonly #streams: Streams;
  readonly json: boolean;

  constructor(streams: Streams, json: boolean) {
    this.#streams = streams;
    this.json = json;
  }

  /** Reports a command line that Commander refused. Without `--json`, Commander printed why. */
  reportUsage({ message }: CommanderError): number {
    // The only short option is -h, so the argument is likely to be a name.
    const hint = /unknown option '-[^-]/.test(message)
      ? ' Put "--" before a name or id that begins with "-".'
      : "";
    if (this.json) {
      const why = message
        .replace(/^error: /, "")
        .trim()
        .replaceAll("\n", " ")
        .replace(/\.?$/, ".");
      const text = `${why}${hint} For the usage, run the command with --help.`;
      this.#printJson({ code: "usage_invalid", message: text, exitCode: exitCode.usage });
    } else if (hint !== "") {
      this.#streams.stderr.write(`${hint.trim()}\n`);
    }
    return exitCode.usage;
  }

  reportError(error: unknown, code = exitCodeFor(error)): number {
    if (this.json) {
      this.#printJson({ ...this.#describe(error), exitCode: code, ...detailsOf(error) });
    } else if (code === exitCode.declined) {
      // Answering no is not an error.
      this.#streams.stderr.write(`${this.#describe(error).message}\n`);
    } else {
      this.#printMessage(displayText(this.#describe(error).message));
    }
    return code;
  }

  /** Reports a command that a signal ended, with the error of the canceled work, if any. */
  reportInterruption({ cause, message, exitCode: code }: Interrupted): number {
    const { stderr } = this.#streams;
    // The terminal has shown ^C and is still on that line.
    if (stderr.isTTY) {
      stderr.write("\n");
    }
    if (!(cause instanceof CanceledError) && (cause as Error | undefined)?.name !== "AbortError") {
      return this.reportError(cause, code);
    }
    if (this.json) {
      this.#printJson({ code: "interrupted", message, exitCode: code });
    }
    return code;
  }

  /** Reports lost standard output. `code`: exit code so far. Returns the final exit code. */
  reportLostOutput(code: number): number {
    const { failure, outcomes } = this.#streams.stdout;
    // A reader may stop early (`browser-infra projects list | head -1`): no reason to fail.
    if (failure === undefined || (failure.code === "EPIPE" && outcomes === "")) {
      return code;
    }
    const ended = code === exitCode.done ? exitCode.outputLost : code;
    const what = `Standard output cannot be written: ${outputProblem(failure)}.`;
    const message =
      outcomes === ""
        ? `${what} Fix the cause, or write the output to a different place.`
        : `${what} The command itself succeeded: do not repeat the command.`;
    if (this.json) {
      const result = outcomes === "" ? {} : { result: parseOutcomes(outcomes) };
      this.#printJson({ code: "output_lost", message, exitCode: ended, ...result });
    } else {
      this.#printMessage(outcomes === "" ? message : `${message} Its result:\n${outcomes}`.trimEnd());
    }
    return ended;
  }

  #describe(error: unknown): { code: string; message: string } {
    const message = messageOf(error);
    return error instanceof BrowserInfraError
      ? { code: error.code, message }
      : {
          code: "internal_error",
          message: `${message.replace(/\.?$/, ".")} This is a bug in ${ownPackage().name}; please report it.`,
        };
  }

  #printMessage(text: string): void {
    const { stderr, env } = this.#streams;
    stderr.write(`${painter(stderr, env)("red", "error:")} ${text}\n`);
  }

  #printJson(error: { code: string; message: string; exitCode: number }): void {
    this.#streams.stderr.write(`${jsonText({ error })}\n`);
  }
}

/** Parsed result. Not JSON if `--json` was the value of an option: then the text itself. */
function parseOutcomes(outcomes: string): unknown {
  try {
    return JSON.parse(outcomes);
  } catch {
    return outcomes;
  }
}

/** Details of an error for a program, besides the code. */
function detailsOf(error: unknown): object {
  if (error instanceof InputError) {
    return { property: error.property };
  }
  if (error instanceof ApiError) {
    return { status: error.status, request: error.request };
  }
  if (error instanceof LoginError) {
    const { connectionId, flowStatus, flowStep, serviceCode, serviceMessage } = error;
    return { connectionId, flowStatus, flowStep, serviceCode, serviceMessage };
  }
  return error instanceof BrowserInfraError && "request" in error ? { request: error.request } : {};
}
