/**
 * The target of a row: at most `most`. `why`: the reason to print beside a missed target.
 *
 * @typedef {{ most: number, unit: string, actual: number, why: string }} Target
 */

/**
 * A row of the report.
 *
 * @typedef {object} Row
 * @property {string} section
 * @property {string} name
 * @property {string} unit
 * @property {number} median
 * @property {number} least
 * @property {number} greatest
 * @property {number} runs
 * @property {string} [beside] comparison with another row.
 * @property {string} [note]
 * @property {Target} [target]
 */

/**
 * Name and value of a condition of the figures.
 *
 * @typedef {readonly [name: string, value: string]} Fact
 */

/**
 * Tables of the report in Markdown, one per section, with columns of equal width.
 *
 * @param {readonly Row[]} rows
 */
export function asTables(rows) {
  const sections = [...new Set(rows.map(({ section }) => section))];
  return sections
    .map((section) => {
      const members = rows.filter((row) => row.section === section);
      const cells = [["", "median", "spread", "runs", "beside", "target", ""], ...members.map(cellsOf)];
      const widths = cells[0]?.map((_, column) =>
        Math.max(3, ...cells.map((row) => row[column]?.length ?? 0)),
      );
      const [head, ...body] = cells.map(
        (row) => `| ${row.map((cell, column) => cell.padEnd(widths?.[column] ?? 0)).join(" | ")} |`,
      );
      const rule = `| ${widths?.map((width) => "-".repeat(width)).join(" | ")} |`;
      return [`## ${section}`, "", head, rule, ...body].join("\n");
    })
    .join("\n\n");
}

/**
 * Missed targets as a list in Markdown, by reason.
 *
 * @param {readonly Row[]} rows
 */
function asReasons(rows) {
  const missed = rows.filter(({ target }) => target && !isMet(target));
  return [...new Set(missed.map(({ target }) => target?.why))]
    .map((why) => {
      const names = missed
        .filter(({ target }) => target?.why === why)
        .map(({ section, name }) => `${section.replace(/:.*/, "")}, ${name}`);
      return `- ${[...new Set(names)].join("; ")}: ${why}.`;
    })
    .join("\n");
}

/** @param {Row} row */
function cellsOf({ name, unit, median, least, greatest, runs, beside = "", target, note = "" }) {
  return [
    name,
    figure(median, unit),
    `${digits(least)} – ${digits(greatest)}`,
    String(runs),
    beside,
    target ? `at most ${figure(target.most, target.unit)}` : "",
    [target ? verdictOf(target) : "", note].filter(Boolean).join("; "),
  ];
}

/** @param {Target} target */
function isMet({ most, actual }) {
  return actual <= most;
}

/** @param {Target} target */
function verdictOf(target) {
  return isMet(target) ? "met" : `missed by ${figure(target.actual - target.most, target.unit)}`;
}

/**
 * A value with the unit, such as `0.95 × zip -6`.
 *
 * @param {number} value
 * @param {string} unit
 */
export function figure(value, unit) {
  return `${digits(value)} ${unit}`;
}

/** @param {number} value */
function digits(value) {
  const size = Math.abs(value);
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 2);
}

/**
 * The text of docs/maintainers/performance.md.
 *
 * @param {readonly Row[]} rows
 * @param {readonly Fact[]} facts
 */
export function asMarkdown(rows, facts) {
  return `# Performance

\`npm run bench\` measures everything again and replaces this page. In each round, every candidate runs once, one after the other, so that
other work on the machine meets all candidates. The tables show the median, and as the spread the least and the greatest run. Ratios and
differences are taken within a round, and the tables show the median.

${facts.map(([name, value]) => `- ${name}: ${value}`).join("\n")}

How to read the tables:

- Packing is a whole process each time, bound to one core: start, reading, compressing, and the SHA-256 of the archive. The hash floor
  reads every file whole and hashes the file. The folders have the scripts and the type declarations of the packages in the clone. Most
  extensions are like the folder of 200 KB. Peak memory is that of the whole process (\`VmHWM\`; \`maxRSS\` elsewhere).
- Every preview checks the folder of each known extension: the unchanged folder is listed, read, hashed and compared, without
  compressing. Check and hash floor alternate in one process, because Pulumi's provider process is one process too.
- The latency of an event stream is the time from the emulator's write to the loop over the client's events. The first second is not
  counted. Bare HTTP is Node's own, with lines and \`JSON.parse\`: the least that any client needs on this machine.
- A preview is the \`pulumi preview\` command from start to end, against the emulator, and so is \`pulumi up\`. The peer is a dynamic
  resource with the same outputs and a provider that does nothing.
- Requests are counted by the emulator, from the start of the command to its end.

${asTables(rows)}

## Why targets are missed

${asReasons(rows)}
`;
}
