import { type IntentStatus, UNRESOLVED_STATUSES } from "@/lib/contract/trial";
import { filterHref, type RawQuery } from "@/components/ui/filter-texts";

/** Views of the purchase list; each has a URL. */
export const VIEWS = {
  all: { label: "All", statuses: [] },
  active: { label: "Active", statuses: ["active"] },
  unresolved: { label: "Unresolved", statuses: UNRESOLVED_STATUSES },
  unpaid: { label: "Unpaid", statuses: ["payment_required", "payment_failed"] },
  ended: { label: "Ended", statuses: ["expired", "revoked"] },
} as const satisfies Record<string, { label: string; statuses: readonly IntentStatus[] }>;
export type View = keyof typeof VIEWS;

export type PurchaseQuery = { view: View; search: string | undefined; before: string | undefined };

const isView = (text: string): text is View => Object.hasOwn(VIEWS, text);

/** The view and search in the query string; anything unknown is ignored. */
export function readPurchaseQuery(params: RawQuery): PurchaseQuery {
  const text = (name: string) => {
    const value = params[name];
    return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
  };
  const view = text("view") ?? "all";
  const before = text("before");
  return {
    view: isView(view) ? view : "all",
    search: text("search"),
    before: before !== undefined && /^ati_[0-9a-f]{32}$/.test(before) ? before : undefined,
  };
}

export const purchaseHref = (path: string, { view, search, before }: PurchaseQuery): string =>
  filterHref(path, { view: view === "all" ? undefined : view, search, before });
