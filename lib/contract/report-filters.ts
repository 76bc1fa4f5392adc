/** Filters that take several values, or all but some. */
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

/** Filters of the list of Reports, in the order of its address; saved views store them by these names. */
export const REPORT_FILTERS = [...CHOICE_FILTERS, "account", "address", "device", "search"] as const;
export type ReportFilterName = (typeof REPORT_FILTERS)[number];

/** One of the values, or none of them. */
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

/** A choice as a filter has it: `DE,US`, or `!DE,US` for all others. */
export const choiceText = ({ isExcluded, values }: Choice<string>): string =>
  (isExcluded ? EXCLUDED : "") + values.map(encode).join(",");

/** The choice of a filter's text; without a value there is none. */
export function parseChoice(text: string): Choice<string> | undefined {
  const isExcluded = text.startsWith(EXCLUDED);
  const values = (isExcluded ? text.slice(1) : text)
    .split(",")
    .map(decode)
    .filter((value) => value !== "");
  return values.length === 0 ? undefined : { isExcluded, values: [...new Set(values)] };
}
