import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { createTestDatabase } from "@/db/testing";
import { launchChromium } from "@/lib/browser/testing";
import { recordFaults, settle, signedInContext, violationsOf } from "./console/console-page";
import { type IdentityProvider, startIdentityProvider } from "./console/identity-provider";
import { type RunningService, startService, TEST_SECRETS } from "./service";

const OWNER = "owner@example.com";
const { url: databaseUrl, db } = await createTestDatabase();
let provider: IdentityProvider;
let service: RunningService;
let browser: Browser;
let workspaceId: string;
let home: string;

beforeAll(async () => {
  provider = await startIdentityProvider();
  const { issuer, gitHubUrl, clientId, clientSecret } = provider;
  const environment = {
    ...TEST_SECRETS,
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: clientId,
    OIDC_CLIENT_SECRET: clientSecret,
    OIDC_NAME: "Example ID",
    GITHUB_URL: gitHubUrl,
    GITHUB_CLIENT_ID: "github-client",
    GITHUB_CLIENT_SECRET: "github-secret",
  };
  [service, browser] = await Promise.all([startService({ databaseUrl, environment }), launchChromium()]);
  provider.register(service.url);
  workspaceId = (await service.admin("workspace", "create", "--name", "Acme"))["workspace_id"] ?? "";
  home = `${service.url}/w/${workspaceId}`;
  await service.admin("member", "add", "--workspace", workspaceId, "--email", OWNER, "--role", "owner");
});
afterAll(async () => {
  await Promise.all([browser.close(), service.stop(), provider.close()]);
});

async function withPage(opened: Promise<BrowserContext>, use: (page: Page) => Promise<void>): Promise<void> {
  const context = await opened;
  await use(await context.newPage());
  await context.close();
}

const asOwner = (use: (page: Page) => Promise<void>) => withPage(signedInContext(browser, service, OWNER), use);
const asNobody = (use: (page: Page) => Promise<void>) => withPage(browser.newContext(), use);

async function signInBy(page: Page, name: string): Promise<void> {
  await page.goto(`${service.url}/sign-in?next=/w/${workspaceId}/settings/you`);
  await page.getByRole("button", { name: `Continue with ${name}` }).click();
}

test.each([
  ["Example ID", "oidc"],
  ["GitHub", "github"],
])("%s signs in a known address that it has verified, and nobody else", async (name, id) => {
  const sub = id === "oidc" ? "subject" : "7";
  await asNobody(async (page) => {
    provider.become({ sub, email: OWNER, isVerified: false });
    await signInBy(page, name);
    await page.getByText("gave no verified e-mail address").waitFor();
  });
  await asNobody(async (page) => {
    provider.become({ sub: "8", email: "stranger@example.com", isVerified: true });
    await signInBy(page, name);
    await page.getByText("not known here").waitFor();
  });
  await asNobody(async (page) => {
    provider.become({ sub, email: OWNER.toUpperCase(), isVerified: true });
    await signInBy(page, name);
    await page.waitForURL(`${home}/settings/you`);
    await page.getByRole("button", { name: `Unlink ${name}` }).waitFor();
  });
  const stored = await db.execute(`select * from accounts where provider = '${id}'`);
  expect(stored).toHaveLength(1);
  expect(stored[0]).toMatchObject({ access_token: null, id_token: null, refresh_token: null });
});

test("a person signs other browsers out, and an invited one joins by the link, once, with the role", async () => {
  const email = "new@example.com";
  let link = "";
  const other = await signedInContext(browser, service, OWNER);
  await asOwner(async (page) => {
    const faults = recordFaults(page, service.url);
    await page.goto(`${home}/settings/you`);
    await settle(page);
    await page.getByRole("button", { name: "Sign out everywhere else" }).click();
    await page.getByRole("button", { name: "Sign out there" }).click();
    await page.getByText("You are signed in here only").waitFor();
    const elsewhere = await other.newPage();
    await elsewhere.goto(home);
    await elsewhere.waitForURL(/\/sign-in\?next=/);

    await page.goto(`${home}/members`);
    await settle(page);
    await page.getByRole("button", { name: "Invite" }).click();
    await page.getByRole("textbox", { name: "E-mail address" }).fill(email);
    await page.getByRole("combobox", { name: "Role" }).selectOption("developer");
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole("button", { name: "Make the link" }).click();
    link = (await page.getByLabel("Invitation link").textContent()) ?? "";
    expect(link).toMatch(new RegExp(`^${service.url}/join\\?token=[\\w-]{43}$`));
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByRole("cell", { name: email, exact: true }).waitFor();
    expect(await page.content()).not.toContain(new URL(link).searchParams.get("token"));
    await page.goto(link);
    await page.getByText(`You are signed in as ${OWNER}`).waitFor();
    expect(faults).toEqual([]);
  });
  await other.close();
  await asNobody(async (page) => {
    await page.goto(link);
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole("button", { name: "Join Acme" }).click();
    await page.waitForURL(home);
    await page.goto(`${home}/members`);
    await page.getByRole("cell", { name: `${email} (you)` }).waitFor();
    expect(await page.getByRole("button", { name: "Invite" }).count()).toBe(0);
    await page.goto(link);
    await page.getByRole("heading", { name: "This invitation cannot be used" }).waitFor();
  });
});

test("the audit log filters by the address of the page and is saved as CSV and JSON, without secrets", async () => {
  const { api_key: secret = "" } = await service.admin("key", "create", "--workspace", workspaceId, "--name", "=1+1");
  const { url = "" } = await service.admin(
    ...["invitation", "create", "--workspace", workspaceId, "--email", "other@example.com", "--role", "analyst"],
  );
  await asOwner(async (page) => {
    await page.goto(`${home}/audit`);
    await settle(page);
    await page.getByLabel("About").selectOption("API keys");
    await page.getByRole("button", { name: "Filter" }).click();
    await page.waitForURL(/action=api_key/);
    await expect.poll(() => page.getByRole("row").count(), { timeout: 20_000 }).toBe(2);
    expect(await violationsOf(page)).toEqual([]);
    const folder = mkdtempSync(join(tmpdir(), "imprint-audit-"));
    const save = async (name: string) => {
      const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name }).click()]);
      const path = join(folder, download.suggestedFilename());
      await download.saveAs(path);
      return readFileSync(path, "utf8");
    };
    const csv = await save("CSV");
    expect(csv.split("\r\n")).toHaveLength(3);
    expect(csv).toContain("api_key.create");
    await page.goto(`${home}/audit`);
    const json = await save("JSON");
    const actions = json
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as { action: string }).action);
    expect(actions).toEqual(expect.arrayContaining(["export.create", "member.invite", "api_key.create"]));
    for (const hidden of [secret, new URL(url).searchParams.get("token") ?? "none"]) {
      expect(csv).not.toContain(hidden);
      expect(json).not.toContain(hidden);
    }
  });
});
