/** @typedef {import("playwright-core").Page} Page */

/**
 * @typedef {{
 *   name: string,
 *   path: string,
 *   as: "nobody" | "owner" | "analyst",
 *   act?: (page: Page) => Promise<void>,
 *   isOverPage?: boolean,
 *   missing?: { table: string, how: "gone" | "locked" },
 * }} Shot `act` happens after the page is there; `isOverPage`: what it opens lies over the page; `missing`: the table
 *   that the service is kept from meanwhile
 */

/**
 * @typedef {{
 *   home: string, emptyHome: string, joinUrl: string, consentUrl: string, webAppId: string, keyId: string,
 *   imprint: string, deviceId: string, accountId: string, boughtId: string, returnedId: string, unclearId: string,
 * }} Scene
 */

const UNKNOWN_WORKSPACE = `/w/ws_${"0".repeat(32)}`;

/** @param {string} button */
const press = (button) => async (/** @type {Page} */ page) => {
  await page.getByRole("button", { name: button }).first().click();
  await page.getByRole("dialog").waitFor();
};

/** @param {Page} page */
const openKeyMenu = async (page) => {
  await page
    .getByRole("button", { name: /^Actions for/ })
    .first()
    .click();
  await page.getByRole("menu").waitFor();
};

/** @param {Page} page */
const openPalette = async (page) => {
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Page or anything to search for" }).waitFor();
};

/** @param {Page} page */
const openFirstReport = async (page) => {
  await page.locator("[data-row-link]").first().click();
  await page.getByRole("dialog").getByRole("heading", { name: "Findings" }).waitFor();
};

/** @param {Page} page */
const openFirstReportAsPage = async (page) => {
  await openFirstReport(page);
  await page.getByRole("dialog").getByRole("link", { name: "Open as a page" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.getByRole("heading", { name: "Findings" }).waitFor();
};

/** @param {Page} page */
const runComponent = async (page) => {
  await page.getByRole("button", { name: "Run the component" }).click();
  await page.getByRole("heading", { name: "Findings" }).waitFor();
};

/** @param {Page} page */
const openNavigation = async (page) => {
  const button = page.getByRole("button", { name: "Open the navigation" });
  if (!(await button.isVisible())) return;
  await button.click();
  await page.getByRole("dialog").waitFor();
};

/** Pages for everybody. @param {Scene} scene @returns {Omit<Shot, "as">[]} */
const openShots = ({ joinUrl }) => [
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

/** Pages of a workspace with data, below its address. @param {Scene} scene @returns {Omit<Shot, "as">[]} */
const consoleShots = ({ webAppId, keyId, imprint, deviceId, accountId, boughtId, returnedId, unclearId }) => [
  { name: "overview", path: "" },
  { name: "reports", path: "/reports" },
  { name: "reports-deceptive", path: "/reports?risk=DECEPTIVE" },
  { name: "reports-nothing-found", path: "/reports?search=hello" },
  { name: "report", path: `/reports/${imprint}` },
  { name: "report-panel", path: "/reports?risk=DECEPTIVE", act: openFirstReport, isOverPage: true },
  {
    name: "report-agent",
    path: "/reports?risk=SUSPICIOUS&reason=AUTOMATION_DETECTED&span=90d",
    act: openFirstReportAsPage,
  },
  { name: "report-missing", path: `/reports/imp_${"0".repeat(32)}` },
  { name: "devices", path: "/devices" },
  { name: "device", path: `/devices/${deviceId}` },
  { name: "account", path: `/accounts/${accountId}` },
  { name: "address", path: "/addresses?of=203.0.113.0/24" },
  { name: "search-nothing-found", path: "/search?why=account" },
  { name: "web-apps", path: "/web-apps" },
  { name: "web-app", path: `/web-apps/${webAppId}` },
  { name: "usage", path: "/usage" },
  { name: "keys", path: "/keys" },
  { name: "keys-new", path: "/keys", act: press("New key"), isOverPage: true },
  { name: "keys-menu", path: "/keys", act: openKeyMenu, isOverPage: true },
  { name: "key", path: `/keys/${keyId}` },
  { name: "connect", path: "/connect" },
  { name: "demo", path: `/demo?app=${webAppId}` },
  { name: "demo-run", path: `/demo?app=${webAppId}`, act: runComponent },
  { name: "clients", path: "/clients" },
  { name: "clients-calls", path: "/clients/calls" },
  { name: "members", path: "/members" },
  { name: "members-invite", path: "/members", act: press("Invite"), isOverPage: true },
  { name: "audit", path: "/audit" },
  { name: "audit-nothing-found", path: "/audit?target=nothing" },
  { name: "privacy", path: "/privacy" },
  { name: "settings", path: "/settings" },
  { name: "settings-retention", path: "/settings", act: press("Change…"), isOverPage: true },
  { name: "settings-you", path: "/settings/you" },
  { name: "settings-instance", path: "/settings/instance" },
  { name: "trials", path: "/trials" },
  { name: "trials-block", path: "/trials", act: press("Block…"), isOverPage: true },
  { name: "trial-bought", path: `/trials/${boughtId}` },
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

/** What an analyst without further permissions sees. @returns {Omit<Shot, "as">[]} */
const analystShots = (/** @type {Scene} */ { imprint }) => [
  { name: "analyst-reports", path: "/reports" },
  { name: "analyst-report", path: `/reports/${imprint}` },
  { name: "analyst-keys", path: "/keys" },
  { name: "analyst-audit", path: "/audit" },
  { name: "analyst-settings", path: "/settings" },
  { name: "analyst-instance", path: "/settings/instance" },
  { name: "analyst-trials", path: "/trials" },
];

const EMPTY_PATHS = ["", "/reports", "/devices", "/web-apps", "/keys", "/usage", "/clients", "/audit", "/demo"];

/**
 * Every page of the product, in the order in which a person leafs through them.
 *
 * @param {Scene} scene
 * @returns {Shot[]}
 */
export const shotsOf = (scene) => [
  ...openShots(scene).map((shot) => ({ ...shot, as: /** @type {const} */ ("nobody") })),
  ...consoleShots(scene).map((shot) => ({ ...shot, path: scene.home + shot.path, as: /** @type {const} */ ("owner") })),
  ...analystShots(scene).map((shot) => ({
    ...shot,
    path: scene.home + shot.path,
    as: /** @type {const} */ ("analyst"),
  })),
  { name: "missing-workspace", path: UNKNOWN_WORKSPACE, as: "owner" },
  { name: "consent", path: scene.consentUrl, as: "owner" },
  ...EMPTY_PATHS.map((path) => ({
    name: `empty-${path === "" ? "overview" : path.slice(1)}`,
    path: scene.emptyHome + path,
    as: /** @type {const} */ ("owner"),
  })),
];
