/**
 * Node.js 22 announces `node:sqlite` as experimental on standard error when it is loaded. Users of the command cannot act on that, so
 * this one warning is dropped, and no other. Imported for its effect, before anything that loads `node:sqlite`.
 */
const emitWarning = process.emitWarning;

process.emitWarning = ((...given: Parameters<typeof emitWarning>) => {
  const [warning, kind] = given;
  const type = typeof kind === "string" ? kind : (kind as NodeJS.EmitWarningOptions | undefined)?.type;
  if (type === "ExperimentalWarning" && String(warning).startsWith("SQLite is an experimental feature")) {
    return;
  }
  emitWarning.apply(process, given);
}) as typeof emitWarning;
