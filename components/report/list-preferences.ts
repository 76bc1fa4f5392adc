/** Optional columns of the list of Reports, in their order. */
const LIST_COLUMNS = ["account", "address", "country", "network", "client", "surface", "app"] as const;
export type ListColumn = (typeof LIST_COLUMNS)[number];

export const COLUMN_NAMES: Record<ListColumn, string> = {
  account: "Account",
  address: "IP",
  country: "Country",
  network: "Network",
  client: "Client",
  surface: "Surface",
  app: "Web App",
};

export type ListPreferences = { columns: readonly ListColumn[]; isAbsolute: boolean };

export const DEFAULT_PREFERENCES: ListPreferences = {
  columns: ["address", "country", "client", "surface"],
  isAbsolute: false,
};

/** Cookie with a person's preferences for lists of visits, so that the server knows them. */
export const LIST_COOKIE = "imprint-list";

const ABSOLUTE = "absolute";

/** `surface.app.absolute` */
export const preferencesText = ({ columns, isAbsolute }: ListPreferences): string =>
  [...columns, ...(isAbsolute ? [ABSOLUTE] : [])].join(".");

/** Parses the cookie; unknown words are ignored. */
export function parsePreferences(text: string | undefined): ListPreferences {
  if (text === undefined) return DEFAULT_PREFERENCES;
  const words = text.split(".");
  return {
    columns: LIST_COLUMNS.filter((column) => words.includes(column)),
    isAbsolute: words.includes(ABSOLUTE),
  };
}
