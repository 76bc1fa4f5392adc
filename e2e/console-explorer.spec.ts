import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { type ConsoleFixture, OWNER, prepareConsole } from "./console/console-fixture";
import { fillWithDemoData } from "./console/demo-workspace";
import { expectReflow, recordFaults, settle, violationsOf } from "./console/console-page";
import { attackOn, countActions } from "./console/investigation";

const prepare = await prepareConsole();
let fixture: ConsoleFixture;
let home = "";

/** The IP address of the demo data's account farm, and an account that it shows on several devices. */
const ADDRESS = "192.0.2.8";
const ACCOUNT = "user-1007";
const PLACES = /\b(?:192\.0\.2|198\.51\.100|203\.0\.113)\.\d|2001:db8/;

beforeAll(async () => {
  fixture = await prepare();
  home = await fillWithDemoData(fixture);
});
afterAll(() => fixture.close());

test("an analyst finds the devices of a pasted IP address in two actions, and an account without its name in any URL", async () => {
  await fixture.asOwner(async (page) => {
    const faults = recordFaults(page, fixture.service.url);
    await page.goto(`${home}/reports`);
    const box = page.getByRole("searchbox", { name: "Imprint, device, address or account" });
    await box.fill(ADDRESS);
    await box.press("Enter");
    await page.waitForURL(/\/addresses\?of=192\.0\.2\.8$/);
    await page.getByRole("region", { name: "Devices at this address" }).getByRole("link").first().waitFor();
    await settle(page);
    expect(await violationsOf(page)).toEqual([]);
    await box.fill(ACCOUNT);
    await box.press("Enter");
    await page.waitForURL(/\/accounts\/acc_[0-9a-f]{32}$/);
    await page.getByRole("heading", { name: `Account ${ACCOUNT}` }).waitFor();
    expect(page.url()).not.toContain(ACCOUNT);
    await settle(page);
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole("link", { name: "Its Reports" }).click();
    await page.waitForURL(/\/reports\?span=90d&account=acc_/);
    await page.locator("[data-row-link]").nth(1).waitFor();
    await box.fill("AS64508");
    await box.press("Enter");
    await page.waitForURL(/\/networks\?of=64508$/);
    await page.getByRole("link", { name: "Its Reports" }).click();
    await page.waitForURL(/\/reports\?span=90d&asn=64508$/);
    await page.getByRole("link", { name: "Remove the filter Network: AS64508" }).waitFor();
    await page.locator("[data-row-link]").first().waitFor();
    await box.fill("nobody-knows-this");
    await box.press("Enter");
    await page.waitForURL(/\/search\?why=account$/);
    await page.getByText("This account has not been seen").waitFor();
    await settle(page);
    expect(await violationsOf(page)).toEqual([]);
    expect(faults).toEqual([]);
  });
});

/**
 * Saves the current filters as a view, opens it by name from elsewhere, then renames and deletes it; deletion cannot be
 * confirmed before its effects are counted.
 */
async function nameTheView(page: Page) {
  const menu = (name: string) => page.getByRole("button", { name, exact: true });
  const choose = async (button: string, item: string) => {
    await menu(button).click();
    await page.getByRole("menuitem", { name: item }).click();
  };
  const name = async (text: string, submit: string) => {
    await page.getByRole("dialog").getByRole("textbox", { name: "Name" }).fill(text);
    await page.getByRole("dialog").getByRole("button", { name: submit }).click();
    await menu(text).waitFor();
  };
  await choose("Views", "Save these filters…");
  await page.getByRole("dialog").waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await name("Dutch visits", "Save view");
  await page.goto(`${home}/reports`);
  await choose("Views", "Dutch visits");
  await page.waitForURL(/\/reports\?span=30d&country=NL$/);
  await choose("Dutch visits", "Rename this view…");
  await name("From the Netherlands", "Rename");
  let letCount = () => {};
  const isLet = new Promise<void>((resolve) => {
    letCount = resolve;
  });
  await page.route("**/reports?*", async (route) => {
    if (route.request().method() === "POST") await isLet;
    await route.fallback();
  });
  await choose("From the Netherlands", "Delete this view…");
  const confirm = page.getByRole("dialog").getByRole("button", { name: "Delete view" });
  await page.getByText("Counting what this ends").waitFor();
  expect(await confirm.isDisabled()).toBe(true);
  letCount();
  await confirm.click();
  await menu("Views").waitFor();
  await page.unroute("**/reports?*");
}

/** Selects a value of a filter. */
async function tick(page: Page, filter: string, value: string | RegExp) {
  await page
    .locator("summary")
    .filter({ hasText: `${filter}: ` })
    .click();
  await page.getByRole("group", { name: filter, exact: true }).getByRole("checkbox", { name: value }).check();
  await page
    .locator("summary")
    .filter({ hasText: `${filter}: ` })
    .click();
}

