import { REPORT_FILTERS } from "@/lib/contract/report-filters";

/** What Explore counts visits by, and in which order. A view that has it opens there. */
const EXPLORE = ["by", "and", "order"];

/** Filters of the list of Reports, its time range, and what Explore takes. */
const PARAMETERS: readonly string[] = [...REPORT_FILTERS, "span", "from", "to", "zone", ...EXPLORE];

/** Filters that contain an address or a place. */
const PLACES = ["country", "asn", "address"];
/** What Explore counts by that is a place. */
const COUNTED_PLACES = ["country", "network"];

const MAX_CHARACTERS = 400;

/** Filters in their stored form; undefined when one is unknown, repeated or empty, or when none is set. */
export function parseViewQuery(text: string): string | undefined {
  const entries = [...new URLSearchParams(text)];
  const names = new Set(entries.map(([name]) => name));
  const isSound = ([name, value]: [string, string]) =>
    PARAMETERS.includes(name) && value !== "" && value.length <= MAX_CHARACTERS;
  if (entries.length === 0 || names.size < entries.length || !entries.every(isSound)) return undefined;
  return new URLSearchParams(entries).toString();
}

/** Whether the filters contain what only members with access to addresses and places may see. */
export const namesPlaces = (query: string): boolean => {
  const parameters = new URLSearchParams(query);
  const counted = [parameters.get("by"), parameters.get("and")];
  return PLACES.some((name) => parameters.has(name)) || COUNTED_PLACES.some((name) => counted.includes(name));
};
