type Cell = unknown;
export type Row = Record<string, Cell>;

/** Control characters in stored text could inject terminal escapes. */
const printable = (text: string) => text.replaceAll(/[\p{Cc}\p{Cf}]/gu, "?");

/** The same for a text of several lines. */
export const printableText = (text: string) => text.replaceAll(/(?![\t\n\r])[\p{Cc}\p{Cf}]/gu, "?");

function cellText(value: Cell): string {
  if (value === null || value === undefined || value === "") return "-";
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.length === 0 ? "-" : value.map(cellText).join(", ");
  return printable(typeof value === "string" ? value : JSON.stringify(value));
}

/** Renders rows as lines of aligned cells. */
function renderLines(lines: readonly (readonly string[])[], widths: readonly number[]): string {
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** A table whose rows come in parts: the first part decides the columns and their widths. */
export function createTable(): (rows: readonly Row[]) => string {
  let [names, widths]: [string[], number[]] = [[], []];
  return (rows) => {
    const isFirst = names.length === 0;
    if (isFirst) names = Object.keys(rows[0] ?? {});
    const lines = rows.map((row) => names.map((name) => cellText(row[name])));
    if (!isFirst) return renderLines(lines, widths);
    lines.unshift(names);
    // Not as arguments of one call: 100,000 of them exceed the stack.
    widths = names.map((_, column) => lines.reduce((widest, line) => Math.max(widest, (line[column] ?? "").length), 0));
    return renderLines(lines, widths);
  };
}

const isRows = (value: unknown): value is Row[] =>
  Array.isArray(value) && value.every((row) => typeof row === "object" && row !== null && !(row instanceof Date));

/** Renders lists of rows as tables and other values as lines of name and value. */
export function renderResult(result: Row): string {
  const blocks = Object.entries(result).map(([name, value]) => {
    if (!isRows(value) || value.length === 0) return `${name}: ${cellText(value)}`;
    return Object.keys(result).length === 1 ? createTable()(value) : `${name}:\n${createTable()(value)}`;
  });
  return `${blocks.join("\n")}\n`;
}
