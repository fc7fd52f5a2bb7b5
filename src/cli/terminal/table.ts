import type { Paint, Style } from "./paint.js";
import { cutToWidth, displayText, displayWidth } from "./text.js";

/** Cells between two columns. */
const gap = "  ";

/** Cells a column is cut to at the least. */
const cutWidthMin = 10;

/** One value: text as it came, made fit for a terminal here, and how it looks. */
export interface Cell {
  readonly text: string;
  readonly style?: Style | undefined;
}

/** One column of a table. */
export interface Column<Row> {
  readonly header: string;
  readonly cell: (row: Row) => Cell | string;
  /** Numbers stand at the right. Default: at the left. */
  readonly align?: "right";
  /** What becomes of it in a narrow terminal: its text is cut, or all of it is left out. Default: it stays whole, so that ids can be copied. */
  readonly whenNarrow?: "cut" | "omit";
}

/** What a table is laid out for. */
export interface Layout {
  /** Cells of a line; undefined where nothing is cut, as in a file. */
  readonly columns: number | undefined;
  readonly paint: Paint;
}

/** A column with its header and its cells, made fit for a terminal. */
interface Strip extends Pick<Column<never>, "align" | "whenNarrow"> {
  readonly cells: readonly Cell[];
  readonly widthMin: number;
  width: number;
}

/**
 * Rows as a table, each line ended, columns aligned by the cells that text takes. In a terminal that is too narrow, texts are cut, the longest
 * first, then columns are left out from the right. Where that is not enough, each row becomes a block with a line for every column.
 */
export function tableText<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  { columns: available, paint }: Layout,
): string {
  let shown = columns;
  for (;;) {
    const strips = shown.map((column) => stripOf(column, rows));
    if (available === undefined || shrink(strips, available)) {
      return lines(strips, rows.length, paint);
    }
    const omitted = shown.findLastIndex(({ whenNarrow }) => whenNarrow === "omit");
    if (omitted === -1) {
      break;
    }
    shown = shown.toSpliced(omitted, 1);
  }
  return rows
    .map((row) =>
      fieldsText(
        columns.map(({ header, cell }) => [header, cell(row)]),
        paint,
      ),
    )
    .join("\n");
}

/** Labels and values below each other, each line ended. Nothing is cut. */
export function fieldsText(
  fields: readonly (readonly [label: string, Cell | string])[],
  paint: Paint,
): string {
  const width = Math.max(...fields.map(([label]) => displayWidth(label)));
  return fields
    .map(([label, cell]) => {
      const padding = " ".repeat(width - displayWidth(label));
      return `${paint("bold", label)}${padding}${gap}${painted(displayable(cell), paint)}\n`;
    })
    .join("");
}

function stripOf<Row>({ header, cell, ...rest }: Column<Row>, rows: readonly Row[]): Strip {
  const cells = [{ text: header, style: "bold" } as const, ...rows.map((row) => displayable(cell(row)))];
  const width = cells.reduce((widest, { text }) => Math.max(widest, displayWidth(text)), 0);
  return { ...rest, cells, width, widthMin: Math.max(cutWidthMin, displayWidth(header)) };
}

function displayable(cell: Cell | string): Cell {
  return typeof cell === "string" ? { text: displayText(cell) } : { ...cell, text: displayText(cell.text) };
}

function painted({ text, style }: Cell, paint: Paint): string {
  return style === undefined ? text : paint(style, text);
}

/** Narrows what may be cut until all fits; false when that is not enough. */
function shrink(strips: readonly Strip[], available: number): boolean {
  let excess = strips.reduce((sum, { width }) => sum + width, gap.length * (strips.length - 1)) - available;
  const cuttable = strips.filter(({ whenNarrow }) => whenNarrow === "cut");
  for (; excess > 0; excess--) {
    const [widest] = cuttable.toSorted((a, b) => b.width - a.width);
    if (widest === undefined || widest.width <= widest.widthMin) {
      return false;
    }
    widest.width--;
  }
  return true;
}

function lines(strips: readonly Strip[], rowCount: number, paint: Paint): string {
  const line = (at: number) =>
    strips.map(({ cells, width, align }, i) => {
      const cell = cells[at] ?? { text: "" };
      const text = cutToWidth(cell.text, width);
      const padding = " ".repeat(width - displayWidth(text));
      if (align === "right") {
        return padding + painted({ ...cell, text }, paint);
      }
      // The last column is not filled up: a line ends with its last character.
      return painted({ ...cell, text }, paint) + (i === strips.length - 1 ? "" : padding);
    });
  return Array.from({ length: rowCount + 1 }, (_, at) => `${line(at).join(gap)}\n`).join("");
}
