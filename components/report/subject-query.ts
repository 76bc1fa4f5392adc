import type { RawQuery } from "./report-query";

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

/** URL of the page with one list moved to a cursor; `path` may have other query parameters. */
function subjectHref(path: string, query: SubjectQuery, change: Partial<SubjectQuery>): string {
  const parameters = new URLSearchParams();
  for (const list of LISTS) {
    const value = list in change ? change[list] : query[list];
    if (value !== undefined) parameters.set(list, value);
  }
  const text = parameters.toString();
  return text === "" ? path : `${path}${path.includes("?") ? "&" : "?"}${text}`;
}

/** Paging links of one list on a page. */
export const pagesOf = (path: string, query: SubjectQuery, list: List, older: string | null | undefined) => ({
  newest: query[list] === undefined ? undefined : subjectHref(path, query, { [list]: undefined }),
  older: older === null || older === undefined ? undefined : subjectHref(path, query, { [list]: older }),
});
