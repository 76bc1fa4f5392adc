import { createTable, printableText, type Row, renderResult } from "./domain/table";

/**
 * What a command returns: the object that `--json` prints. A list too long for memory comes in pages, a text too long
 * for it as `LongText`.
 */
export type Result = Row;

type Pages = AsyncIterable<readonly Row[]>;

const isPages = (value: unknown): value is Pages =>
  typeof value === "object" && value !== null && Symbol.asyncIterator in value;

/** A text in parts, none of which ends within a character. */
export class LongText {
  constructor(readonly parts: AsyncIterable<string>) {}
}

async function* textAsJson({ parts }: LongText) {
  yield '"';
  for await (const part of parts) yield JSON.stringify(part).slice(1, -1);
  yield '"';
}

/** Beginning on a line of its own, so that what follows can be cut out as the file. */
async function* textAsLines({ parts }: LongText) {
  yield "\n";
  let last = "";
  for await (const part of parts) {
    yield printableText(part);
    last = part || last;
  }
  if (!last.endsWith("\n")) yield "\n";
}

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
  let isEmpty = true;
  for await (const page of pages) {
    if (page.length === 0) continue;
    isEmpty = false;
    yield `\n${table(page)}`;
  }
  yield isEmpty ? " -\n" : "\n";
}

/**
 * The text of a command's result, in parts: one JSON object as one line, or tables and lines for people. What comes in
 * parts is never held as a whole; it is the last property, since everything else is known before it.
 */
export async function* renderParts(result: Result, isJson: boolean): AsyncGenerator<string, void> {
  const [name, long] = Object.entries(result).find(([, value]) => isPages(value) || value instanceof LongText) ?? [];
  const rest = Object.fromEntries(Object.entries(result).filter(([key]) => key !== name));
  if (name === undefined || !(isPages(long) || long instanceof LongText)) {
    yield isJson ? `${JSON.stringify(rest)}\n` : renderResult(rest);
  } else if (isJson) {
    yield JSON.stringify({ ...rest, [name]: 0 }).slice(0, -"0}".length);
    yield* isPages(long) ? listAsJson(long) : textAsJson(long);
    yield "}\n";
  } else {
    yield `${Object.keys(rest).length === 0 ? "" : renderResult(rest)}${name}:`;
    yield* isPages(long) ? listAsTable(long) : textAsLines(long);
  }
}
