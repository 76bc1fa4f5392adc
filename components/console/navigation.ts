import {
  AppWindow,
  BookOpen,
  ClipboardList,
  KeyRound,
  LayoutDashboard,
  type LucideIcon,
  MonitorSmartphone,
  Plug,
  ScrollText,
  Users,
} from "lucide-react";

export type NavigationKey =
  "overview" | "reports" | "devices" | "webApps" | "keys" | "clients" | "members" | "audit" | "docs";

export type NavigationItem = {
  key: NavigationKey;
  label: string;
  /** Below `/w/WORKSPACE`, or an address of the whole site when it begins with `/`. */
  path: string;
  Icon: LucideIcon;
  /** Second key after `g`. */
  shortcut?: string;
};

type NavigationGroup = { title: string | undefined; items: readonly NavigationItem[] };

/** Every page of the Console, in order. A new page is one line here. */
export const NAVIGATION: readonly NavigationGroup[] = [
  {
    title: undefined,
    items: [
      { key: "overview", label: "Overview", path: "", Icon: LayoutDashboard, shortcut: "o" },
      { key: "reports", label: "Reports", path: "reports", Icon: ScrollText, shortcut: "r" },
      { key: "devices", label: "Devices", path: "devices", Icon: MonitorSmartphone, shortcut: "e" },
      { key: "webApps", label: "Web Apps", path: "web-apps", Icon: AppWindow, shortcut: "w" },
      { key: "keys", label: "Keys", path: "keys", Icon: KeyRound, shortcut: "k" },
    ],
  },
  {
    title: "Access",
    items: [
      { key: "clients", label: "Connected clients", path: "clients", Icon: Plug, shortcut: "c" },
      { key: "members", label: "Members", path: "members", Icon: Users, shortcut: "m" },
      { key: "audit", label: "Audit log", path: "audit", Icon: ClipboardList, shortcut: "a" },
    ],
  },
  { title: "Help", items: [{ key: "docs", label: "Docs", path: "/docs", Icon: BookOpen, shortcut: "d" }] },
];

export const navigationHref = (workspaceId: string, { path }: NavigationItem): string =>
  path.startsWith("/") ? path : `/w/${workspaceId}${path ? `/${path}` : ""}`;

/** All items that the member may open. */
export const visibleItems = (hidden: readonly NavigationKey[]): NavigationItem[] =>
  NAVIGATION.flatMap(({ items }) => items).filter(({ key }) => !hidden.includes(key));
