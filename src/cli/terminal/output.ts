import { painter, type Streams } from "./streams.js";
import { type Column, type Field, fieldsText, type Layout, tableText } from "./table.js";
import { jsonText } from "./text.js";

/** Prints the result of a command: as text, or with `--json` as a single JSON document. */
export class Output {
  readonly #streams: Streams;
  readonly json: boolean;

  constructor(streams: Streams, json: boolean) {
    this.#streams = streams;
    this.json = json;
  }

  get layout(): Layout {
    const { stdout, env } = this.#streams;
    return { columns: stdout.isTTY ? stdout.columns : undefined, paint: painter(stdout, env) };
  }

  /** Prints a result as JSON or as `text`. `text` ends in a line break. */
  print(value: unknown, text: string): void {
    this.#streams.stdout.write(this.#resultText(value, text));
  }

  /** Prints an outcome, on standard error if standard output cannot be written. */
  printOutcome(value: unknown, shown: string | readonly Field[]): void {
    const text = typeof shown === "string" ? shown : fieldsText(shown, this.layout.paint);
    this.#streams.stdout.writeOutcome(this.#resultText(value, text));
  }

  /** Prints a result as JSON or as labels with values. */
  printFields(value: unknown, fields: readonly Field[]): void {
    this.print(value, fieldsText(fields, this.layout.paint));
  }

  /** Prints a list as a JSON array or as a table. For an empty table, remarks `whenEmpty`. */
  printRows<Row>(rows: readonly Row[], columns: readonly Column<Row>[], whenEmpty: string): void {
    if (rows.length === 0) {
      this.remark(whenEmpty);
    }
    this.print(rows, rows.length === 0 ? "" : tableText(rows, columns, this.layout));
  }

  /** Prints a remark besides the result, on standard error. Prints nothing with `--json`. */
  remark(text: string): void {
    if (!this.json) {
      this.#streams.stderr.write(`${text}\n`);
    }
  }

  #resultText(value: unknown, text: string): string {
    return this.json ? `${jsonText(value, 2)}\n` : text;
  }
}