test("last night's attack is found from the Overview in two actions, and the Overview shows the rules that fired most", async () => {
  await fixture.asOwner(async (page) => {
    const faults = recordFaults(page, fixture.service.url);
    const { act, count } = countActions();
    await page.goto(home);
    const found = await attackOn(page).locator("xpath=ancestor::li/span").first().innerText();
    // First action: the unusual value links to exactly its visits.
    await act(attackOn(page).click());
    await page.waitForURL(/\/reports\?from=.*reason=/);
    await page.getByText(new RegExp(`^${found} Reports in the chosen time`)).waitFor();
    const rows = page.getByRole("region", { name: "Reports", exact: true }).locator("tbody tr");
    expect(await rows.filter({ hasText: "Deceptive" }).filter({ hasText: "sign-up" }).count()).toBe(12);
    // Second action: open one of them, with all its evidence.
    await act(page.locator("[data-row-link]").first().click());
    await page.getByRole("dialog").getByRole("heading", { name: "Findings" }).waitFor();
    expect(count()).toBe(2);
    await page.goto(home);
    expect(await page.locator("#rules tbody tr").count()).toBeGreaterThanOrEqual(3);
    await settle(page);
    expect(await violationsOf(page)).toEqual([]);
    expect(faults).toEqual([]);
  });
});

test("a chart can be read and selected by keyboard, touch and pointer, and the selected range opens a list with the same count", async () => {
  await fixture.asOwner(async (page) => {
    await page.goto(`${home}/reports?span=30d`);
    const chart = page.getByRole("slider", { name: /^Reports by verdict/ });
    await settle(page);
    await chart.focus();
    await page.keyboard.press("Home");
    for (let step = 0; step < 24; step += 1) await page.keyboard.press("Shift+ArrowRight");
    const text = (await chart.getAttribute("aria-valuetext")) ?? "";
    expect(text).toMatch(/UTC: Pass \d+, Suspicious \d+, Deceptive \d+$/);
    await settle(page);
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/reports\?from=.*&to=/);
    const chosen = new URL(page.url()).searchParams;
    const days = (Date.parse(chosen.get("to") ?? "") - Date.parse(chosen.get("from") ?? "")) / 86_400_000;
    expect(days).toBe(25);
    const told = await page.getByText(/Reports in the chosen time/).textContent();
    await page.waitForFunction(() => document.querySelectorAll("figure tbody tr").length > 0);
    const cells = await page.locator("figure tbody td:not(:first-child)").allTextContents();
    expect(Number(/\d+/.exec(told ?? "")?.[0])).toBe(cells.reduce((sum, cell) => sum + Number(cell), 0));
    await page.goto(`${home}/reports?span=30d`);
    await settle(page);
    const box = await chart.boundingBox();
    if (!box) throw new Error("the chart has no bounding box");
    const y = box.y + box.height / 2;
    await page.mouse.move(box.x + box.width * 0.3, y);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.6, y, { steps: 4 });
    await page.mouse.up();
    await page.waitForURL(/\/reports\?from=.*&to=/);
  });
});

test("Explore counts by two dimensions, links to the visits of a row, and can be saved as a view", async () => {
  await fixture.asOwner(async (page) => {
    await page.goto(`${home}/explore?span=30d`);
    await page.getByLabel("Visits by").selectOption("surface");
    await page.getByLabel("and", { exact: true }).selectOption("browser");
    await page.getByRole("button", { name: "Show", exact: true }).first().click();
    await page.waitForURL(/by=surface&and=browser/);
    const row = page.locator("#most tbody tr").first();
    await row.waitFor();
    const visits = await row.getByRole("cell").nth(2).textContent();
    await settle(page);
    expect(await violationsOf(page)).toEqual([]);
    await expectReflow(page, "Explore");
    await page.setViewportSize({ width: 1360, height: 900 });
    await row.getByRole("link").click();
    await page.waitForURL(/\/reports\?from=.*surface=.*browser=/);
    await page.getByText(`${visits ?? ""} Reports in the chosen time`).waitFor();
  });
});

test("signing in returns to the filters of the link", async () => {
  const context = await fixture.browser.newContext();
  await fixture.withPage(Promise.resolve(context), async (page) => {
    const path = new URL(`${home}/reports?risk=DECEPTIVE&span=90d`);
    await page.goto(path.href);
    await page.waitForURL(/\/sign-in\?/);
    expect(new URL(page.url()).searchParams.get("next")).toBe(path.pathname + path.search);
  });
});

test("filters are in the URL and shown as chips, and the exported file has the same Reports", async () => {
  await fixture.asOwner(async (page) => {
    await page.goto(`${home}/reports?span=30d`);
    await page.locator("summary").filter({ hasText: "More filters" }).click();
    await settle(page);
    expect(await violationsOf(page)).toEqual([]);
    await tick(page, "Reason", "Software seems to drive the browser");
    await tick(page, "Country", /^Netherlands/);
    await page.getByRole("button", { name: "Show" }).click();
    await page.waitForURL(/\/reports\?span=30d&reason=AUTOMATION_DETECTED&country=NL$/);
    await page.getByRole("link", { name: /Remove the filter Country: Netherlands/ }).waitFor();
    const shown = await page
      .locator("[data-row-link]")
      .evaluateAll((links) => links.map((link) => link.getAttribute("href")));
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "JSON", exact: true }).click(),
    ]);
    const chunks: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
    const file = JSON.parse(Buffer.concat(chunks).toString("utf8")) as { count: number; reports: unknown[] };
    expect(file.reports.length).toBe(file.count);
    expect(file.count).toBeGreaterThanOrEqual(shown.length);
    expect(JSON.stringify(file.reports)).not.toContain('"country_code":"SG"');
    await page.getByRole("link", { name: /Remove the filter Reason/ }).click();
    await page.waitForURL(/\/reports\?span=30d&country=NL$/);
    await page.getByRole("link", { name: /Remove the filter Country: Netherlands/ }).waitFor();
    await nameTheView(page);
    await page.goto(`${home}/reports?span=24h&browser=Netscape`);
    await page.getByText("No Reports match").waitFor();
  });
});

