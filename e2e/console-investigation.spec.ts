import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { type ConsoleFixture, OWNER, prepareConsole } from "./console/console-fixture";
import { expectReflow, recordFaults, settle, violationsOf } from "./console/console-page";
import { fillWithDemoData } from "./console/demo-workspace";
import {
  accountsOf,
  attackOn,
  countActions,
  download,
  farmOf,
  readUnprintable,
  soundAndNarrow,
} from "./console/investigation";

const prepare = await prepareConsole();
let fixture: ConsoleFixture;
let home = "";

/** In the demo data. */
const ADDRESS = "192.0.2.8";
const PLACES = /\b(?:192\.0\.2|198\.51\.100|203\.0\.113)\.\d|2001:db8/;

beforeAll(async () => {
  fixture = await prepare();
  home = await fillWithDemoData(fixture);
});
afterAll(() => fixture.close());

test("an analyst compares two visits in 3 actions from the Overview", async () => {
  await fixture.asOwner(async (page) => {
    const { act, count } = countActions();
    await page.goto(home);
    await act(page.getByRole("navigation", { name: "Console" }).getByRole("link", { name: "Devices" }).click());
    await act(farmOf(page).click());
    await act(page.getByRole("button", { name: "Compare the two chosen" }).click());
    await page.getByRole("heading", { name: "What changed" }).waitFor();
    await page.getByRole("heading", { name: "What could not change" }).waitFor();
    await page.getByText("automation.webdriver-flag").first().waitFor();
    expect(count()).toBe(3);
    await soundAndNarrow(page, "a comparison");
  });
});

test("an analyst explains one customer's lock-out in 3 actions from the Overview", async () => {
  await fixture.asOwner(async (page) => {
    const { act, count } = countActions();
    await page.goto(home);
    await settle(page);
    await act(page.keyboard.press("Control+k"));
    const box = page.getByRole("combobox", { name: "Page or anything to search for" });
    await box.fill("farm-70-3");
    await act(box.press("Enter"));
    await page.getByRole("heading", { name: "Account farm-70-3" }).waitFor();
    expect(page.url()).not.toContain("farm-70-3");
    await act(page.locator("#visits [data-row-link]").first().click());
    await page.getByRole("heading", { name: "Findings" }).waitFor();
    await page.getByText("Also seen with").first().waitFor();
    expect(count()).toBe(3);
  });
});

test("an analyst finds the three rules that fire most, with their precision, in 2 actions from the Overview", async () => {
  await fixture.asOwner(async (page) => {
    const { act, count } = countActions();
    await page.goto(home);
    await act(page.locator("#rules").getByRole("link", { name: "Precision" }).click());
    const rows = page.getByRole("region", { name: "Rules", exact: true }).last().getByRole("row");
    await rows.nth(3).waitFor();
    const visits: number[] = [];
    for (const index of [1, 2, 3]) {
      const cells = await rows.nth(index).getByRole("cell").allInnerTexts();
      expect(cells[0], "the rule").toMatch(/^[a-z]+\.[a-z-]+/);
      visits.push(Number((cells[1] ?? "").split("\n")[0]?.replaceAll(",", "")));
      expect(cells[2], `precision of ${cells[0] ?? ""}`).toMatch(/^\d+(?:\.\d)? %\s*\d+(?:\.\d)? to \d+(?:\.\d)? %/);
    }
    expect(visits).toEqual(visits.toSorted((a, b) => b - a));
    expect(visits.at(-1)).toBeGreaterThan(0);
    expect(count()).toBeLessThanOrEqual(2);
  });
});

test("an analyst finds last night's attack in 2 actions from the Overview and exports evidence with all affected accounts in 4, without IP addresses unless permitted", async () => {
  await fixture.asOwner(async (page) => {
    const { act, count } = countActions();
    await page.goto(home);
    await act(attackOn(page).click());
    const accounts = await accountsOf(page);
    expect(accounts.length).toBe(12);
    await act(page.locator("[data-row-link]").first().click());
    const panel = page.getByRole("dialog");
    await panel.getByRole("heading", { name: "Findings" }).waitFor();
    await panel.getByText("Software seems to drive the browser").first().waitFor();
    expect(count()).toBe(2);
    await act(panel.locator("#device").getByRole("link").first().click());
    await page.waitForURL(/\/devices\/dev_/);
    let evidence = "";
    await act(download(page, "Export evidence").then((text) => (evidence = text)));
    expect(count()).toBe(4);
    const touched = Number(/<h2>Accounts \((\d+)\)<\/h2>/.exec(evidence)?.[1]);
    expect(touched).toBeGreaterThanOrEqual(accounts.length);
    expect(accounts.filter((account) => !evidence.includes(account))).toEqual([]);
    expect(evidence.match(/[0-9a-f]{64}/g)?.length).toBeGreaterThanOrEqual(accounts.length);
    const device = page.url();
    await fixture.asAnalyst(async (other) => {
      await other.goto(device);
      const theirs = await download(other, "Export evidence");
      expect(theirs).toContain(`<h2>Accounts (${touched})</h2>`);
      expect(theirs).not.toMatch(PLACES);
    });
  });
});

