import type { Page } from "playwright-core";

import { PAGE_IDS, type PageId, pageHref } from "@/components/shell/pages";
import type { Examples } from "../common/example-service";

export type Screenshot = {
  name: string;
  path: string;
  as: "nobody" | "owner" | "analyst";
  /** Action after the page has loaded. */
  act?: (page: Page) => Promise<void>;
  /** Whether `act` opens an overlay. */
  isOverPage?: boolean;
  /** A table that is made unavailable to the service meanwhile. */
  missing?: { table: string; how: "gone" | "locked" };
};
type Unsigned = Omit<Screenshot, "as">;

const UNKNOWN_WORKSPACE = `/w/ws_${"0".repeat(32)}`;

const press = (button: string) => async (page: Page) => {
  await page.getByRole("button", { name: button }).first().click();
  await page.getByRole("dialog").waitFor();
};

const openKeyMenu = async (page: Page) => {
  await page
    .getByRole("button", { name: /^Actions for/ })
    .first()
    .click();
  await page.getByRole("menu").waitFor();
};

const openPalette = async (page: Page) => {
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Page or anything to search for" }).waitFor();
};

const openFirstReport = async (page: Page) => {
  await page.locator("[data-row-link]").first().click();
  await page.getByRole("dialog").getByRole("heading", { name: "Findings" }).waitFor();
};

