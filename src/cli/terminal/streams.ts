/** Input and output of a command, and abilities of the terminal. */
import { styleText } from "node:util";
import { CheckedOutput, type OutputStream } from "./checked-output.js";

/** Streams and environment of the process. `process` has this shape; tests pass fakes. */
export interface ProcessStreams {
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface Streams extends Pick<ProcessStreams, "stdin" | "env"> {
  /** Output for the result only. */
  readonly stdout: CheckedOutput;
  /** Output for everything besides the result: progress, questions, errors. */
  readonly stderr: CheckedOutput;
}

/** Wraps the streams of the process, so that lost output is noticed. */
export function checkedStreams({ stdin, stdout, stderr, env }: ProcessStreams): Streams {
  return { stdin, stdout: new CheckedOutput(stdout), stderr: new CheckedOutput(stderr), env };
}

export type Style = "bold" | "dim" | "red" | "green" | "yellow";

/** Gives text a style, or returns the text unchanged where nothing is styled. */
export type Paint = (style: Style, text: string) => string;

/** Colors in a terminal, unless `NO_COLOR` is set: checked here, because in Node `FORCE_COLOR` wins. */
export function painter(output: CheckedOutput, env: Streams["env"]): Paint {
  const colored = (env.NO_COLOR ?? "") === "" && output.hasColors(env);
  return (style, text) => (colored ? styleText(style, text, { validateStream: false }) : text);
}

/** Whether standard error is a terminal that can redraw a line. */
export function canRedraw({ stderr, env }: Pick<Streams, "stderr" | "env">): boolean {
  return stderr.isTTY && env.TERM !== "dumb";
}

/** Cells that a line on standard error may fill. The last cell stays free: no line may wrap. */
export function lineWidth({ stderr }: Pick<Streams, "stderr">): number {
  // Some terminals report 0 until the width is known.
  return (stderr.columns || 80) - 1;
}

/** Keeps the warning of Node.js 22 about `node:sqlite` off standard error. */
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
