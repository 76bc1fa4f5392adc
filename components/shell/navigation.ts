import { BookOpen, type LucideIcon } from "lucide-react";

import { PAGE_IDS, type PageId, pageHref, pageOf, type PageParams } from "./pages";

export type NavigationItem = { label: string; href: string; group: string; Icon: LucideIcon; shortcut: string };

const DOCS: NavigationItem = { label: "Docs", href: "/docs", group: "Instance", Icon: BookOpen, shortcut: "d" };

/** Entries of navigation, palette and shortcuts: the pages that the member may open, then the docs. */
export const navigationItems = (params: PageParams<"overview">, hidden: readonly PageId[]): NavigationItem[] => [
  ...PAGE_IDS.filter((id) => !hidden.includes(id)).flatMap((id) => {
    const { title, Icon, shortcut, group = "" } = pageOf(id);
    if (!Icon || shortcut === undefined) return [];
    // safe: pages in the navigation take only the workspace, which the list's test verifies
    return [{ label: title, href: pageHref(id as "overview", params), group, Icon, shortcut }];
  }),
  DOCS,
];
