/** One row by column name; SQL NULL becomes null. */
export type SqlRow = Record<string, string | null>;

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", "0": "\0" };

/** Parses one tuple `(…)` that starts at `from`; returns its values and the position after it. */
function readTuple(sql: string, from: number): { values: (string | null)[]; end: number } {
  const values: (string | null)[] = [];
  let at = from + 1;
  while (at < sql.length) {
    while (/\s/.test(sql[at] ?? "")) at += 1;
    if (sql[at] === "'") {
      let text = "";
      for (at += 1; at < sql.length; at += 1) {
        const character = sql[at] ?? "";
        if (character === "\\") text += ESCAPES[sql[(at += 1)] ?? ""] ?? sql[at] ?? "";
        else if (character !== "'") text += character;
        else if (sql[at + 1] === "'") text += sql[(at += 1)] ?? "";
        else break;
      }
      values.push(text);
      at += 1;
    } else {
      const end = sql.slice(at).search(/[,)]/);
      const word = sql.slice(at, at + end).trim();
      values.push(word.toUpperCase() === "NULL" ? null : word);
      at += end;
    }
    while (/\s/.test(sql[at] ?? "")) at += 1;
    if (sql[at] === ")") return { values, end: at + 1 };
    at += 1;
  }
  throw new Error("The dump ends in the middle of a row");
}

const namesIn = (text: string) => [...text.matchAll(/[`"](\w+)[`"]/g)].map(([, name]) => name ?? "");

/** Columns in the order of CREATE TABLE, for inserts that do not name them. */
function createdColumns(sql: string): string[] {
  const body = /CREATE TABLE[^(]*\(([\s\S]*?)\n\)/i.exec(sql)?.[1] ?? "";
  return [...body.matchAll(/^\s*[`"](\w+)[`"]\s/gm)].map(([, name]) => name ?? "");
}

/** All rows of the INSERT statements in a MySQL dump. */
export function readSqlRows(sql: string): SqlRow[] {
  const created = createdColumns(sql);
  const rows: SqlRow[] = [];
  for (const match of sql.matchAll(/INSERT INTO\s+[`"]?\w+[`"]?\s*(\([^)]*\))?\s*VALUES\s*/gi)) {
    const columns = match[1] === undefined ? created : namesIn(match[1]);
    for (let at = match.index + match[0].length; sql[at] === "(";) {
      const { values, end } = readTuple(sql, at);
      rows.push(Object.fromEntries(columns.map((name, index) => [name, values[index] ?? null])));
      at = end;
      while (/[\s,]/.test(sql[at] ?? "")) at += 1;
    }
  }
  return rows;
}