test("Reports, a device, a case with the longest name and its evidence are printed whole, dark on white, without controls", async () => {
  const of = ["--workspace", home.split("/").at(-1) ?? ""];
  const named = ["--name", "W".repeat(80), "--item", ADDRESS];
  const { case_id: caseId = "" } = await fixture.service.admin("case", "create", ...of, ...named);
  const context = fixture.signedIn(OWNER, { colorScheme: "dark", viewport: { width: 794, height: 1123 } });
  await fixture.withPage(context, async (page) => {
    const printed = async (what: string, path: string) => {
      await page.goto(path);
      await settle(page);
      await page.emulateMedia({ media: "print" });
      expect(await readUnprintable(page), what).toEqual([]);
      const scheme = await page.locator("html").evaluate((element) => getComputedStyle(element).colorScheme);
      expect(scheme, what).toBe("light");
      await page.emulateMedia({ media: "screen" });
    };
    const hrefOf = async (link: Locator) => new URL((await link.getAttribute("href")) ?? "", home).href;
    await printed("the list of Reports", `${home}/reports`);
    await printed("a Report", await hrefOf(page.locator("[data-row-link]").first()));
    await page.goto(`${home}/devices`);
    await printed("a device", await hrefOf(farmOf(page)));
    await printed("a case", `${home}/cases/${caseId}`);
    const file = await page.context().newPage();
    await file.setContent(await download(page, "Export evidence"));
    await file.emulateMedia({ media: "print" });
    expect(await readUnprintable(file), "evidence").toEqual([]);
  });
});

test("a case is opened from a device, shows its group as a ring and its visits as a table, accepts comments by keyboard, and is exported", async () => {
  await fixture.asOwner(async (page) => {
    const faults = recordFaults(page, fixture.service.url);
    await page.goto(`${home}/devices`);
    await farmOf(page).click();
    await page.getByRole("link", { name: "What it is linked with" }).click();
    await page.getByText("Group 1: Accounts and devices form a ring").waitFor();
    await soundAndNarrow(page, "what is linked");
    const drawn = page.getByRole("group", { name: /^Drawing of what is linked/ }).getByRole("link");
    await drawn.nth(1).focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/(?:accounts|addresses|devices)/);
    await page.goBack();
    await page.getByRole("button", { name: "Add to case…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox", { name: "Name" }).fill("Sign-ups of last night");
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Open case" }).click();
    await page.waitForURL(/\/cases\/case_/);
    await page.getByRole("textbox", { name: "Comment" }).fill("All from one rented server");
    await page.keyboard.press("Control+Enter");
    await page.locator("#history").getByText("All from one rented server").waitFor();
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.locator("#visits").getByRole("columnheader", { name: "Account" }).waitFor();
    expect(await cutOff(page, "Visits of this case")).toBe(0);
    await page.getByLabel("Status").selectOption("closed");
    await page.locator("#history").getByText("set the status from open to closed").waitFor();
    await soundAndNarrow(page, "a case");
    const file = await download(page, "Export evidence as CSV");
    expect(file.split("\r\n")[0]).toContain("report_sha256");
    await page.goto(`${home}/cases?show=closed`);
    await page.getByRole("link", { name: "Sign-ups of last night" }).waitFor();
    await soundAndNarrow(page, "the list of cases");
    expect(faults).toEqual([]);
  });
});

const cutOff = (page: Page, name: string) =>
  page.getByRole("region", { name, exact: true }).evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);

test("the list of Reports shows every column on a laptop, and its reasons in words with their codes", async () => {
  await fixture.asOwner(async (page) => {
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goto(`${home}/reports?reason=AUTOMATION_DETECTED&span=90d`);
    await page.getByRole("columnheader", { name: "Surface" }).waitFor();
    expect(await cutOff(page, "Reports")).toBe(0);
    const reason = page.getByRole("cell", { name: /^Software seems to drive the browser/ }).first();
    expect(await reason.getAttribute("title")).toContain("Software seems to drive the browser (AUTOMATION_DETECTED)");
    await page.setViewportSize({ width: 1024, height: 900 });
    for (const [path, list] of [
      ["reports", "Reports"],
      ["keys", "Keys"],
      ["web-apps", "Web Apps"],
      ["audit", "Audit log"],
    ] as const) {
      await page.goto(`${home}/${path}`);
      expect(await cutOff(page, list), path).toBe(0);
    }
  });
});

