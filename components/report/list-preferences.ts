/** Columns of the list of Reports that a person may leave out, in their order. */
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

/** Cookie with what a person chose for lists of visits, so that the server knows it. */
export const LIST_COOKIE = "imprint-list";

const ABSOLUTE = "absolute";

/** `surface.app.absolute` */
export const preferencesText = ({ columns, isAbsolute }: ListPreferences): string =>
  [...columns, ...(isAbsolute ? [ABSOLUTE] : [])].join(".");

/** What the cookie says; what it does not know is left out. */
export function parsePreferences(text: string | undefined): ListPreferences {
  if (text === undefined) return DEFAULT_PREFERENCES;
  const words = text.split(".");
  return {
    columns: LIST_COLUMNS.filter((column) => words.includes(column)),
    isAbsolute: words.includes(ABSOLUTE),
  };
}
