/** Filters that take several values, or exclude several. */
export const CHOICE_FILTERS = [
  "risk",
  "reason",
  "rule",
  "surface",
  "country",
  "connection",
  "asn",
  "browser",
  "system",
  "app",
] as const;
export type ChoiceFilterName = (typeof CHOICE_FILTERS)[number];

/** Filters of the list of Reports, in the order of its query string. Saved views store these names. */
export const REPORT_FILTERS = [...CHOICE_FILTERS, "account", "address", "device", "search"] as const;
export type ReportFilterName = (typeof REPORT_FILTERS)[number];

/** One of the values, or none of them if excluded. */
export type Choice<T> = { isExcluded: boolean; values: readonly T[] };

const EXCLUDED = "!";
const encode = (value: string) => value.replaceAll(/[%,!]/g, encodeURIComponent).replaceAll("!", "%21");

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The text form of a choice in a filter: `DE,US`, or `!DE,US` for all others. */
export const choiceText = ({ isExcluded, values }: Choice<string>): string =>
  (isExcluded ? EXCLUDED : "") + values.map(encode).join(",");

/** Parses a filter's text; undefined if it contains no value. */
export function parseChoice(text: string): Choice<string> | undefined {
  const isExcluded = text.startsWith(EXCLUDED);
  const values = (isExcluded ? text.slice(1) : text)
    .split(",")
    .map(decode)
    .filter((value) => value !== "");
  return values.length === 0 ? undefined : { isExcluded, values: [...new Set(values)] };
}
