/** Rows shown of a list. A longer list gets a search box: thousands of rows take a browser seconds. */
export const MAX_SHOWN = 100;

export type Found<Row> = {
  rows: Row[];
  /** The search text; empty without a search. */
  text: string;
  matching: number;
  total: number;
};

const plain = (text: string): string => text.normalize("NFKC").toLowerCase();

/** The first rows with a text that contains `find`, in list order. */
export function findInList<Row>(
  all: readonly Row[],
  find: string | string[] | undefined,
  textsOf: (row: Row) => readonly string[],
): Found<Row> {
  const text = (Array.isArray(find) ? find[0] : find)?.trim() ?? "";
  const wanted = plain(text);
  const matches = text === "" ? all : all.filter((row) => textsOf(row).some((each) => plain(each).includes(wanted)));
  return { rows: matches.slice(0, MAX_SHOWN), text, matching: matches.length, total: all.length };
}
