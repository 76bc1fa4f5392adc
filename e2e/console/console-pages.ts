import { PAGE_IDS, type PageId, pageHref, pageOf } from "@/components/shell/pages";

/** Pages about keys, units and purchases; `console-admin.spec.ts` opens them with data for all three. */
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

/** Query strings of pages that are empty without one. */
const QUERIES: Partial<Record<PageId, string>> = {
  address: "?of=203.0.113.7",
  network: "?of=64500",
  search: "?why=reference",
  compare: `?a=${unknown("imp")}&b=imp_${"1".repeat(32)}`,
};

type Params = Partial<Record<keyof typeof UNKNOWN, string>>;

/** Path of a page relative to the workspace; parameters missing in `params` get ids that do not exist. */
export const pathBelow = (id: PageId, params: Params = {}): string =>
  pageHref(id, { ...UNKNOWN, ...params, workspaceId: "" }).replace("/w/", "") + (QUERIES[id] ?? "");

/** Paths of every page of the Console, relative to the workspace. */
export const everyPath = (params: Params, except: readonly PageId[] = []): string[] =>
  PAGE_IDS.filter((id) => !except.includes(id)).map((id) => pathBelow(id, params));

/** Pages whose path has no parameter except the workspace. */
export const PAGES_OF_WORKSPACE = PAGE_IDS.filter((id) => !pageOf(id).path.includes("["));
