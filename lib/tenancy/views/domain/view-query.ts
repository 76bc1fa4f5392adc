import { REPORT_FILTERS } from "@/lib/contract/report-filters";

/** Filters of the list of Reports, and its time range. */
const PARAMETERS: readonly string[] = [...REPORT_FILTERS, "span", "from", "to", "zone"];

/** Filters that contain an address or a place. */
const PLACES = ["country", "asn", "address"];

const MAX_CHARACTERS = 100;

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
  return PLACES.some((name) => parameters.has(name));
};
