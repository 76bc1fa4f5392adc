import type { RawQuery } from "./report-query";

/** Lists of a page about one thing that have pages of their own, by their parameter in the address. */
const LISTS = ["visits", "accounts", "devices", "addresses"] as const;
type List = (typeof LISTS)[number];

/** Where each list of a page stands; undefined for its newest page. */
export type SubjectQuery = Record<List, string | undefined>;

export const parseSubjectQuery = (raw: RawQuery): SubjectQuery => {
  const of = (list: List) => {
    const value = raw[list];
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  return { visits: of("visits"), accounts: of("accounts"), devices: of("devices"), addresses: of("addresses") };
};

/** The page with one of its lists elsewhere; `path` may have parameters of its own. */
function subjectHref(path: string, query: SubjectQuery, change: Partial<SubjectQuery>): string {
  const parameters = new URLSearchParams();
  for (const list of LISTS) {
    const value = list in change ? change[list] : query[list];
    if (value !== undefined) parameters.set(list, value);
  }
  const text = parameters.toString();
  return text === "" ? path : `${path}${path.includes("?") ? "&" : "?"}${text}`;
}

/** The links of one list of a page. */
export const pagesOf = (path: string, query: SubjectQuery, list: List, older: string | null | undefined) => ({
  newest: query[list] === undefined ? undefined : subjectHref(path, query, { [list]: undefined }),
  older: older === null || older === undefined ? undefined : subjectHref(path, query, { [list]: older }),
});