test("HEAD has the headers of a file, and neither reads it nor records an export", async () => {
  await fixture.asOwner(async (page) => {
    const recorded = async () => {
      const log = await page.request.get(`${home}/audit/export?action=export.create&format=json`);
      return (await log.text()).split("\n").filter((line) => !line.includes('"target":"audit_log"')).length;
    };
    const before = await recorded();
    const evidence = `evidence?of=${encodeURIComponent(ADDRESS)}`;
    for (const file of ["reports/export?format=csv", "labels/export", "audit/export?format=json", evidence]) {
      const answer = await page.request.head(`${home}/${file}`);
      expect(answer.status(), file).toBe(200);
      expect(answer.headers()["content-disposition"], file).toMatch(/^attachment; filename="[a-z0-9.-]+"$/);
    }
    expect((await page.request.head(`${home}/privacy/export?device=dev_0`)).status()).toBe(404);
    expect(await recorded()).toBe(before);
  });
});

test("a file that is asked for after the session has ended says why, and comes after signing in in a new tab", async () => {
  await fixture.asOwner(async (page) => {
    const context = page.context();
    const cookies = await context.cookies();
    await page.goto(`${fixture.home}/audit`);
    await settle(page);
    await context.clearCookies({ name: "authjs.session-token" });
    const link = page.getByRole("link", { name: "CSV" });
    await link.press("Enter");
    const dialog = page.getByRole("dialog", { name: "The file was not downloaded" });
    await dialog.getByRole("alert").getByText("You are signed out.").waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("CSV");
    await page.keyboard.press("Enter");
    const [other] = await Promise.all([
      context.waitForEvent("page"),
      dialog.getByRole("link", { name: "Sign in in a new tab" }).click(),
    ]);
    await other.close();
    await context.addCookies(cookies);
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      dialog.getByRole("button", { name: "Try again" }).click(),
    ]);
    expect([file.suggestedFilename(), await file.failure()]).toEqual(["audit-log.csv", null]);
    await dialog.waitFor({ state: "detached" });
  });
});

test("the address of a file that is opened while signed out leads through signing in to the file, and tells a program", async () => {
  await fixture.asOwner(async (page) => {
    const context = page.context();
    const cookies = await context.cookies();
    await context.clearCookies({ name: "authjs.session-token" });
    const file = `${fixture.home}/usage/export?month=2026-01`;
    const answer = await page.request.get(file, { headers: { Accept: "application/json" } });
    expect([answer.status(), await answer.json()]).toMatchObject([401, { error: { code: "auth_failed" } }]);
    await page.goto(file);
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await context.addCookies(cookies);
    const [saved] = await Promise.all([page.waitForEvent("download"), page.reload()]);
    expect([saved.suggestedFilename(), await saved.failure()]).toEqual(["usage-2026-01.csv", null]);
    await settle(page);
    expect(await violationsOf(page)).toEqual([]);
    await expectReflow(page, "download");
    await page.goto(`${fixture.home}/privacy/export?device=dev_0`);
    await page.getByRole("dialog", { name: "The file was not downloaded" }).getByText("no longer there").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "To the Console" }).click();
    await page.waitForURL(fixture.home);
  });
});

test("a page that is shown again by Back shows what has changed since, and not at all once the session has ended", async () => {
  const { case_id: caseId = "" } = await fixture.service.admin(
    ...["case", "create", "--workspace", fixture.site.workspaceId, "--name", "Left for a while"],
  );
  await fixture.asOwner(async (page) => {
    await page.goto(`${fixture.home}/cases`);
    await settle(page);
    const row = page.getByRole("link", { name: "Left for a while" });
    await row.waitFor();
    const leave = async (name: string) => {
      await page.getByRole("navigation", { name: "Console" }).getByRole("link", { name }).click();
      await page.getByRole("heading", { name, level: 1 }).waitFor();
    };
    await leave("Webhooks");
    await fixture.service.admin("case", "delete", "--workspace", fixture.site.workspaceId, "--case", caseId);
    await page.goBack();
    await page.getByRole("heading", { name: "Cases", level: 1 }).waitFor();
    await row.waitFor({ state: "detached" });
    await leave("Webhooks");
    await page.context().clearCookies({ name: "authjs.session-token" });
    await page.goBack();
    await page.getByRole("heading", { name: "Sign in", level: 1 }).waitFor();
  });
});