test("a Report opens next to the list, restores the focus, and is a page with its own URL", async () => {
  await fixture.asOwner(async (page) => {
    await page.goto(`${home}/reports?reason=AUTOMATION_DETECTED&span=90d`);
    await settle(page);
    const row = page.locator("[data-row-link]").first();
    const imprint = ((await row.getAttribute("href")) ?? "").split("/").at(-1) ?? "";
    await row.click();
    const panel = page.getByRole("dialog");
    await panel.getByRole("heading", { name: "Findings" }).waitFor();
    expect(page.url()).toContain(imprint);
    await settle(page);
    expect(await violationsOf(page)).toEqual([]);
    await page.setViewportSize({ width: 320, height: 800 });
    await expectReflow(page, "the panel");
    await page.keyboard.press("Escape");
    await panel.waitFor({ state: "detached" });
    await page.waitForURL(/reason=AUTOMATION_DETECTED/);
    expect(await page.evaluate(() => document.activeElement?.getAttribute("href"))).toContain(imprint);
    await page.setViewportSize({ width: 1360, height: 900 });
    await page.goto(`${home}/reports/${imprint}`);
    for (const name of ["Findings", "Network", "Account map", "Raw JSON"])
      await page.getByRole("heading", { name, exact: true }).waitFor();
    await page.getByRole("img", { name: /^Map: the address lies in/ }).waitFor();
    await page.getByText(/Rule automation\.webdriver-flag/).waitFor();
    await page.locator("#device").getByRole("link").first().click();
    await page.waitForURL(/\/devices\/dev_/);
    await page.getByRole("heading", { name: "Addresses and countries" }).waitFor();
    await settle(page);
    expect(await violationsOf(page)).toEqual([]);
    await expectReflow(page, "a device with accounts and addresses");
  });
});

test("times are shown in the viewer's time zone once chosen, with the zone named, and an export covers the days of that zone", async () => {
  const context = await fixture.signedIn(OWNER, { timezoneId: "Asia/Tokyo" });
  await fixture.withPage(Promise.resolve(context), async (page) => {
    await page.goto(`${home}/devices`);
    await page.getByRole("button", { name: "Asia/Tokyo" }).click();
    await page.getByRole("button", { name: "Asia/Tokyo", pressed: true }).waitFor();
    const title = await page.locator("td time").first().getAttribute("title");
    expect(title).toMatch(/UTC\+9$/);
    // The audit log records the range of an export.
    expect((await page.request.get(`${home}/reports/export?span=30d&format=csv`)).status()).toBe(200);
    const exported = await page.request.get(`${home}/audit/export?action=export.create&format=csv`);
    expect(await exported.text()).toMatch(/""from"":""[\d-]+T15:00:00\.000Z""/);
    await settle(page);
    expect(await violationsOf(page)).toEqual([]);
  });
});

test("people who may not see IP addresses and locations are told so everywhere, and neither pages nor files contain any", async () => {
  await fixture.asAnalyst(async (page) => {
    await page.goto(`${home}/reports?span=30d`);
    await settle(page);
    expect(await page.content()).not.toMatch(PLACES);
    const device = await page.locator("a[href*='/devices/dev_']").first().getAttribute("href");
    await page.goto(`${fixture.service.url}${device ?? ""}`);
    await page.getByText("Addresses and places are not part of your role").waitFor();
    expect(await page.content()).not.toMatch(PLACES);
    await page.goto(`${home}/addresses?of=${ADDRESS}`);
    await page.getByText("Addresses and places are not part of your role").waitFor();
    await page.goto(`${home}/reports?country=DE`);
    await page.getByText("Addresses and places are not part of your role").waitFor();
    const cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");
    const file = (query: string) => fetch(`${home}/reports/export?${query}`, { headers: { Cookie: cookie } });
    const whole = await file("span=30d&format=csv");
    expect(whole.status).toBe(200);
    expect(await whole.text()).not.toMatch(PLACES);
    expect((await file(`address=${ADDRESS}&format=csv`)).status).toBe(403);
    expect((await fetch(`${home}/reports/export?format=csv`)).status).toBe(401);
    const sent = { method: "POST", headers: { Cookie: cookie, Origin: "https://elsewhere.example" } };
    expect((await fetch(`${home}/search/go`, { ...sent, body: new URLSearchParams({ search: ACCOUNT }) })).status).toBe(
      403,
    );
  });
});
