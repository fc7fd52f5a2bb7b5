import type { Paint, Style } from "./streams.js";
import { cutToWidth, displayText, displayWidth } from "./text.js";

/** Space between two columns. */
const gap = "  ";

/** Minimum width that a column is cut to, in cells. */
const cutWidthMin = 10;

/** Value with a style. `text`: as sent by the service; the table escapes the text. */
export interface Cell {
  readonly text: string;
  readonly style?: Style | undefined;
}

/** Content of a cell: styled or plain text; null if the service does not report the value. */
export type CellContent = Cell | string | null;

/** Words in place of a value. */
export function dim(text: string): Cell {
  return { text, style: "dim" };
}

/** Name of a record; "(none)" without a name. */
export function nameCell({ name }: { readonly name: string | null }): CellContent {
  return name ?? dim("(none)");
}

/** Fact that is true or false; null if the service does not report the fact. */
export function yesOrNo(value: boolean | null): string | null {
  return value === null ? null : value ? "yes" : "no";
}

/** Column of a table. Default: aligned left and never cut, so that ids can be copied. */
export interface Column<Row> {
  readonly header: string;
  readonly cell: (row: Row) => CellContent;
  /** `right` for numbers. */
  readonly align?: "right";
  /** Whether a narrow terminal may cut the text. Default: false. */
  readonly cutWhenNarrow?: boolean;
  /** Whether a narrow terminal may omit the column. Default: false. */
  readonly hideWhenNarrow?: boolean;
}

export interface Layout {
  /** Width of a line in cells; undefined where nothing is cut, as in a file. */
  readonly columns: number | undefined;
  readonly paint: Paint;
}

/**
 * Rows as a table with aligned columns; every line ends in a line break. In a terminal that is too
 * narrow, the longest texts are cut first, then columns are omitted, starting at the right. If the
 * table still does not fit, every row becomes a block with a line per column.
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

export type Field = readonly [label: string, value: CellContent];

/** Fields, a line per field; every line ends in a line break. Nothing is cut. */
export function fieldsText(fields: readonly Field[], paint: Paint): string {
  const width = Math.max(...fields.map(([label]) => displayWidth(label)));
  return fields
    .map(([label, cell]) => {
      const padding = " ".repeat(width - displayWidth(label));
      return `${paint("bold", label)}${padding}${gap}${painted(displayable(cell), paint)}\n`;
    })
    .join("");
}

/** Column with escaped cells, the header first, and with the required width. */
function layOut<Row>({ header, cell, align, cutWhenNarrow = false }: Column<Row>, rows: readonly Row[]) {
  const cells: Cell[] = [{ text: header, style: "bold" }, ...rows.map((row) => displayable(cell(row)))];
  const width = cells.reduce((widest, { text }) => Math.max(widest, displayWidth(text)), 0);
  return { align, cutWhenNarrow, cells, width, widthMin: Math.max(cutWidthMin, displayWidth(header)) };
}

type LaidOutColumn = ReturnType<typeof layOut>;

function displayable(shown: CellContent): Cell {
  const cell = typeof shown === "string" ? { text: shown } : (shown ?? dim("unknown"));
  return { ...cell, text: displayText(cell.text) };
}

function painted({ text, style }: Cell, paint: Paint): string {
  return style === undefined ? text : paint(style, text);
}

/** Narrows the cuttable columns until all columns fit. Returns false if the table is too wide. */
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
