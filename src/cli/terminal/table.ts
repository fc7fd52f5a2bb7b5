import type { Paint, Style } from "./streams.js";
import { cutToWidth, displayText, displayWidth } from "./text.js";

/** Space between two columns. */
const gap = "  ";

/** Minimum width that a column is cut to, in cells. */
const cutWidthMin = 10;

/** One value: text as the service sent it, which the table escapes, and its style. */
export interface Cell {
  readonly text: string;
  readonly style?: Style | undefined;
}

/** What a cell shows: text without a style, or null for what the service does not tell. */
export type Shown = Cell | string | null;

/** The name of something that may have none. */
export function nameCell({ name }: { readonly name: string | null }): Shown {
  return name ?? { text: "(none)", style: "dim" };
}

/** One column of a table. By default it is aligned left and complete, so that ids can be copied. */
export interface Column<Row> {
  readonly header: string;
  readonly cell: (row: Row) => Shown;
  /** `right` for numbers. */
  readonly align?: "right";
  /** Whether a narrow terminal may cut its text. Default: false. */
  readonly cutWhenNarrow?: boolean;
  /** Whether a narrow terminal may leave the column out. Default: false. */
  readonly hideWhenNarrow?: boolean;
}

/** What a table is laid out for. */
export interface Layout {
  /** Width of a line in cells; undefined where nothing is cut, as in a file. */
  readonly columns: number | undefined;
  readonly paint: Paint;
}

/**
 * Rows as a table with aligned columns; every line ends in a line break. In a terminal that is too
 * narrow, the longest texts are cut first, then columns are left out, starting at the right. If
 * that is not enough, each row becomes a block with one line for each column.
 */
export function tableText<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  { columns: available, paint }: Layout,
): string {
  let shown = columns;
  for (;;) {
    const laidOut = shown.map((column) => layOut(column, rows));
    if (available === undefined || shrink(laidOut, available)) {
      return lines(laidOut, rows.length, paint);
    }
    const hidden = shown.findLastIndex(({ hideWhenNarrow }) => hideWhenNarrow);
    if (hidden === -1) {
      break;
    }
    shown = shown.toSpliced(hidden, 1);
  }
  const fieldsOf = (row: Row) => columns.map(({ header, cell }) => [header, cell(row)] as const);
  return rows.map((row) => fieldsText(fieldsOf(row), paint)).join("\n");
}

/** A label with its value. */
export type Field = readonly [label: string, value: Shown];

/** Fields, one a line; every line ends in a line break. Nothing is cut. */
export function fieldsText(fields: readonly Field[], paint: Paint): string {
  const width = Math.max(...fields.map(([label]) => displayWidth(label)));
  return fields
    .map(([label, cell]) => {
      const padding = " ".repeat(width - displayWidth(label));
      return `${paint("bold", label)}${padding}${gap}${painted(displayable(cell), paint)}\n`;
    })
    .join("");
}

/** A column with its escaped cells, the header being the first, and the width it needs. */
function layOut<Row>({ header, cell, align, cutWhenNarrow = false }: Column<Row>, rows: readonly Row[]) {
  const cells: Cell[] = [{ text: header, style: "bold" }, ...rows.map((row) => displayable(cell(row)))];
  const width = cells.reduce((widest, { text }) => Math.max(widest, displayWidth(text)), 0);
  return { align, cutWhenNarrow, cells, width, widthMin: Math.max(cutWidthMin, displayWidth(header)) };
}

type LaidOutColumn = ReturnType<typeof layOut>;

function displayable(shown: Shown): Cell {
  const cell = typeof shown === "string" ? { text: shown } : (shown ?? { text: "unknown", style: "dim" });
  return { ...cell, text: displayText(cell.text) };
}

function painted({ text, style }: Cell, paint: Paint): string {
  return style === undefined ? text : paint(style, text);
}

/** Narrows the columns that may be cut until all fit. Returns false when that is not enough. */
function shrink(columns: readonly LaidOutColumn[], available: number): boolean {
  let excess = columns.reduce((sum, { width }) => sum + width, gap.length * (columns.length - 1)) - available;
  const cuttable = columns.filter(({ cutWhenNarrow }) => cutWhenNarrow);
  for (; excess > 0; excess--) {
    const [widest] = cuttable.toSorted((a, b) => b.width - a.width);
    if (widest === undefined || widest.width <= widest.widthMin) {
      return false;
    }
    widest.width--;
  }
  return true;
}

function lines(columns: readonly LaidOutColumn[], rowCount: number, paint: Paint): string {
  const line = (at: number) =>
    columns.map(({ cells, width, align }, i) => {
      const cell = cells[at] ?? { text: "" };
      const text = cutToWidth(cell.text, width);
      const padding = " ".repeat(width - displayWidth(text));
      if (align === "right") {
        return padding + painted({ ...cell, text }, paint);
      }
      // No padding after the last column: a line ends with its last character.
      return painted({ ...cell, text }, paint) + (i === columns.length - 1 ? "" : padding);
    });
  return Array.from({ length: rowCount + 1 }, (_, at) => `${line(at).join(gap)}\n`).join("");
}
