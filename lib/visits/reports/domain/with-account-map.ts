import type { AccountMap } from "@/lib/contract/report";

/** Appends the Account Map to a stored Report's JSON as the last member. All other bytes stay unchanged. */
export const withAccountMap = (report: string, accountMap: AccountMap): string =>
  `${report.slice(0, report.lastIndexOf("}"))},"account_map":${JSON.stringify(accountMap)}}`;
