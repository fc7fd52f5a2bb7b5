/** Where a command reads and writes, and what the terminal there can show. */
import { styleText } from "node:util";
import { CheckedOutput, type OutputStream } from "./checked-output.js";

/** What the command line reads from and writes to. `process` has this shape; tests pass theirs. */
export interface ProcessStreams {
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** What a command reads from and writes to. */
export interface Streams extends Pick<ProcessStreams, "stdin" | "env"> {
  /** For the result and nothing else. */
  readonly stdout: CheckedOutput;
  /** For everything beside the result: progress, questions, errors. */
  readonly stderr: CheckedOutput;
}

/** Streams whose output notices when text is lost. */
export function checkedStreams({ stdin, stdout, stderr, env }: ProcessStreams): Streams {
  return { stdin, stdout: new CheckedOutput(stdout), stderr: new CheckedOutput(stderr), env };
}

/** How text can look. */
export type Style = "bold" | "dim" | "red" | "green" | "yellow";

/** Gives text a style, or returns it unchanged where nothing is styled. */
export type Paint = (style: Style, text: string) => string;

/**
 * Colors for one stream: only in a terminal that shows them, and never when `NO_COLOR` is set to a
 * non-empty string. Node alone would let `FORCE_COLOR` override both. Source: the NO_COLOR
 * convention.
 */
export function painter(output: CheckedOutput, env: Streams["env"]): Paint {
  const colored = (env.NO_COLOR ?? "") === "" && output.hasColors(env);
  return (style, text) => (colored ? styleText(style, text, { validateStream: false }) : text);
}

/** Whether standard error is a terminal that can redraw a line. */
export function canRedraw({ stderr, env }: Pick<Streams, "stderr" | "env">): boolean {
  return stderr.isTTY && env.TERM !== "dumb";
}

/**
 * Cells that a line on standard error may fill. The last cell of a terminal's line stays free, so
 * that the line does not wrap.
 */
export function lineWidth({ stderr }: Pick<Streams, "stderr">): number {
  // Some terminals report 0 until they know their width.
  return (stderr.columns || 80) - 1;
}

/**
 * Keeps one warning off standard error, and no other: Node.js 22 warns that `node:sqlite` is
 * experimental when it is first loaded. Users of the command cannot do anything about it.
 */
export function quietSqliteWarning(): void {
  const { emitWarning } = process;
  process.emitWarning = ((...given: Parameters<typeof emitWarning>) => {
    const [warning, kind] = given;
    const type = typeof kind === "string" ? kind : (kind as NodeJS.EmitWarningOptions | undefined)?.type;
    if (type === "ExperimentalWarning" && String(warning).startsWith("SQLite is an experimental feature")) {
      return;
    }
    emitWarning.apply(process, given);
  }) as typeof emitWarning;
}
