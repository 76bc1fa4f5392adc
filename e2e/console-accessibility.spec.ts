import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { type ConsoleFixture, OWNER, prepareConsole } from "./console/console-fixture";
import {
  expectBudget,
  expectReflow,
  newQuietContext,
  recordFaults,
  settle,
  violationsInBothThemes,
} from "./console/console-page";
import { everyPath, PAGES_OF_ADMINS } from "./console/console-pages";

const WIDE = { width: 1360, height: 900 };

const prepare = await prepareConsole({ hasPublicDemo: true });
let fixture: ConsoleFixture;

/** The longest name, which breaks nowhere. */
const LONG_NAME = "W".repeat(80);

beforeAll(async () => {
  fixture = await prepare();
  const of = ["--workspace", fixture.site.workspaceId];
  await fixture.service.admin("web-app", "rename", "--web-app", fixture.site.webAppId, "--name", LONG_NAME);
  const { view_id: viewId = "" } = await fixture.service.admin(
    "view",
    "save",
    ...of,
    "--name",
    LONG_NAME,
    "--query",
    "span=7d",
  );
  const above = ["--condition", "number", "--threshold", "20"];
  await fixture.service.admin("alert", "create", ...of, "--view", viewId, "--name", LONG_NAME, ...above);
  await fixture.service.admin("case", "create", ...of, "--name", LONG_NAME);
});
afterAll(() => fixture.close());

/** The operation whose samples are checked. */
const READ = "Read the canonical Report of an imprint";

const OPEN_PAGES = [
  "/",
  "/docs",
  "/docs/quickstart",
  "/docs/reasons",
  "/docs/mcp",
  "/docs/api",
  "/docs/errors",
  "/docs/errors/auth_failed",
  "/docs/search?q=key",
  "/join?token=unknown",
  "/sign-in",
  "/sign-in/check",
  "/nothing-here",
];
/** Every page, and states of some. */
const consolePages = () => [
  ...everyPath({ imprint: fixture.imprint, webAppId: fixture.site.webAppId }, PAGES_OF_ADMINS),
  "/reports?risk=DECEPTIVE",
  "/reports?search=hello",
  "/audit?target=nothing",
];

async function expectSound(page: Page, addresses: readonly string[]) {
  const faults = recordFaults(page, fixture.service.url);
  for (const address of addresses) {
    await page.setViewportSize(WIDE);
    await page.goto(address);
    await page.getByRole("heading", { level: 1 }).waitFor({ state: "attached" });
    expect(await violationsInBothThemes(page), address).toEqual([]);
    expect(await page.getByRole("heading", { level: 1 }).count(), `h1 of ${address}`).toBe(1);
    await expectBudget(page, address);
    await expectReflow(page, address);
  }
  expect(faults).toEqual([]);
}

const hasFocus = (control: Locator) => control.evaluate((element) => element === document.activeElement);

test("every open page is accessible in both themes, fits 320 px and its budget, does not shift, and makes no third-party requests", async () => {
  const context = newQuietContext(fixture.browser, { colorScheme: "light", reducedMotion: "reduce" });
  await fixture.withPage(context, (page) =>
    expectSound(
      page,
      OPEN_PAGES.map((path) => fixture.service.url + path),
    ),
  );
});

test("every page of the Console is accessible in both themes, fits 320 px and its budget, does not shift, and makes no third-party requests", async () => {
  await fixture.withPage(fixture.signedIn(OWNER, { reducedMotion: "reduce" }), (page) =>
    expectSound(
      page,
      consolePages().map((path) => fixture.home + path),
    ),
  );
});

test("dialogs, menus, the palette and the drawer are accessible in both themes when open, and restore the focus", async () => {
  await fixture.withPage(fixture.signedIn(OWNER, { reducedMotion: "reduce" }), async (page) => {
    const opened = async (name: string, close = true) => {
      expect(await violationsInBothThemes(page), name).toEqual([]);
      if (close) await page.keyboard.press("Escape");
    };
    await page.goto(`${fixture.home}/keys`);
    await settle(page);
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Page or anything to search for" }).waitFor();
    await opened("palette");
    const newKey = page.getByRole("button", { name: "New key" });
    await newKey.click();
    await page.getByRole("dialog").waitFor();
    expect(await hasFocus(page.getByRole("textbox", { name: "Name" }))).toBe(true);
    await opened("dialog");
    await expect.poll(() => hasFocus(newKey)).toBe(true);
    const actions = page.getByRole("button", { name: "Actions for Shop server" });
    await actions.press("Enter");
    expect(await hasFocus(page.getByRole("menuitem", { name: "Rotate" }))).toBe(true);
    await page.keyboard.press("ArrowUp");
    expect(await hasFocus(page.getByRole("menuitem", { name: "Revoke" }))).toBe(true);
    await opened("menu");
    await expect.poll(() => hasFocus(actions)).toBe(true);
    await actions.click();
    await page.getByRole("heading", { level: 1 }).click();
    await page.getByRole("menu").waitFor({ state: "detached" });
    await page.getByRole("button", { name: /Switch workspace/ }).click();
    await page.getByRole("menu").waitFor();
    await opened("switcher");
    await page.setViewportSize({ width: 320, height: 800 });
    await page.getByRole("button", { name: "Open the navigation" }).click();
    await page.getByRole("dialog").waitFor();
    await opened("drawer", false);
    // Everything outside the drawer is inert, so its menus must be inside it.
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /^Account/ })
      .click();
    await page.getByRole("menuitem", { name: "Keyboard shortcuts" }).click();
    await page.getByRole("heading", { name: "Keyboard shortcuts" }).waitFor();
  });
});

