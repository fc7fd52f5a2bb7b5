import { type Column, fieldsText, tableText } from "../../../src/cli/terminal/table.js";
import { displayWidth } from "../../../src/cli/terminal/text.js";

interface Row {
  readonly id: string;
  readonly name: string;
  readonly size: number;
}

const columns: readonly Column<Row>[] = [
  { header: "ID", cell: ({ id }) => id },
  { header: "NAME", cell: ({ name }) => name, cutWhenNarrow: true },
  { header: "SIZE", cell: ({ size }) => String(size), align: "right" },
  { header: "NOTE", cell: () => ({ text: "ok", style: "green" }), hideWhenNarrow: true },
];
const rows: readonly Row[] = [
  { id: "a1", name: "本番環境", size: 5 },
  { id: "b22", name: "👩‍👩‍👧 e\u0301", size: 1234 },
  { id: "c", name: "\u001b[2Jx", size: 0 },
];
const plain = (_style: string, text: string) => text;
const text = (width: number | undefined, of = rows) =>
  tableText(of, columns, { columns: width, paint: plain });

describe("table", () => {
  test("table columns start at the same cell in every line, with names in any script", () => {
    expect(text(undefined)).toBe(
      [
        "ID   NAME        SIZE  NOTE\n",
        "a1   本番環境       5  ok\n",
        "b22  👩‍👩‍👧 e\u0301        1234  ok\n",
        "c    \\u001b[2Jx     0  ok\n",
      ].join(""),
    );
    const beforeNote = text(undefined)
      .split("\n")
      .slice(1, -1)
      .map((line) => displayWidth(line.slice(0, line.lastIndexOf("ok"))));
    expect(new Set(beforeNote).size).toBe(1);
  });

  test("a table for a narrow terminal cuts names first, then hides columns, then turns rows into blocks", () => {
    const long = [{ id: "an-id-that-stays", name: "a name of thirty characters...", size: 1 }];
    const widest = (width: number) => Math.max(...text(width, long).split("\n").map(displayWidth));
    expect(text(60, long)).toBe(
      "ID                NAME                            SIZE  NOTE\nan-id-that-stays  a name of thirty characters...     1  ok\n",
    );
    expect(text(45, long)).toBe(
      "ID                NAME             SIZE  NOTE\nan-id-that-stays  a name of thir…     1  ok\n",
    );
    expect(text(36, long)).toBe(
      "ID                NAME          SIZE\nan-id-that-stays  a name of t…     1\n",
    );
    for (const width of [60, 59, 45, 40, 39, 34]) {
      expect([width, widest(width)]).toEqual([width, width]);
    }
    expect(text(30, long)).toBe(
      "ID    an-id-that-stays\nNAME  a name of thirty characters...\nSIZE  1\nNOTE  ok\n",
    );
    expect(text(10)).toContain("NOTE  ok\n\nID    b22\n");
  });

  test("colors take no width in a table", () => {
    const paint = (style: string, painted: string) => `<${style}>${painted}</>`;
    expect(tableText(rows.slice(0, 1), columns, { columns: 80, paint }).split("\n")).toEqual([
      "<bold>ID</>  <bold>NAME</>      <bold>SIZE</>  <bold>NOTE</>",
      "a1  本番環境     5  <green>ok</>",
      "",
    ]);
  });

  test("the fields of a record are printed one pair a line and never cut", () => {
    expect(
      fieldsText(
        [
          ["ID", "x"],
          ["LAST USED", { text: "a\nb", style: "dim" }],
        ],
        plain,
      ),
    ).toBe("ID         x\nLAST USED  a\\u000ab\n");
  });
});
