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

export type Choice = { value: string; text: string };

const textOf = ({ text }: Choice): readonly string[] => [text];

/**
 * The value that a text typed for a choice stands for: that of the choice itself, or of the only one whose text contains
 * it; otherwise the text.
 */
export function chosenValue(choices: readonly Choice[], typed: string): string {
  if (typed === "" || choices.some(({ value }) => value === typed)) return typed;
  const same = choices.find(({ text }) => plain(text) === plain(typed));
  const { rows, matching } = findInList(choices, typed, textOf);
  return (same ?? (matching === 1 ? rows[0] : undefined))?.value ?? typed;
}

/** The choices among which a typed text does not decide. */
export const undecided = (choices: readonly Choice[], typed: string): Found<Choice> =>
  findInList(choices, typed, textOf);

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
