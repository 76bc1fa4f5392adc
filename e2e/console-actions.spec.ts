import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";

import { type ConsoleFixture, OWNER, prepareConsole } from "./console/console-fixture";
import { recordFaults, settle, violationsOf } from "./console/console-page";
import { type DataView, openTableKeeper } from "./console/view-states";
import { createSite, visit } from "./service";

const prepare = await prepareConsole({ fetchesVisibleLinks: true });
let fixture: ConsoleFixture;

beforeAll(async () => {
  fixture = await prepare();
});
afterAll(() => fixture.close());

test("the Report page shows the verdict, every field and the harmless causes, and recommends nothing", async () => {
  await fixture.asOwner(async (page) => {
    await page.goto(`${fixture.home}/reports/${fixture.imprint}`);
    await page.getByRole("heading", { name: "Sign-in on Shop" }).waitFor();
    for (const name of ["Findings", "Device", "Network", "Browser and system", "Activity of this device", "Raw JSON"])
      expect(await page.getByRole("heading", { name, exact: true }).count(), name).toBe(1);
    const shown = await page.getByRole("region", { name: "Report as JSON" }).innerText();
    expect(JSON.parse(shown)).toMatchObject({ imprint: fixture.imprint, schema_version: "1.0" });
    await page.getByRole("link", { name: "DB-IP" }).waitFor();
  });
});

test("an analyst sees no IP address, location or key: they are marked as restricted, and are not in the page source", async () => {
  await fixture.asAnalyst(async (page) => {
    await page.goto(`${fixture.home}/reports/${fixture.imprint}`);
    await settle(page);
    expect(await page.getByText("Restricted", { exact: true }).count()).toBeGreaterThan(2);
    expect(await page.content()).not.toContain("observed_ip");
    await page.goto(`${fixture.home}/keys`);
    await page.getByText("The role analyst may not see API keys. Owners, admins and developers may.").waitFor();
    // A part of the shown key long enough not to occur by chance, unlike the last four characters.
    expect(await page.content()).not.toContain(fixture.site.apiKey.slice(0, "svc_live_".length + 4));
    await page.goto(`${fixture.home}/audit`);
    await page.getByText("The role analyst may not read the audit log. Owners and admins may.").waitFor();
    await page.goto(`${fixture.home}/web-apps/${fixture.site.webAppId}`);
    await settle(page);
    expect(await page.getByRole("button", { name: /Archive|Add to the list/ }).count()).toBe(0);
  });
});

test("a device's page shows how it was recognised; an owner can delete it after confirming, an analyst cannot", async () => {
  const imprint = await visit(fixture.service.url, fixture.site);
  let address = "";
  await fixture.asOwner(async (page) => {
    await page.goto(`${fixture.home}/reports/${imprint}`);
    await page.locator("#device").getByRole("link").first().click();
    await page.getByRole("heading", { name: "How its visits were recognised" }).waitFor();
    address = page.url();
    await page.getByText(/^New device: /).waitFor();
    await settle(page);
    expect(await violationsOf(page)).toEqual([]);
  });
  await fixture.asAnalyst(async (page) => {
    await page.goto(address);
    await settle(page);
    expect(await page.getByRole("button", { name: "Delete" }).count()).toBe(0);
  });
  await fixture.asOwner(async (page) => {
    await page.goto(address);
    await settle(page);
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("button", { name: "Delete for good" }).click();
    await page.waitForURL(`${fixture.home}/reports`);
    await page.goto(address);
    await page.getByRole("heading", { name: "Not found" }).waitFor();
    await page.goto(`${fixture.home}/recognition`);
    await page.getByRole("heading", { name: "If visitors lost their token" }).waitFor();
  });
});

test("the component runs on a page of the Console once its origin is allowed, and the page shows the Report", async () => {
  await fixture.asAnalyst(async (page) => {
    await page.goto(`${fixture.service.url}/demo`);
    await page.getByText("Owners, admins and developers can allow it").waitFor();
    expect(new URL(page.url()).pathname).toBe(`${new URL(fixture.home).pathname}/demo`);
    expect(await page.getByRole("button", { name: "Allow this origin" }).count()).toBe(0);
  });
  await fixture.asOwner(async (page) => {
    const faults = recordFaults(page, fixture.service.url);
    await page.goto(`${fixture.home}/demo`);
    await settle(page);
    await page.getByRole("button", { name: "Allow this origin" }).click();
    await page.getByRole("button", { name: "Run the component" }).click();
    await page.waitForURL(/[?&]imprint=imp_[0-9a-f]{32}$/);
    await page.getByRole("heading", { name: "Findings", exact: true }).waitFor();
    await settle(page);
    expect(await violationsOf(page)).toEqual([]);
    expect(faults).toEqual([]);
  });
});

