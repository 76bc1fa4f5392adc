import {
  AppWindow,
  Bell,
  Bot,
  BriefcaseBusiness,
  Cable,
  ChartColumn,
  ClipboardList,
  KeyRound,
  LayoutDashboard,
  ListChecks,
  type LucideIcon,
  MonitorSmartphone,
  Plug,
  ScrollText,
  Settings,
  ShieldCheck,
  Telescope,
  Users,
  Webhook,
} from "lucide-react";

import type { Permission } from "@/lib/tenancy/workspaces";

type ConsolePage = {
  /** Folder of its `page.tsx` below `/w/WORKSPACE`, and therefore its path. */
  path: string;
  title: string;
  /** Permission required to open it. Its actions and parts may require more. */
  permission: Permission | "operator";
  /** Icon, for pages in the navigation and the command palette. */
  Icon?: LucideIcon;
  /** Second key after `g`, for pages in the navigation. */
  shortcut?: string;
  /** Heading in the navigation; the first pages have none. */
  group?: "Access" | "Instance";
  /** Label among the tabs of the settings, whose layout has the heading. */
  settingsTab?: string;
};

/**
 * Every page of the Console, once and in order. Navigation, palette, shortcuts, page titles, permission checks,
 * screenshots and tests use this list.
 */
export const PAGES = {
  overview: { path: "", title: "Overview", permission: "report.read", Icon: LayoutDashboard, shortcut: "o" },
  reports: { path: "reports", title: "Reports", permission: "report.read", Icon: ScrollText, shortcut: "r" },
  explore: { path: "explore", title: "Explore", permission: "report.read", Icon: Telescope, shortcut: "x" },
  report: { path: "reports/[imprint]", title: "Report", permission: "report.read" },
  compare: { path: "compare", title: "Compare visits", permission: "report.read" },
  devices: { path: "devices", title: "Devices", permission: "report.read", Icon: MonitorSmartphone, shortcut: "e" },
  device: { path: "devices/[deviceId]", title: "Device", permission: "report.read" },
  recognition: { path: "recognition", title: "Recognition", permission: "report.read" },
  account: { path: "accounts/[accountId]", title: "Account", permission: "report.read" },
  address: { path: "addresses", title: "Address", permission: "report.read" },
  rules: { path: "rules", title: "Rules", permission: "report.read", Icon: ListChecks, shortcut: "l" },
  rule: { path: "rules/[ruleId]", title: "Rule", permission: "report.read" },
  labels: { path: "labels", title: "Labels", permission: "report.read" },
  alerts: { path: "alerts", title: "Alerts", permission: "alert.manage", Icon: Bell, shortcut: "v" },
  network: { path: "networks", title: "Network", permission: "report.read" },
  linked: { path: "linked", title: "Linked", permission: "report.read" },
  cases: { path: "cases", title: "Cases", permission: "case.read", Icon: BriefcaseBusiness, shortcut: "b" },
  case: { path: "cases/[caseId]", title: "Case", permission: "case.read" },
  search: { path: "search", title: "Search", permission: "report.read" },
  "web-apps": { path: "web-apps", title: "Web Apps", permission: "webApp.read", Icon: AppWindow, shortcut: "w" },
  "web-app": { path: "web-apps/[webAppId]", title: "Web App", permission: "webApp.read" },
  keys: { path: "keys", title: "Keys", permission: "apiKey.read", Icon: KeyRound, shortcut: "k" },
  key: { path: "keys/[keyId]", title: "Key", permission: "apiKey.read" },
  "management-keys": { path: "keys/management", title: "Management keys", permission: "managementKey.read" },
  usage: { path: "usage", title: "Usage", permission: "usage.read", Icon: ChartColumn, shortcut: "u" },
  demo: { path: "demo", title: "Demo", permission: "webApp.read" },
  connect: {
    path: "connect",
    title: "Connect",
    permission: "workspace.read",
    group: "Access",
    Icon: Cable,
    shortcut: "n",
  },
  clients: {
    path: "clients",
    title: "Connected clients",
    permission: "workspace.read",
    group: "Access",
    Icon: Plug,
    shortcut: "c",
  },
  "clients-calls": { path: "clients/calls", title: "Tool calls", permission: "workspace.read" },
  webhooks: {
    path: "webhooks",
    title: "Webhooks",
    permission: "webhook.read",
    group: "Access",
    Icon: Webhook,
    shortcut: "h",
  },
  webhook: { path: "webhooks/[endpointId]", title: "Webhook", permission: "webhook.read" },
  members: {
    path: "members",
    title: "Members",
    permission: "member.read",
    group: "Access",
    Icon: Users,
    shortcut: "m",
  },
  audit: {
    path: "audit",
    title: "Audit log",
    permission: "audit.read",
    group: "Access",
    Icon: ClipboardList,
    shortcut: "a",
  },
  privacy: {
    path: "privacy",
    title: "Privacy",
    permission: "workspace.read",
    group: "Access",
    Icon: ShieldCheck,
    shortcut: "p",
  },
  settings: {
    path: "settings",
    title: "Settings",
    permission: "workspace.read",
    group: "Access",
    Icon: Settings,
    shortcut: "s",
    settingsTab: "Workspace",
  },
  "settings-you": {
    path: "settings/you",
    title: "Your sign-in",
    permission: "workspace.read",
    settingsTab: "Your sign-in",
  },
  "settings-instance": {
    path: "settings/instance",
    title: "Instance",
    permission: "operator",
    settingsTab: "Instance",
  },
  trials: {
    path: "trials",
    title: "Agent Trials",
    permission: "operator",
    group: "Instance",
    Icon: Bot,
    shortcut: "t",
  },
  trial: { path: "trials/[intentId]", title: "Purchase", permission: "operator" },
} as const satisfies Record<string, ConsolePage>;

export type PageId = keyof typeof PAGES;

type NamesIn<Path extends string> = Path extends `${string}[${infer Name}]${infer Rest}` ? Name | NamesIn<Rest> : never;
/** Parameters in the path of a page. */
export type PageParams<Id extends PageId> = Record<"workspaceId" | NamesIn<(typeof PAGES)[Id]["path"]>, string>;

export const PAGE_IDS = Object.keys(PAGES) as PageId[]; // safe: the list is closed

export const pageOf = (id: PageId): ConsolePage => PAGES[id];

/** URL of a page. */
export function pageHref<Id extends PageId>(id: Id, params: PageParams<Id>): string {
  const { workspaceId, ...others }: Record<string, string> = params;
  const path = PAGES[id].path.replaceAll(/\[(\w+)\]/g, (_, name: string) => others[name] ?? "");
  return `/w/${workspaceId}${path === "" ? "" : `/${path}`}`;
}

/** URL of a page with a query. */
export const queryHref = <Id extends PageId>(id: Id, params: PageParams<Id>, query: Record<string, string>): string =>
  `${pageHref(id, params)}?${new URLSearchParams(query).toString()}`;

/** URL of the comparison of two visits. */
export const compareHref = (workspaceId: string, a: string, b: string): string =>
  queryHref("compare", { workspaceId }, { a, b });

/** URL of the objects linked with a device, an account or an address within two steps. */
export const linkedHref = (workspaceId: string, of: string): string => queryHref("linked", { workspaceId }, { of });

/** URL of the page about an address or range. */
export const addressHref = (workspaceId: string, of: string): string => queryHref("address", { workspaceId }, { of });

/** URL of the page about an autonomous system, by its number with or without `AS`. */
export const networkHref = (workspaceId: string, of: string): string => queryHref("network", { workspaceId }, { of });
