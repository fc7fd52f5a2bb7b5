/** What an error says of itself once the engine is told of it another way. */
const reported = "(reported to the engine)";

/**
 * Pulumi's dynamic provider process prints every error of check, diff, read and delete with its stack, beside answering the
 * engine with it: the person who deploys would read each twice, the first time under the stack. This leaves the message, which
 * goes to the engine, as it is and makes the printed text one that {@link silenceEchoes} knows.
 */
export function withoutEcho(error: unknown): unknown {
  if (error instanceof Error) {
    error.stack = "";
    error.toString = () => reported;
  }
  return error;
}

/** Drops exactly the lines that {@link withoutEcho} has made, and no others. */
export function silenceEchoes(console: Pick<Console, "error">): void {
  const print = console.error.bind(console);
  console.error = (...items: unknown[]) => {
    if (items.length !== 1 || items[0] !== `${reported}: `) {
      print(...items);
    }
  };
}
