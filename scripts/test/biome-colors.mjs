/** Without it, `biome ci` colours its output wherever it goes, and a pipeline's log fills with escape sequences. */
export const biomeColors = `--colors=${process.stdout.isTTY ? "force" : "off"}`;
