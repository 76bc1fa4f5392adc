/** Filters of the list of Reports, in the order of its address; saved views store them by these names. */
export const REPORT_FILTERS = [
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
] as const;