test("a live list shows new visits by itself, and prefetches few pages", async () => {
  await fixture.asOwner(async (page) => {
    const ahead: string[] = [];
    page.on("request", (request) => {
      if (request.headers()["next-router-prefetch"] !== undefined) ahead.push(request.url());
    });
    await page.goto(`${fixture.home}/reports`);
    await settle(page);
    await page.mouse.wheel(0, 5_000);
    expect(ahead.length).toBeLessThanOrEqual(20);
    await page.getByRole("button", { name: "Live" }).click();
    await page.getByText("checking every 3 s").waitFor();
    const imprint = await visit(fixture.service.url, fixture.site);
    await page.locator(`[data-row-link][href$="${imprint}"]`).first().waitFor({ timeout: 30_000 });
    await page.getByRole("button", { name: "Live", pressed: true }).click();
    await page.getByText("checking every 3 s").waitFor({ state: "detached" });
  });
});

test("every page with data shows a loading state, reports a failure with its request id, and can retry", async () => {
  const operator = "operator@example.com";
  await fixture.addMember(fixture.site.workspaceId, operator, "owner");
  await fixture.db.execute(sql`update users set is_operator = true where email = ${operator}`);
  const context = await fixture.signedIn(operator);
  const cookie = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");
  const keeper = openTableKeeper(fixture.databaseUrl, fixture.home, cookie);
  const views: DataView[] = [
    { path: "", table: "visits" },
    { path: "/reports", table: "visits" },
    { path: `/reports/${fixture.imprint}`, table: "visits" },
    { path: "/devices", table: "devices" },
    { path: "/addresses?of=203.0.113.7", table: "device_addresses" },
    { path: "/web-apps", table: "web_apps" },
    { path: `/web-apps/${fixture.site.webAppId}`, table: "web_apps" },
    { path: "/keys", table: "api_keys" },
    { path: "/usage", table: "usage_days" },
    { path: "/connect", table: "oauth_connections" },
    { path: "/clients", table: "oauth_connections" },
    { path: "/clients/calls", table: "tool_calls" },
    { path: "/demo", table: "web_apps" },
    { path: "/members", table: "invitations" },
    { path: "/audit", table: "audit_log" },
    { path: "/settings/you", table: "accounts" },
    { path: "/trials", table: "trial_intents" },
  ];
  for (const view of views) {
    expect([view.path, await keeper.showsLoading(view)]).toEqual([view.path, true]);
    expect([view.path, await keeper.showsFailure(view)]).toEqual([view.path, true]);
  }
  const page = await context.newPage();
  const failure = page.getByRole("alert").filter({ hasText: "This page could not be shown" });
  await keeper.without("api_keys", async () => {
    await page.goto(`${fixture.home}/keys`);
    await failure.getByText(/^req_[0-9a-f]{32}$/).waitFor();
    await settle(page);
    expect(await violationsOf(page)).toEqual([]);
  });
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("row", { name: /Shop server/ }).waitFor();
  await keeper.close();
  await context.close();
});

test("a destructive action states its effects before confirmation, Undo restores an origin, also when its first try gets no answer, the focus stays where the origin was, and an unknown account is reported", async () => {
  await fixture.asOwner(async (page) => {
    const { home, site } = fixture;
    await visit(fixture.service.url, site);
    await page.goto(`${home}/web-apps/${site.webAppId}`);
    await settle(page);
    const remove = page.getByRole("button", { name: `Remove ${site.origin}` });
    await remove.click();
    await page.getByText(/\d+ visits? came from https:\/\/shop\.example in the last hour/).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole("button", { name: "Remove origin" }).click();
    await remove.waitFor({ state: "detached" });
    expect(await page.locator("#origins:focus-within").count()).toBe(1);
    await page.route(page.url(), (route) => route.abort());
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("alert").getByText("The service could not be reached").waitFor();
    await page.unrouteAll();
    await page.getByRole("button", { name: "Undo" }).click();
    await remove.waitFor();
    await page.getByRole("textbox", { name: "Add origins" }).focus();
    await page.getByRole("button", { name: "Dismiss" }).press("Enter");
    await page.getByText("is allowed again").waitFor({ state: "detached" });
    expect(await page.locator(":focus").getAttribute("placeholder")).toContain("https://shop.example");

    await page.goto(`${home}/settings`);
    await settle(page);
    await page.locator("#retention").getByRole("button", { name: "Change…" }).click();
    await page.getByLabel("Days").fill("2");
    await page.getByText("nothing is deleted now").waitFor();
    expect(await page.getByRole("button", { name: "Save", exact: true }).last().isDisabled()).toBe(true);

    await page.goto(`${home}/privacy`);
    await settle(page);
    await page.getByLabel("Account reference").fill("never-sent");
    await page.getByRole("button", { name: "Save everything" }).last().click();
    await page.getByRole("alert").getByText("Nothing is stored under “never-sent”").waitFor();
  });
});

