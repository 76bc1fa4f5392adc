import { filterHref, type RawQuery } from "@/components/ui/filter-texts";

/** The paged lists on a page about one subject, by query parameter. */
const LISTS = ["visits", "accounts", "devices", "addresses"] as const;
type List = (typeof LISTS)[number];

/** Cursor of each list on a page; undefined for its newest page. */
export type SubjectQuery = Record<List, string | undefined>;

export const parseSubjectQuery = (raw: RawQuery): SubjectQuery => {
  const of = (list: List) => {
    const value = raw[list];
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  return { visits: of("visits"), accounts: of("accounts"), devices: of("devices"), addresses: of("addresses") };
};

/** Paging links of one list on a page. */
export const pagesOf = (path: string, query: SubjectQuery, list: List, older: string | null | undefined) => ({
  newest: query[list] === undefined ? undefined : filterHref(path, query, { [list]: undefined }),
  older: older === null || older === undefined ? undefined : filterHref(path, query, { [list]: older }),
});
