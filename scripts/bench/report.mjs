/** What keeps a figure from its target, where one is known: printed only beside a target that is missed. */
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
  latency:
    "the emulator and the consumer need a core each, and what else runs on the machine makes them wait for it; bare HTTP waits for it too, so the rest is the client's",
  waiting: "each stream has a socket of its own, with the buffers and the parser that belong to it",
};

/**
 * The report as text for a terminal or as Markdown.
 *
 * @param {object[]} rows from `benchPacking` and its like: section, name, unit, median, least, greatest, runs, and where they apply
 *   beside, note and target.
 */
export function tables(rows) {
  const sections = groupedBy(rows, ({ section }) => section);
  const head = ["", "median", "spread", "runs", "beside", "target", ""];
  return [...sections].map(([section, members]) => ({
    section,
    cells: [head, ...members.map(cellsOf)],
    missed: members.filter(({ target }) => target && !isMet(target)),
  }));
}

/** `Map.groupBy`, which the Node that starts the scripts may not have yet. */
function groupedBy(members, keyOf) {
  const groups = new Map();
  for (const member of members) {
    const key = keyOf(member);
    groups.set(key, [...(groups.get(key) ?? []), member]);
  }
  return groups;
}

function cellsOf({ name, unit, median, least, greatest, runs, beside, target, note = "" }) {
  const verdict = target ? verdictOf(target) : "";
  return [
    name,
    figure(median, unit),
    `${digits(least)} – ${digits(greatest)}`,
    String(runs),
    beside ? figure(beside.value, beside.unit) : "",
    target ? limitOf(target) : "",
    [verdict, note].filter(Boolean).join("; "),
  ];
}

function isMet({ most, below, actual }) {
  return most === undefined ? actual < below : actual <= most;
}

function limitOf({ most, below, unit }) {
  return most === undefined ? `under ${figure(below, unit)}` : `at most ${figure(most, unit)}`;
}

function verdictOf(target) {
  return isMet(target)
    ? "met"
    : `missed by ${figure(target.actual - (target.most ?? target.below), target.unit)}`;
}

function figure(value, unit) {
  return `${digits(value)} ${unit}`;
}

function digits(value) {
  const size = Math.abs(value);
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 2);
}

/** One line for each reason, with the figures it is about. */
function reasonLines(missed) {
  const byReason = groupedBy(missed, ({ target }) => target.why);
  return [...byReason].map(
    ([why, members]) => `Missed (${members.map(({ name }) => name).join("; ")}): ${reasons[why]}.`,
  );
}

/** For the screen: columns of equal width. */
export function asText(rows) {
  return tables(rows)
    .map(({ section, cells, missed }) => {
      const widths = cells[0].map((_, column) => Math.max(...cells.map((row) => row[column].length)));
      const lines = cells.map((row) =>
        row
          .map((cell, column) =>
            column === 0 || column > 3 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]),
          )
          .join("  ")
          .trimEnd(),
      );
      return [
        section,
        ...lines.map((line) => `  ${line}`),
        ...reasonLines(missed).map((line) => `  ${line}`),
      ].join("\n");
    })
    .join("\n\n");
}

/** docs/performance.md as a whole. `facts`: name and value of what the figures depend on. */
export function asMarkdown(rows, facts) {
  const sections = tables(rows).map(({ section, cells, missed }) => {
    const [head, ...body] = cells.map((row) => `| ${row.join(" | ")} |`);
    const rule = "| --- | ---: | ---: | ---: | --- | --- | --- |";
    return [
      `## ${section}`,
      "",
      head,
      rule,
      ...body,
      ...reasonLines(missed).flatMap((line) => ["", line]),
    ].join("\n");
  });
  return `# Performance

Written by \`npm run bench\`, which measures everything again and replaces this page. Every candidate runs once in each round, one after
the other, so that whatever else the machine does meets all of them; shown are the median and, as the spread, the least and the greatest
run. Ratios and differences are taken within a round, and their median is shown.

${facts.map(([name, value]) => `- ${name}: ${value}`).join("\n")}

How to read it:

- Packing is a whole process each time, bound to one core: start, reading, compressing, and the SHA-256 of the archive. The hash floor
  reads every file whole and hashes it. The folder of 20 files is what most extensions are like.
- An unchanged folder is what every preview of a known extension pays: listing, reading, hashing and comparing, without compressing.
  Both run in turns in one process, which Pulumi's provider process is as well.
- Memory is the peak of the whole process as the system counts it (\`VmHWM\`; \`maxRSS\` where there is none). Its target is 80 MB, the archive and 1.6 times the largest file.
- The latency of an event stream is taken with a clock that both processes share: when the emulator writes an event, and when the loop over
  the client's events gets it. The first second is not counted. A client that does not keep up slows the emulator down, which the events
  sent show. Bare HTTP is Node's own, with lines and \`JSON.parse\`: what the machine leaves to any client.
- The memory of streams that wait is \`VmRSS\` after the last one opened, less that before the first, with the client loaded and without
  a forced garbage collection; "peak" is the most it was in between.
- A preview is the \`pulumi preview\` command from start to end, against the emulator.

${sections.join("\n\n")}
`;
}
