/** Where a command writes. `process.stdout` and `process.stderr` are such. */
export interface OutputStream extends NodeJS.WritableStream {
  /** True when a person looks at it. */
  readonly isTTY?: boolean;
  /** Width of the terminal in cells; undefined when it is none. */
  readonly columns?: number;
  /** Bits of colour that the terminal shows in this environment; 1 for none. */
  getColorDepth?(env?: object): number;
}

/** What a command reads from and writes to. `process` is such; tests pass their own. */
export interface Streams {
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  /** The result, and nothing else. */
  readonly stdout: OutputStream;
  /** What is said beside the result: progress, questions, errors. */
  readonly stderr: OutputStream;
  readonly env: Readonly<Record<string, string | undefined>>;
}
