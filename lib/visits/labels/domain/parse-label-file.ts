import { type Label, LABELS } from "@/lib/contract/labels";
import type { NamedSubject } from "./parse-subject";

const MAX_ROWS = 5_000;

const COLUMNS = {
  imprint: "imprint",
  device_id: "deviceId",
  account_id: "accountId",
  account_ref: "accountRef",
} as const satisfies Record<string, keyof NamedSubject>;

type Row = { line: number; subject: NamedSubject; label: Label | null };
export type Problem = { line: number; problem: string };
export type LabelFile = { rows: Row[]; problems: Problem[] };

/**
 * Excel writes semicolons in locales with a decimal comma, and cells copied from a spreadsheet are separated by tabs. Each
 * pattern matches the next cell and what ends it, at one position only: a search would try every position of a long line.
 */
const CELLS = {
  ",": /(?: *"((?:[^"]|"")*)" *|([^",]*))(,|$)/y,
  ";": /(?: *"((?:[^"]|"")*)" *|([^";]*))(;|$)/y,
  "\t": /(?: *"((?:[^"]|"")*)" *|([^"\t]*))(\t|$)/y,
} as const;
type Separator = keyof typeof CELLS;
const SEPARATORS = Object.keys(CELLS) as Separator[]; // safe: the list is closed

/**
 * Cells of one CSV record. Quoted cells may contain separators and doubled quotes, but no line breaks (RFC 4180). Undefined
 * if a quote is neither around a cell nor doubled: what the cells are would be a guess.
 */
function cellsOf(line: string, separator: Separator): string[] | undefined {
  const cells: string[] = [];
  const pattern = CELLS[separator];
  pattern.lastIndex = 0;
  for (let cell = pattern.exec(line); cell; cell = pattern.exec(line)) {
    const [, quoted, plain, end] = cell;
    cells.push((quoted?.replaceAll('""', '"') ?? plain ?? "").trim());
    if (end === "") return cells;
  }
  return undefined;
}

const isLabel = (text: string): text is Label => (LABELS as readonly string[]).includes(text);

/** Indexes of the known columns, found once: a file can have hundreds of thousands of others. */
type Columns = ReadonlyMap<string, number>;

function readRow(cells: readonly string[] | undefined, columns: Columns, line: number): Row | Problem {
  if (!cells) return { line, problem: "a quotation mark is neither around a cell nor doubled" };
  const valueOf = (name: string) => {
    const text = cells[columns.get(name) ?? -1] ?? "";
    return text === "" ? undefined : text;
  };
  const label = valueOf("label")?.toLowerCase();
  if (label === undefined || !(label === "none" || isLabel(label)))
    return { line, problem: `label: expected ${LABELS.join(", ")} or none` };
  const subject = Object.fromEntries(
    Object.entries(COLUMNS).flatMap(([column, name]) => {
      const value = valueOf(column);
      return value === undefined ? [] : [[name, value]];
    }),
  );
  return { line, subject, label: label === "none" ? null : label };
}

const indexesOf = (names: readonly string[]): Columns =>
  new Map(
    ["label", ...Object.keys(COLUMNS)]
      .map((name) => [name, names.indexOf(name)] as const)
      .filter(([, index]) => index !== -1),
  );

/** The columns of a file and its separator, from its first line. */
function readHead(line: string) {
  const heads = SEPARATORS.map((separator) => ({
    separator,
    columns: indexesOf((cellsOf(line, separator) ?? []).map((name) => name.toLowerCase())),
  }));
  return heads.find(({ columns }) => columns.has("label") && Object.keys(COLUMNS).some((name) => columns.has(name)));
}

/**
 * Parses a CSV file with the header `label` and one or more of `imprint`, `device_id`, `account_id` and `account_ref`,
 * of which each row fills one. `none` removes a label. Returns an error message if the file as a whole is invalid.
 */
export function parseLabelFile(text: string): LabelFile | string {
  const lines = text.replace(/^\u{feff}/u, "").split(/\r\n|\n|\r/);
  const head = readHead(lines[0] ?? "");
  if (!head)
    return `The first line must name the columns: label, and one or more of ${Object.keys(COLUMNS).join(", ")}`;
  const { separator, columns } = head;
  const file: LabelFile = { rows: [], problems: [] };
  for (const [index, line] of lines.entries()) {
    if (index === 0 || line.trim() === "") continue;
    const row = readRow(cellsOf(line, separator), columns, index + 1);
    if ("problem" in row) file.problems.push(row);
    else file.rows.push(row);
    if (file.rows.length + file.problems.length > MAX_ROWS)
      return `A file can have at most ${MAX_ROWS.toLocaleString("en")} rows, so split it`;
  }
  return file;
}
