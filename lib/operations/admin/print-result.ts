import { createTable, type Row, renderResult } from "./domain/table";

/** What a command returns: the object that `--json` prints. A list too long for memory comes in pages. */
export type Result = Row;

type Pages = AsyncIterable<readonly Row[]>;

const isPages = (value: unknown): value is Pages =>
  typeof value === "object" && value !== null && Symbol.asyncIterator in value;

async function* listAsJson(pages: Pages) {
  let separator = "";
  yield "[";
  for await (const page of pages) {
    for (const row of page) {
      yield separator + JSON.stringify(row);
      separator = ",";
    }
  }
  yield "]";
}

async function* listAsTable(pages: Pages) {
  const table = createTable();
  for await (const page of pages) if (page.length > 0) yield `\n${table(page)}`;
}

/**
 * The text of a command's result, in parts: one JSON object as one line, or tables and lines for people. A list that
 * comes in pages is never held as a whole; it is the last property, since everything else is known before it.
 */
export async function* renderParts(result: Result, isJson: boolean): AsyncGenerator<string, void> {
  const [name, pages] = Object.entries(result).find(([, value]) => isPages(value)) ?? [];
  const rest = Object.fromEntries(Object.entries(result).filter(([key]) => key !== name));
  if (name === undefined || !isPages(pages)) {
    yield isJson ? `${JSON.stringify(rest)}\n` : renderResult(rest);
  } else if (isJson) {
    yield JSON.stringify({ ...rest, [name]: 0 }).slice(0, -"0}".length);
    yield* listAsJson(pages);
    yield "}\n";
  } else {
    yield `${Object.keys(rest).length === 0 ? "" : renderResult(rest)}${name}:`;
    let isEmpty = true;
    for await (const part of listAsTable(pages)) {
      yield part;
      isEmpty = false;
    }
    yield isEmpty ? " -\n" : "\n";
  }
}
