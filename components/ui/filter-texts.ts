/** Filters of a query string; empty if not set. */
export type FilterTexts<Name extends string = string> = Record<Name, string>;

/** The query string of a page, as Next gives it. */
export type RawQuery = Record<string, string | string[] | undefined>;

const LONGEST = 200;

const one = (value: string | string[] | undefined): string =>
  typeof value === "string" ? value.trim().slice(0, LONGEST) : "";

/** The named filters of a query string; repeated ones are ignored. */
export const readFilterTexts = <Name extends string>(names: readonly Name[], given: RawQuery): FilterTexts<Name> =>
  // safe: there is an entry for each name
  Object.fromEntries(names.map((name) => [name, one(given[name])])) as FilterTexts<Name>;

export const isFiltered = (texts: FilterTexts): boolean => Object.values(texts).some((text) => text !== "");

export const givenText = (text: string): string | undefined => (text === "" ? undefined : text);

type Texts = Record<string, string | undefined>;

/** URL of a page of a filtered list, or of its export; `path` may have other query parameters. */
export function filterHref(path: string, texts: Texts, more: Texts = {}): string {
  const set = Object.entries({ ...texts, ...more }).flatMap(([name, value]) => (value ? [[name, value]] : []));
  const text = new URLSearchParams(set).toString();
  return text === "" ? path : `${path}${path.includes("?") ? "&" : "?"}${text}`;
}
