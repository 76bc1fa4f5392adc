import { REPORT_FILTERS } from "@/lib/contract/report-filters";

/** Explore's dimensions and sort order. A view with these opens in Explore. */
const EXPLORE = ["by", "and", "order"];

/** Filters of the list of Reports, its time range, and the parameters of Explore. */
const PARAMETERS: readonly string[] = [...REPORT_FILTERS, "span", "from", "to", "zone", ...EXPLORE];

/** Filters that reveal an IP address or a location. */
const PLACES = ["country", "asn", "address"];
/** Explore dimensions that reveal a location. */
const COUNTED_PLACES = ["country", "network"];

const MAX_CHARACTERS = 400;

/** Filters in their stored form; undefined if one is unknown, repeated or empty, or if there are none. */
export function parseViewQuery(text: string): string | undefined {
  const entries = [...new URLSearchParams(text)];
  const names = new Set(entries.map(([name]) => name));
  const isSound = ([name, value]: [string, string]) =>
    PARAMETERS.includes(name) && value !== "" && value.length <= MAX_CHARACTERS;
  if (entries.length === 0 || names.size < entries.length || !entries.every(isSound)) return undefined;
  return new URLSearchParams(entries).toString();
}

/** Whether the filters reveal what only members with access to addresses and places may see. */
export const namesPlaces = (query: string): boolean => {
  const parameters = new URLSearchParams(query);
  const counted = [parameters.get("by"), parameters.get("and")];
  return PLACES.some((name) => parameters.has(name)) || COUNTED_PLACES.some((name) => counted.includes(name));
};