const openFirstReportAsPage = async (page: Page) => {
  await openFirstReport(page);
  await page.getByRole("dialog").getByRole("link", { name: "Open as a page" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.getByRole("heading", { name: "Findings" }).waitFor();
};

const runComponent = async (page: Page) => {
  await page.getByRole("button", { name: "Run the component" }).click();
  await page.getByRole("heading", { name: "Findings" }).waitFor();
};

const openNavigation = async (page: Page) => {
  const button = page.getByRole("button", { name: "Open the navigation" });
  if (!(await button.isVisible())) return;
  await button.click();
  await page.getByRole("dialog").waitFor();
};

/** Public pages. */
const publicPages = ({ joinUrl }: Examples): Unsigned[] => [
  { name: "start", path: "/" },
  { name: "setup-used", path: "/setup?token=used" },
  { name: "sign-in", path: "/sign-in" },
  { name: "sign-in-check", path: "/sign-in/check" },
  { name: "join", path: joinUrl },
  { name: "join-unknown", path: "/join?token=unknown" },
  { name: "docs", path: "/docs" },
  { name: "docs-concepts", path: "/docs/concepts" },
  { name: "docs-api", path: "/docs/api" },
  { name: "docs-errors", path: "/docs/errors" },
  { name: "docs-error", path: "/docs/errors/auth_failed" },
  { name: "docs-reasons", path: "/docs/reasons" },
  { name: "docs-search", path: "/docs/search?q=key" },
  { name: "missing-page", path: "/nothing-here" },
];

/** Query strings of pages that need one. */
const queriesOf = ({ webAppId, deviceId, imprint, otherImprint }: Examples): Partial<Record<PageId, string>> => ({
  address: "?of=203.0.113.0/24",
  network: "?of=64508",
  linked: `?of=${deviceId}`,
  search: "?why=account",
  compare: `?a=${otherImprint}&b=${imprint}`,
  demo: `?app=${webAppId}`,
});

/** Every page of the Console, relative to its workspace. */
function consolePages(examples: Examples): Unsigned[] {
  const values = { ...examples, intentId: examples.boughtId, workspaceId: "" };
  const queries = queriesOf(examples);
  return PAGE_IDS.map((id) => ({ name: id, path: pageHref(id, values).replace("/w/", "") + (queries[id] ?? "") }));
}

/** States of pages, and overlays. */
const pageStates = ({
  webAppId,
  returnedId,
  unclearId,
  endpointId,
  imprint,
  accountId,
  ruleId,
}: Examples): Unsigned[] => [
  { name: "reports-deceptive", path: "/reports?risk=DECEPTIVE" },
  { name: "reports-nothing-found", path: "/reports?search=hello" },
  { name: "report-panel", path: "/reports?risk=DECEPTIVE", act: openFirstReport, isOverPage: true },
  { name: "report-missing", path: `/reports/imp_${"0".repeat(32)}` },
  {
    name: "report-agent",
    path: "/reports?risk=SUSPICIOUS&reason=AUTOMATION_DETECTED&span=90d",
    act: openFirstReportAsPage,
  },
  { name: "keys-new", path: "/keys", act: press("New key"), isOverPage: true },
  { name: "webhooks-new", path: "/webhooks", act: press("New webhook"), isOverPage: true },
  { name: "webhook-delivery", path: `/webhooks/${endpointId}`, act: press("Show the message"), isOverPage: true },
  { name: "management-keys-new", path: "/keys/management", act: press("New management key"), isOverPage: true },
  { name: "labels-import", path: "/labels", act: press("Import CSV"), isOverPage: true },
  { name: "alerts-new", path: "/alerts", act: press("New alert"), isOverPage: true },
  { name: "rule-observe", path: `/rules/${ruleId}`, act: press("Observe only"), isOverPage: true },
  { name: "keys-menu", path: "/keys", act: openKeyMenu, isOverPage: true },
  { name: "cases-new", path: "/cases", act: press("New case"), isOverPage: true },
  { name: "report-add-to-case", path: `/reports/${imprint}`, act: press("Add to case…"), isOverPage: true },
  { name: "linked-account", path: `/linked?of=${accountId}` },
  { name: "linked-network", path: "/linked?of=AS64508" },
  { name: "linked-nothing", path: "/linked" },
  { name: "compare-form", path: "/compare" },
  { name: "cases-closed", path: "/cases?show=closed" },
  { name: "demo-run", path: `/demo?app=${webAppId}`, act: runComponent },
  { name: "members-invite", path: "/members", act: press("Invite"), isOverPage: true },
  { name: "audit-nothing-found", path: "/audit?target=nothing" },
  { name: "settings-retention", path: "/settings", act: press("Change…"), isOverPage: true },
  { name: "trials-block", path: "/trials", act: press("Block…"), isOverPage: true },
  { name: "trial-returned", path: `/trials/${returnedId}` },
  { name: "trial-unclear", path: `/trials/${unclearId}` },
  { name: "not-found", path: "/nothing-here" },
  { name: "palette", path: "", act: openPalette, isOverPage: true },
  { name: "navigation", path: "", act: openNavigation, isOverPage: true },
  { name: "overview-waiting", path: "", missing: { table: "visits", how: "locked" } },
  { name: "reports-waiting", path: "/reports", missing: { table: "visits", how: "locked" } },
  { name: "reports-failed", path: "/reports", missing: { table: "visits", how: "gone" } },
  { name: "keys-failed", path: "/keys", missing: { table: "api_keys", how: "gone" } },
  { name: "console-failed", path: "/keys", missing: { table: "workspaces", how: "gone" } },
];

/** Pages as seen by an analyst without further permissions. */
const analystPages = ({ imprint, deviceId, caseId }: Examples): Unsigned[] => [
  { name: "analyst-device", path: `/devices/${deviceId}` },
  { name: "analyst-case", path: `/cases/${caseId}` },
  { name: "analyst-linked", path: `/linked?of=${deviceId}` },
  { name: "analyst-network", path: "/networks?of=64508" },
  { name: "analyst-reports", path: "/reports" },
  { name: "analyst-report", path: `/reports/${imprint}` },
  { name: "analyst-keys", path: "/keys" },
  { name: "analyst-audit", path: "/audit" },
  { name: "analyst-settings", path: "/settings" },
  { name: "analyst-instance", path: "/settings/instance" },
  { name: "analyst-trials", path: "/trials" },
];

const EMPTY_PATHS = [
  "",
  "/reports",
  "/devices",
  "/rules",
  "/labels",
  "/alerts",
  "/cases",
  "/web-apps",
  "/keys",
  "/keys/management",
  "/webhooks",
  "/usage",
  "/clients",
  "/audit",
  "/demo",
];

/** Every page of the product, in gallery order. */
export const screenshotsOf = (examples: Examples): Screenshot[] => [
  ...publicPages(examples).map((page) => ({ ...page, as: "nobody" as const })),
  ...[...consolePages(examples), ...pageStates(examples)].map((page) => ({
    ...page,
    path: examples.home + page.path,
    as: "owner" as const,
  })),
  ...analystPages(examples).map((page) => ({ ...page, path: examples.home + page.path, as: "analyst" as const })),
  { name: "missing-workspace", path: UNKNOWN_WORKSPACE, as: "owner" },
  { name: "consent", path: examples.consentUrl, as: "owner" },
  {
    name: "download",
    path: `/download?of=${new URL(examples.home).pathname}/reports/export%3Fformat=csv`,
    as: "owner",
  },
  { name: "download-refused", path: `/download?of=${UNKNOWN_WORKSPACE}/reports/export`, as: "owner" },
  ...EMPTY_PATHS.map((path) => ({
    name: `empty-${path === "" ? "overview" : path.slice(1).replace("/", "-")}`,
    path: examples.emptyHome + path,
    as: "owner" as const,
  })),
];
