/** What the list of Reports can be narrowed by, and the time that it covers. */
const PARAMETERS = [
  "risk",
  "reason",
  "country",
  "connection",
  "asn",
  "browser",
  "system",
  "app",
  "account",
  "address",
  "device",
  "search",
  "span",
  "from",
  "to",
  "zone",
];

/** Filters that tell an address or a place. */
const PLACES = ["country", "asn", "address"];

const MAX_CHARACTERS = 100;

/** Filters as they are stored: each known, said once, and with a value. Nothing when they are not, or none is set. */
export function parseViewQuery(text: string): string | undefined {
  const entries = [...new URLSearchParams(text)];
  const names = new Set(entries.map(([name]) => name));
  const isSound = ([name, value]: [string, string]) =>
    PARAMETERS.includes(name) && value !== "" && value.length <= MAX_CHARACTERS;
  if (entries.length === 0 || names.size < entries.length || !entries.every(isSound)) return undefined;
  return new URLSearchParams(entries).toString();
}

/** Whether the filters tell what only members see who may see addresses and places. */
export const namesPlaces = (query: string): boolean => {
  const parameters = new URLSearchParams(query);
  return PLACES.some((name) => parameters.has(name));
};
