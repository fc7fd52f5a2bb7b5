/** The folder above this one: the package's own code. With the separator at its end. */
const packageFolder = __dirname.replace(/[^/\\]+$/, "");

/** Lines of a stack that nobody looks for: those of this package, of installed ones and of Node. */
function isOfTheProgram(line: string): boolean {
  return !line.includes(packageFolder) && !/[/\\]node_modules[/\\]|\(node:|at node:/.test(line);
}

/** Where the program is right now, as lines of a stack trace, each after a line break. Empty when only packages are under way. */
export function callingLines(): string {
  const [, ...lines] = new Error().stack?.split("\n") ?? [];
  return lines
    .filter(isOfTheProgram)
    .map((line) => `\n${line}`)
    .join("");
}
