/**
 * The target of a row: at most `most`. `why`: the name of a reason.
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
 * @property {{ value: number, unit: string }} [beside]
 * @property {string} [note]
 * @property {Target} [target]
 */

/**
 * Name and value of a condition of the figures.
 *
 * @typedef {readonly [name: string, value: string]} Fact
 */

/**
 * Reasons for missed targets, by name. Printed only beside a missed target.
 *
 * @type {Readonly<Record<string, string>>}
 */
const reasons = {
  packing:
    "Node's start and the compiling of the compressor are a fixed cost that a small folder does not outweigh",
  unchanged:
    "a check also lists and compares names, times and the manifest, which a folder of many small files shows most",
  memory:
    "Node and the package take about 55 MB before the first file, and the whole archive is held in memory",
  load: "the package loads more than its resource classes, or the disk was busy",
  declare: "the SDK's own work for each resource is most of it",
  preview:
    "the first dynamic resource starts Pulumi's provider process, which loads the SDK and the provider; each further one costs the engine's calls",
  pluginPreview:
    "the plugin starts once for a preview, and what it shares with the engine and the SDK differs from run to run",
  start: "Node's own start is most of it",
  resident:
    "the pages of Node's own file that happen to be in memory count too, and the system shares them and can drop them",
  latency:
    "the emulator and the consumer need a core each, and what else runs on the machine makes them wait for it; bare HTTP waits for it too, so the rest is the client's",
  events: "every event is also checked, given our own names and compared with the one before",
  waiting: "each stream has a socket of its own, with the buffers and the parser that belong to it",
};

/**
 * Tables of the report in Markdown, one per section, with columns of equal width.
 *
 * @param {readonly Row[]} rows
 */
export function asTables(rows) {
  const sections = groupedBy(rows, ({ section }) => section);
  return [...sections]
    .map(([section, members]) => {
      const cells = [["", "median", "spread", "runs", "beside", "target", ""], ...members.map(cellsOf)];
      const widths = (cells[0] ?? []).map((_, column) =>
        Math.max(3, ...cells.map((row) => row[column]?.length ?? 0)),
      );
      const isRight = (/** @type {number} */ column) => column > 0 && column < 4;
      const [head, ...body] = cells.map((row) => {
        const padded = row.map((cell, column) =>
          isRight(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
        );
        return `| ${padded.join(" | ")} |`;
      });
      const rules = widths.map((width, column) => "-".repeat(width - 1) + (isRight(column) ? ":" : "-"));
      const missed = members.filter(({ target }) => target && !isMet(target));
      const lines = reasonLines(missed).flatMap((line) => ["", line]);
      return [`## ${section}`, "", head, `| ${rules.join(" | ")} |`, ...body, ...lines].join("\n");
    })
    .join("\n\n");
}

/**
 * `Map.groupBy`, which the Node that starts the scripts may lack.
 *
 * @template Member
 * @param {readonly Member[]} members
 * @param {(member: Member) => string} keyOf
 */
function groupedBy(members, keyOf) {
  /** @type {Map<string, Member[]>} */
  const groups = new Map();
  for (const member of members) {
    const key = keyOf(member);
    groups.set(key, [...(groups.get(key) ?? []), member]);
  }
  return groups;
}

/** @param {Row} row */
function cellsOf({ name, unit, median, least, greatest, runs, beside, target, note = "" }) {
  const verdict = target ? verdictOf(target) : "";
  return [
    name,
    figure(median, unit),
    `${digits(least)} – ${digits(greatest)}`,
    String(runs),
    beside ? figure(beside.value, beside.unit) : "",
    target ? `at most ${figure(target.most, target.unit)}` : "",
    [verdict, note].filter(Boolean).join("; "),
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
 * @param {number} value
 * @param {string} unit
 */
function figure(value, unit) {
  return `${digits(value)} ${unit}`;
}

/** @param {number} value */
function digits(value) {
  const size = Math.abs(value);
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 2);
}

/**
 * Lines with a reason and the names of the rows.
 *
 * @param {readonly Row[]} missed
 */
function reasonLines(missed) {
  const byReason = groupedBy(missed, ({ target }) => target?.why ?? "");
  return [...byReason].map(
    ([why, members]) => `Missed (${members.map(({ name }) => name).join("; ")}): ${reasons[why]}.`,
  );
}

/**
 * The text of docs/maintainers/performance.md.
 *
 * @param {readonly Row[]} rows
 * @param {readonly Fact[]} facts
 */
export function asMarkdown(rows, facts) {
  return `# Performance

Written by \`npm run bench\`, which measures everything again and replaces this page. Every candidate runs once in each round, one after
the other, so that whatever else the machine does meets all of them; shown are the median and, as the spread, the least and the greatest
run. Ratios and differences are taken within a round, and their median is shown.

${facts.map(([name, value]) => `- ${name}: ${value}`).join("\n")}

How to read it:

- Packing is a whole process each time, bound to one core: start, reading, compressing, and the SHA-256 of the archive. Every process of
  Node has V8's compile cache, as the plugin does. The hash floor reads every file whole and hashes it. The folder of 20 files is what
  most extensions are like. The folders of packages have the scripts and the type declarations of the packages in the clone.
- An unchanged folder is what every preview of a known extension pays: listing, reading, hashing and comparing, without compressing.
  Both run in turns in one process, which Pulumi's provider process is as well.
- Memory is the peak of the whole process as the system counts it (\`VmHWM\`; \`maxRSS\` where there is none). Its target is 80 MB, the archive and 1.6 times the largest file.
- The latency of an event stream is taken with a clock that both processes share: when the emulator writes an event, and when the loop over
  the client's events gets it. The first second is not counted. A client that does not keep up slows the emulator down, which the events
  sent show. Bare HTTP is Node's own, with lines and \`JSON.parse\`: what the machine leaves to any client.
- The memory of streams that wait is \`VmRSS\` after the last one opened, less that before the first, with the client loaded and without
  a forced garbage collection; "peak" is the most it was in between.
- The start of a provider's process is measured as the engine starts it: its command, its port, Configure, and the answer to the first Check
  of a small extension. Its memory is \`VmRSS\` after 50 more answers. The executable is read from the disk again first, as after a
  restart: of a file that was just written, the system counts some 30 MB more.
- A preview is the \`pulumi preview\` command from start to end, against the emulator.

${asTables(rows)}
`;
}
