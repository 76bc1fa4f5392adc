import {
  AppWindow,
  Bot,
  BookOpen,
  Cable,
  ChartColumn,
  ClipboardList,
  KeyRound,
  LayoutDashboard,
  type LucideIcon,
  MonitorSmartphone,
  Plug,
  ScrollText,
  Settings,
  ShieldCheck,
  Users,
} from "lucide-react";

export type NavigationKey =
  | "overview"
  | "reports"
  | "devices"
  | "webApps"
  | "keys"
  | "usage"
  | "connect"
  | "clients"
  | "members"
  | "audit"
  | "privacy"
  | "settings"
  | "trials"
  | "docs";

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
      { key: "usage", label: "Usage", path: "usage", Icon: ChartColumn, shortcut: "u" },
    ],
  },
  {
    title: "Access",
    items: [
      { key: "connect", label: "Connect", path: "connect", Icon: Cable, shortcut: "n" },
      { key: "clients", label: "Connected clients", path: "clients", Icon: Plug, shortcut: "c" },
      { key: "members", label: "Members", path: "members", Icon: Users, shortcut: "m" },
      { key: "audit", label: "Audit log", path: "audit", Icon: ClipboardList, shortcut: "a" },
      { key: "privacy", label: "Privacy", path: "privacy", Icon: ShieldCheck, shortcut: "p" },
      { key: "settings", label: "Settings", path: "settings", Icon: Settings, shortcut: "s" },
    ],
  },
  {
    title: "Instance",
    items: [
      { key: "trials", label: "Agent Trials", path: "trials", Icon: Bot, shortcut: "t" },
      { key: "docs", label: "Docs", path: "/docs", Icon: BookOpen, shortcut: "d" },
    ],
  },
];

export const navigationHref = (workspaceId: string, { path }: NavigationItem): string =>
  path.startsWith("/") ? path : `/w/${workspaceId}${path ? `/${path}` : ""}`;

/** All items that the member may open. */
export const visibleItems = (hidden: readonly NavigationKey[]): NavigationItem[] =>
  NAVIGATION.flatMap(({ items }) => items).filter(({ key }) => !hidden.includes(key));