test("a visitor can run the component on the front page and see the Report of the visit", async () => {
  const context = await fixture.browser.newContext({ reducedMotion: "reduce" });
  await fixture.withPage(Promise.resolve(context), async (page) => {
    await page.goto(fixture.service.url);
    await page.getByText("network.hosting-network").waitFor();
    await settle(page);
    await page.getByRole("button", { name: "Run the component" }).click();
    await page.waitForURL(/\?imprint=imp_[0-9a-f]{32}$/);
    await page.getByText("automation.webdriver-flag").waitFor();
    expect(await violationsInBothThemes(page)).toEqual([]);
    await page.goto(`${fixture.service.url}/?imprint=${fixture.imprint}`);
    await page.getByText("or was made from another address").waitFor();
  });
});

test("the documentation can be searched by keyboard alone, and the reference remembers the chosen language", async () => {
  await fixture.asOwner(async (page) => {
    await page.goto(`${fixture.service.url}/docs`);
    await settle(page);
    await page.keyboard.press("/");
    await page.getByRole("combobox", { name: "Words to search for" }).fill("retention days");
    // The last option searches everywhere, and appears before other results are found.
    await page.getByRole("option").nth(1).waitFor();
    expect(await violationsInBothThemes(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/docs\/[\w-]+#/);
    await page.goto(`${fixture.service.url}/docs/api`);
    await settle(page);
    await page.getByText("Python", { exact: true }).click();
    await page.getByRole("region", { name: `${READ}: Python` }).waitFor();
    await page.reload();
    await page.getByRole("region", { name: `${READ}: Python` }).waitFor();
    expect(await page.getByRole("region", { name: `${READ}: curl` }).isVisible()).toBe(false);
  });
});

test("a page opened in the dark theme is dark, and hydrates without a mismatch", async () => {
  const context = fixture.signedIn(OWNER, { colorScheme: "dark" });
  await fixture.withPage(context, async (page) => {
    const faults = recordFaults(page, fixture.service.url);
    for (const address of [fixture.service.url, `${fixture.home}/keys`]) {
      await page.goto(address);
      expect(await page.locator("html").getAttribute("class"), address).toMatch(/\bdark\b/);
      await settle(page);
    }
    expect(faults).toEqual([]);
  });
});

test("with forced colours badges keep a border, and reduced motion stops every transition", async () => {
  await fixture.asOwner(async (page) => {
    await page.emulateMedia({ forcedColors: "active", reducedMotion: "reduce" });
    await page.goto(`${fixture.home}/reports/${fixture.imprint}`);
    const badge = page.locator(".badge").first();
    expect(await badge.evaluate((element) => getComputedStyle(element).borderTopWidth)).toBe("1px");
    const seconds = await badge.evaluate((element) => Number.parseFloat(getComputedStyle(element).transitionDuration));
    expect(seconds).toBeLessThan(0.001);
  });
});

test("with forced colours what is chosen has a border of its own, and each dot that tells a state is seen", async () => {
  await fixture.asOwner(async (page) => {
    await page.emulateMedia({ forcedColors: "active" });
    await page.goto(`${fixture.home}/reports`);
    await settle(page);
    const borderOf = (name: string, role: "button" | "link") =>
      page
        .getByRole(role, { name, exact: true })
        .first()
        .evaluate((element) => getComputedStyle(element).borderTopWidth);
    const live = page.getByRole("button", { name: "Live", exact: true });
    expect(await borderOf("Live", "button")).toBe("1px");
    await live.click();
    expect(await borderOf("Live", "button")).toBe("2px");
    expect([await borderOf("All", "link"), await borderOf("Deceptive", "link")]).toEqual(["2px", "1px"]);
    const colours = await live.evaluate((element) => {
      const dot = element.querySelector("span");
      return [dot, document.body].map((each) => each && getComputedStyle(each).backgroundColor);
    });
    expect(colours[0]).not.toBe(colours[1]);
    await page.goto(`${fixture.home}/reports/${fixture.imprint}`);
    await settle(page);
    const section = page.getByRole("navigation", { name: "Console" }).getByRole("link", { name: "Reports" });
    expect(await section.evaluate((element) => getComputedStyle(element).borderTopWidth)).toBe("2px");
  });
});

test("a page that is on its way over a slow network is announced, whether by a link or by the palette", async () => {
  await fixture.asOwner(async (page) => {
    await page.goto(`${fixture.home}/cases`);
    await settle(page);
    const link = page.getByRole("navigation", { name: "Console" }).getByRole("link", { name: "Webhooks" });
    let answer: () => void = () => undefined;
    const isAnswered = new Promise<void>((resolve) => (answer = resolve));
    await page.route("**/webhooks*", async (route) => {
      await isAnswered;
      await route.continue();
    });
    const onItsWay = page.getByRole("status").filter({ hasText: "Loading the page" });
    await link.click();
    await link.locator("[data-pending]").waitFor();
    await onItsWay.waitFor();
    answer();
    await page.getByRole("heading", { name: "Webhooks", level: 1 }).waitFor();
    await link.locator("[data-pending]").waitFor({ state: "detached" });
    await onItsWay.waitFor({ state: "detached" });
    const isAskedAgain = new Promise<void>((resolve) => (answer = resolve));
    await page.route("**/alerts*", async (route) => {
      await isAskedAgain;
      await route.continue();
    });
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Page or anything to search for" }).fill("alerts");
    await page.getByRole("option", { name: "Alerts" }).first().waitFor();
    await page.keyboard.press("Enter");
    await onItsWay.waitFor();
    answer();
    await page.getByRole("heading", { name: "Alerts", level: 1 }).waitFor();
  });
});