test("another workspace appears not to exist", async () => {
  const other = await createSite(fixture.service, "https://other.example");
  await fixture.asOwner(async (page) => {
    const answers = [
      await page.goto(`${fixture.service.url}/w/${other.workspaceId}`),
      await page.goto(`${fixture.service.url}/w/ws_${"0".repeat(32)}`),
    ];
    expect(answers.map((answer) => answer?.status())).toEqual([404, 404]);
  });
});

test("pages, Reports and the shortcut list are reachable by keyboard, and single-key shortcuts can be switched off", async () => {
  await fixture.asOwner(async (page) => {
    await page.goto(fixture.home);
    await settle(page);
    await page.keyboard.press("g");
    await page.keyboard.press("r");
    await page.waitForURL(/\/reports$/);
    await page.locator("[data-search]").waitFor();
    await page.keyboard.press("/");
    expect(await page.evaluate(() => document.activeElement?.getAttribute("name"))).toBe("search");
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Page or anything to search for" }).fill(fixture.imprint);
    await page.getByRole("option", { name: /Open the Report/ }).waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(new RegExp(fixture.imprint));
    await page.getByRole("dialog").getByRole("heading", { name: "Findings" }).waitFor();
    await page.keyboard.press("Escape");
    await page.waitForURL(/\/reports$/);
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await settle(page);
    // The focus is back in the search box, where keys type text.
    await page.keyboard.press("Tab");
    await page.keyboard.press("?");
    await page.getByRole("checkbox", { name: /Single-key shortcuts/ }).uncheck();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.keyboard.press("?");
    await page.keyboard.press("Control+k");
    expect(await page.getByRole("dialog").count()).toBe(1);
    const palette = page.getByRole("combobox", { name: "Page or anything to search for" });
    await palette.fill("shop");
    await page.getByRole("option", { name: "Shop Web App" }).waitFor();
    await palette.fill("dark");
    await page.keyboard.press("Enter");
    await page.locator("html.dark").waitFor();
    await page.keyboard.press("Control+k");
    await palette.fill("invite");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").getByRole("heading", { name: "Invite a person" }).waitFor();
    await page.waitForURL(/\/members$/);
  });
});

test("an action replayed from another origin changes nothing, even with the session cookie", async () => {
  const app = await createSite(fixture.service, "https://replay.example");
  await fixture.addMember(app.workspaceId, OWNER, "owner");
  const stateOf = async () => {
    const listed = await fixture.service.admin("web-app", "list", "--workspace", app.workspaceId);
    return /"state":"(\w+)"/.exec(JSON.stringify(listed))?.[1];
  };
  await fixture.asOwner(async (page) => {
    const address = `${fixture.service.url}/w/${app.workspaceId}/web-apps/${app.webAppId}`;
    await page.goto(address);
    await settle(page);
    const [sent] = await Promise.all([
      page.waitForRequest((request) => request.method() === "POST"),
      page.getByRole("button", { name: "Pause" }).click(),
    ]);
    await page.getByRole("button", { name: "Resume" }).click();
    await page.getByRole("button", { name: "Pause" }).waitFor();
    const cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");
    const action = (await sent.allHeaders())["next-action"] ?? "";
    const replay = (origin: string) =>
      fetch(address, {
        method: "POST",
        headers: { Cookie: cookie, Origin: origin, "Next-Action": action, "Content-Type": "text/plain;charset=UTF-8" },
        body: sent.postData() ?? "",
      });
    await replay("https://elsewhere.example");
    expect(await stateOf()).toBe("active");
    expect((await replay(fixture.service.url)).status).toBe(200);
    expect(await stateOf()).toBe("paused");
  });
});
