/** Where a command reads and writes, and what the terminal there can show. */
import { styleText } from "node:util";

/** Where a command writes. `process.stdout` and `process.stderr` are such streams. */
interface OutputStream extends NodeJS.WritableStream {
  /** True for a terminal, where a person reads. */
  readonly isTTY?: boolean;
  /** Width of the terminal in cells; undefined for a file or a pipe. */
  readonly columns?: number;
  /** Bits of color that the terminal can show in this environment; 1 means no color. */
  getColorDepth?(env?: object): number;
}

/** What a command reads from and writes to. `process` has this shape; tests pass their own. */
export interface Streams {
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  /** For the result and nothing else. */
  readonly stdout: OutputStream;
  /** For everything beside the result: progress, questions, errors. */
  readonly stderr: OutputStream;
  readonly env: Readonly<Record<string, string | undefined>>;
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
export function painter(stream: OutputStream, env: Streams["env"]): Paint {
  const colored =
    stream.isTTY === true && (env.NO_COLOR ?? "") === "" && (stream.getColorDepth?.(env) ?? 1) > 1;
  return (style, text) => (colored ? styleText(style, text, { validateStream: false }) : text);
}

/** Whether standard error is a terminal that can redraw a line. */
export function canRedraw({ stderr, env }: Pick<Streams, "stderr" | "env">): boolean {
  return stderr.isTTY === true && env.TERM !== "dumb";
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
