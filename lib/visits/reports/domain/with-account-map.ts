import type { AccountMap } from "@/lib/contract/report";

/** A stored Report's text with its Account Map as the last member: every other byte stays as it was stored. */
export const withAccountMap = (report: string, accountMap: AccountMap): string =>
  `${report.slice(0, report.lastIndexOf("}"))},"account_map":${JSON.stringify(accountMap)}}`;
