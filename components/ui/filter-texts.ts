/** Filters of a query string; empty if not set. */
export type FilterTexts<Name extends string = string> = Record<Name, string>;

export type Parameters = Record<string, string | string[] | undefined>;

const LONGEST = 200;

const one = (value: string | string[] | undefined): string =>
  typeof value === "string" ? value.trim().slice(0, LONGEST) : "";

/** The named filters of a query string; repeated ones are ignored. */
export const readFilterTexts = <Name extends string>(names: readonly Name[], given: Parameters): FilterTexts<Name> =>
  // safe: there is an entry for each name
  Object.fromEntries(names.map((name) => [name, one(given[name])])) as FilterTexts<Name>;

export const isFiltered = (texts: FilterTexts): boolean => Object.values(texts).some((text) => text !== "");

export const givenText = (text: string): string | undefined => (text === "" ? undefined : text);

/** URL of a page of a filtered list, or of its export. */
export function filterAddress(path: string, texts: FilterTexts, more: Record<string, string> = {}): string {
  const set = Object.entries({ ...texts, ...more }).filter(([, value]) => value !== "");
  const text = new URLSearchParams(set).toString();
  return text === "" ? path : `${path}?${text}`;
}
