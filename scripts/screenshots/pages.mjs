/** @typedef {{ name: string, path: string, isSignedIn?: boolean, act?: (page: import("playwright-core").Page) => Promise<void> }} Shot */

/**
 * Every page of the product, in the order in which a person leafs through them.
 *
 * @param {{ home: string, webAppId: string, keyId: string, imprint: string, deviceId: string, joinUrl: string, emptyHome: string, consentUrl: string }} scene
 * @returns {Shot[]}
 */
export const shotsOf = ({ home, webAppId, keyId, imprint, deviceId, joinUrl, emptyHome, consentUrl }) => {
  const inConsole = (/** @type {string} */ name, /** @type {string} */ path, /** @type {Shot["act"]} */ act) => ({
    name,
    path: `${home}${path}`,
    isSignedIn: true,
    ...(act ? { act } : {}),
  });
  /** @param {string} button */
  const press = (button) => async (/** @type {import("playwright-core").Page} */ page) => {
    await page.getByRole("button", { name: button }).first().click();
    await page.getByRole("dialog").waitFor();
  };
  /** @param {string} name @param {string} path */
  const whenEmpty = (name, path) => ({ name: `empty-${name}`, path: `${emptyHome}${path}`, isSignedIn: true });
  return [
    { name: "start", path: "/" },
    { name: "setup-used", path: "/setup?token=used" },
    { name: "sign-in", path: "/sign-in" },
    { name: "sign-in-check", path: "/sign-in/check" },
    { name: "join", path: joinUrl },
    { name: "docs", path: "/docs" },
    { name: "docs-concepts", path: "/docs/concepts" },
    { name: "docs-api", path: "/docs/api" },
    { name: "docs-error", path: "/docs/errors/auth_failed" },
    { name: "docs-search", path: "/docs/search?q=key" },
    inConsole("overview", ""),
    inConsole("reports", "/reports"),
    inConsole("reports-deceptive", "/reports?risk=DECEPTIVE"),
    inConsole("reports-nothing-found", "/reports?search=hello"),
    inConsole("report", `/reports/${imprint}`),
    inConsole("devices", "/devices"),
    inConsole("device", `/devices/${deviceId}`),
    inConsole("address", "/addresses?of=203.0.113.0/24"),
    inConsole("search-nothing-found", "/search?why=account"),
    inConsole("web-apps", "/web-apps"),
    inConsole("web-app", `/web-apps/${webAppId}`),
    inConsole("usage", "/usage"),
    inConsole("keys", "/keys"),
    inConsole("keys-new", "/keys", press("New key")),
    inConsole("key", `/keys/${keyId}`),
    inConsole("connect", "/connect"),
    inConsole("demo", "/demo"),
    inConsole("clients", "/clients"),
    inConsole("clients-calls", "/clients/calls"),
    inConsole("members", "/members"),
    inConsole("members-invite", "/members", press("Invite")),
    inConsole("audit", "/audit"),
    inConsole("audit-nothing-found", "/audit?target=nothing"),
    inConsole("privacy", "/privacy"),
    inConsole("settings", "/settings"),
    inConsole("settings-you", "/settings/you"),
    inConsole("settings-instance", "/settings/instance"),
    inConsole("trials", "/trials"),
    inConsole("not-found", "/nothing-here"),
    inConsole("palette", "", async (page) => {
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox", { name: "Page or anything to search for" }).waitFor();
    }),
    inConsole("keys-menu", "/keys", async (page) => {
      await page
        .getByRole("button", { name: /^Actions for/ })
        .first()
        .click();
      await page.getByRole("menu").waitFor();
    }),
    inConsole("report-panel", "/reports?risk=DECEPTIVE", async (page) => {
      await page.locator("[data-row-link]").first().click();
      await page.getByRole("dialog").getByRole("heading", { name: "Findings" }).waitFor();
    }),
    { name: "consent", path: consentUrl, isSignedIn: true },
    ...["", "/reports", "/devices", "/web-apps", "/keys", "/usage", "/clients", "/audit"].map((path) =>
      whenEmpty(path === "" ? "overview" : path.slice(1), path),
    ),
  ];
};
