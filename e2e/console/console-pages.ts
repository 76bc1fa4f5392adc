import { PAGE_IDS, type PageId, pageHref, pageOf } from "@/components/shell/pages";

/** Pages about keys, units and purchases: `console-admin.spec.ts` opens them with data of all three. */
export const PAGES_OF_ADMINS: readonly PageId[] = ["key", "usage", "trials", "trial"];

const unknown = (prefix: string) => `${prefix}_${"0".repeat(32)}`;
const UNKNOWN = {
  imprint: unknown("imp"),
  deviceId: unknown("dev"),
  accountId: unknown("acc"),
  webAppId: unknown("app"),
  keyId: unknown("key"),
  endpointId: unknown("whk"),
  intentId: unknown("ati"),
  ruleId: "environment.window",
  caseId: unknown("case"),
};

/** What a page is asked for, where it shows nothing without. */
const QUERIES: Partial<Record<PageId, string>> = {
  address: "?of=203.0.113.7",
  network: "?of=64500",
  search: "?why=reference",
  compare: `?a=${unknown("imp")}&b=imp_${"1".repeat(32)}`,
};

type Params = Partial<Record<keyof typeof UNKNOWN, string>>;

/** The address of a page below that of the workspace; what `params` leaves out does not exist. */
export const pathBelow = (id: PageId, params: Params = {}): string =>
  pageHref(id, { ...UNKNOWN, ...params, workspaceId: "" }).replace("/w/", "") + (QUERIES[id] ?? "");

/** Every page of the Console, below the address of the workspace. */
export const everyPath = (params: Params, except: readonly PageId[] = []): string[] =>
  PAGE_IDS.filter((id) => !except.includes(id)).map((id) => pathBelow(id, params));

/** Pages whose address names the workspace only. */
export const PAGES_OF_WORKSPACE = PAGE_IDS.filter((id) => !pageOf(id).path.includes("["));
