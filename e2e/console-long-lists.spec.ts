import { afterAll, beforeAll, expect, test } from "vitest";

import { type ConsoleFixture, prepareConsole } from "./console/console-fixture";
import { settle, violationsOf } from "./console/console-page";

const MEMBERS = 120;
const APPS = 14;
/** More than the pages list at once. */
const SHOWN = 100;

const prepare = await prepareConsole();
let fixture: ConsoleFixture;

beforeAll(async () => {
  fixture = await prepare();
  for (let index = 0; index < MEMBERS; index++)
    await fixture.addMember(fixture.site.workspaceId, `person-${index}@example.com`, "analyst");
});
afterAll(() => fixture.close());

test("with many members, a log is filtered by a part of an address, and the page does not list them all", async () => {
  await fixture.asOwner(async (page) => {
    for (const [path, label] of [
      ["/audit", "By"],
      ["/clients/calls", "Person"],
    ] as const) {
      await page.goto(`${fixture.home}${path}`);
      await settle(page);
      expect(await page.locator("option").count()).toBeLessThan(SHOWN);
      await page.getByLabel(label, { exact: true }).fill("person-11");
      await page.getByRole("button", { name: "Filter" }).click();
      const few = page.getByRole("combobox", { name: label, exact: true });
      await few.selectOption({ label: "person-117@example.com" });
      expect(await violationsOf(page)).toEqual([]);
      await page.getByRole("button", { name: "Filter" }).click();
      await page.locator(`input[value="person-117@example.com"]`).waitFor();
    }
    await page.goto(`${fixture.home}/audit?actor=nobody-at-all`);
    await page.getByText("Nothing matches this").waitFor();
    await page.goto(`${fixture.home}/audit?actor=owner@`);
    await page.locator(`input[value="owner@example.com"]`).waitFor();
  });
});

test("a case is assigned to a member who is not among the first ones, and the audit log names that person", async () => {
  const assigned = `person-${MEMBERS - 1}@example.com`;
  await fixture.asOwner(async (page) => {
    const { case_id: caseId = "" } = await fixture.service.admin(
      ...["case", "create", "--workspace", fixture.site.workspaceId, "--name", "Many members"],
    );
    await page.goto(`${fixture.home}/cases/${caseId}`);
    await settle(page);
    const people = page.getByRole("combobox", { name: "Assigned to" });
    expect(await people.locator("option").count()).toBe(SHOWN + 1);
    await page.getByLabel("Comment").fill("Half a sentence");
    await page.getByRole("searchbox", { name: "Members to assign it to" }).fill(assigned);
    await page.getByRole("button", { name: "Find" }).click();
    await page.waitForURL(/member=/);
    await settle(page);
    expect(await page.getByLabel("Comment").inputValue()).toBe("Half a sentence");
    await people.selectOption({ label: assigned });
    await page.getByText("The case is assigned").waitFor();
    await page.goto(`${fixture.home}/audit?action=case.assign`);
    await page.getByText(`none → ${assigned}`).waitFor();
    await page.getByRole("link", { name: "Many members" }).waitFor();
    await page
      .getByRole("button", { name: /^Copy usr_/ })
      .first()
      .waitFor();
  });
});

test("a long list of check boxes is searched, and what was checked before stays", async () => {
  for (let index = 0; index < APPS; index++)
    await fixture.service.admin(
      "web-app",
      "create",
      "--workspace",
      fixture.site.workspaceId,
      "--name",
      `Branch ${index}`,
    );
  await fixture.asOwner(async (page) => {
    await page.goto(`${fixture.home}/reports`);
    await settle(page);
    await page.getByText("More filters").click();
    await page.locator("summary", { hasText: "Web App" }).click();
    const group = page.getByRole("group", { name: "Web App" });
    const boxes = group.getByRole("checkbox");
    const find = page.getByRole("searchbox", { name: "Find in Web App" });
    const all = await boxes.count();
    await group.getByLabel("Branch 7").check();
    await find.fill("branch 9");
    expect(await group.getByText(/^Branch/).allTextContents()).toEqual(["Branch 7", "Branch 9"]);
    await find.press("Enter");
    expect(page.url()).toBe(`${fixture.home}/reports`);
    await group.getByLabel("Branch 9").check();
    await find.fill("");
    expect(await boxes.count()).toBe(all);
    expect(await violationsOf(page)).toEqual([]);
    await find.press("Escape");
    await page.getByRole("button", { name: "Show", exact: true }).click();
    await page.getByRole("link", { name: "Remove the filter Web App: Branch 7 or Branch 9" }).waitFor();
  });
});

test("a list that covers what is below it is closed by Escape, a press outside and a focus that moves on, and the filters by Escape alone", async () => {
  await fixture.asOwner(async (page) => {
    await page.goto(`${fixture.home}/reports`);
    await settle(page);
    await page.getByText("More filters").click();
    for (const name of ["Web App", "Columns"]) {
      const summary = page.locator("summary", { hasText: name });
      const list = summary.locator("xpath=../fieldset | ../div");
      const box = list.getByRole("checkbox").first();
      await summary.click();
      await box.focus();
      await page.keyboard.press("Escape");
      await list.waitFor({ state: "hidden" });
      expect(await summary.evaluate((element) => element === document.activeElement)).toBe(true);
      await page.keyboard.press("Enter");
      await box.waitFor();
      await page.getByRole("heading", { level: 1 }).click();
      await list.waitFor({ state: "hidden" });
      await summary.click();
      await page.keyboard.press("Shift+Tab");
      await list.waitFor({ state: "hidden" });
    }
    const more = page.locator("summary", { hasText: "More filters" });
    const choice = page.locator("summary", { hasText: "Web App" });
    const list = choice.locator("xpath=../fieldset");
    await choice.press("Enter");
    await list.getByRole("checkbox").first().press("Escape");
    await list.waitFor({ state: "hidden" });
    await choice.press("Escape");
    await choice.waitFor({ state: "hidden" });
    expect(await more.evaluate((element) => element === document.activeElement)).toBe(true);
  });
});

test("a form that chooses members or Web Apps loads them when it opens, and its page does not hold them", async () => {
  await fixture.service.admin("web-app", "create", "--workspace", fixture.site.workspaceId, "--name", "Only in a form");
  await fixture.asOwner(async (page) => {
    await page.goto(`${fixture.home}/reports?risk=PASS`);
    await settle(page);
    await page.getByRole("button", { name: "Views", exact: true }).click();
    await page.getByRole("menuitem", { name: "Save these filters…" }).click();
    await page.getByRole("dialog").getByRole("textbox", { name: "Name" }).fill("Passes");
    await page.getByRole("dialog").getByRole("button", { name: "Save view" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.goto(`${fixture.home}/webhooks`);
    expect(await page.content()).not.toContain("Only in a form");
    await page.goto(`${fixture.home}/alerts`);
    await settle(page);
    const one = "person-117@example.com";
    expect(await page.content()).not.toContain(one);
    await page.getByRole("button", { name: "New alert" }).click();
    const list = page.getByRole("group", { name: "Notified by e-mail" });
    await list.getByRole("searchbox").fill(one);
    await list.getByLabel(one).check();
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.route(/\/names$/, (route) => route.abort());
    await page.getByRole("button", { name: "New alert" }).click();
    await page.getByText("The list could not be loaded").waitFor();
  });
});
