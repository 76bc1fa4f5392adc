import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { launchForPages } from "@/test/browser";
import { createAuthAdapter } from "@/lib/tenancy/sign-in";
import { addMember, listAudit, type Role, ROLES } from "@/lib/tenancy/workspaces";
import { createTestWorkspace, operatorContext } from "@/test/workspaces";
import { newQuietContext, recordFaults, settle, signedInContext, violationsOf } from "./console/console-page";
import { callAction, type OpenSession, readActions } from "./console/actions";
import { actionFaults, addressFaults } from "./console/hostile-inputs";
import { OPEN_ACTIONS, READING, USER, WRITING } from "./console/role-matrix";
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
    GOOGLE_ISSUER: issuer,
    GOOGLE_CLIENT_ID: clientId,
    GOOGLE_CLIENT_SECRET: clientSecret,
    GITHUB_URL: gitHubUrl,
    GITHUB_CLIENT_ID: "github-client",
    GITHUB_CLIENT_SECRET: "github-secret",
  };
  [service, browser] = await Promise.all([startService({ databaseUrl, environment }), launchForPages()]);
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
const asNobody = (use: (page: Page) => Promise<void>) => withPage(newQuietContext(browser), use);

async function signInBy(page: Page, name: string): Promise<void> {
  await page.goto(`${service.url}/sign-in?next=/w/${workspaceId}/settings/you`);
  await page.getByRole("button", { name: `Continue with ${name}` }).click();
}

test.each([
  ["Example ID", "oidc"],
  ["Google", "google"],
  ["GitHub", "github"],
])("%s signs in only known addresses that it has verified", async (name, id) => {
  const sub = id === "github" ? "7" : `subject-${id}`;
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
  // Without scripts the form itself is redirected to the provider, which the page's CSP must allow.
  await withPage(browser.newContext({ javaScriptEnabled: false }), async (page) => {
    provider.become({ sub, email: OWNER, isVerified: true });
    await signInBy(page, name);
    await page.waitForURL(`${home}/settings/you`);
  });
  const stored = await db.execute(`select * from accounts where provider = '${id}'`);
  expect(stored).toHaveLength(1);
  expect(stored[0]).toMatchObject({ access_token: null, id_token: null, refresh_token: null });
  const { entries } = await listAudit(operatorContext(db), { workspaceId, filter: { action: "session.sign_in" } });
  expect(entries[0]).toMatchObject({ detail: { email: OWNER, method: id } });
  expect(entries[0]?.address).toMatch(/^(127\.0\.0\.1|::1)$/);
});

test("a person can sign out other browsers, and an invited person joins through the link, once, with the given role", async () => {
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

test("the audit log is filtered by the page's URL and exported as CSV and JSON, without secrets", async () => {
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

async function openSession(email: string, inWorkspace: string, role: Role): Promise<OpenSession> {
  const { userId } = await addMember(operatorContext(db), { workspaceId: inWorkspace, email, role });
  const sessionToken = crypto.randomUUID();
  const expires = new Date(Date.now() + 3_600_000);
  await createAuthAdapter(db).createSession?.({ sessionToken, userId, expires });
  return { sessionToken, person: userId };
}

/** How a page responds to a session: its content is shown, is restricted, failed, or does not exist. */
async function readAs({ sessionToken }: OpenSession, path: string): Promise<string> {
  const answer = await fetch(home + path, {
    redirect: "manual",
    headers: { Cookie: `authjs.session-token=${sessionToken}` },
  });
  const text = await answer.text();
  if (answer.status === 403) return "restricted";
  if (/digest[\\":]+\d/.test(text)) return "failed";
  if (answer.status !== 200) return `status ${answer.status}`;
  return /not part of your role/.test(text) ? "restricted" : "shown";
}

test("with direct requests, each role can read and change exactly what the table allows, and non-members nothing", async () => {
  const actions = new Map(readActions().map((action) => [action.name, action]));
  const people = await Promise.all(
    ROLES.map(async (role) => ({ role, session: await openSession(`${role}@matrix.example`, workspaceId, role) })),
  );
  const stranger = await openSession("stranger@matrix.example", await createTestWorkspace(db), "owner");
  for (const [path, allowed] of READING) {
    for (const { role, session } of people)
      expect([path, role, await readAs(session, path)]).toEqual([
        path,
        role,
        allowed.includes(role) ? "shown" : "restricted",
      ]);
    expect([path, await readAs(stranger, path)]).toEqual([path, "status 404"]);
    const signedOut = await fetch(home + path, { redirect: "manual" });
    expect([path, [307, 401].includes(signedOut.status)]).toEqual([path, true]);
  }
  const call = { url: service.url, workspaceId };
  for (const [name, allowed, input] of WRITING) {
    const action = actions.get(name);
    if (!action) throw new Error(`There is no action ${name}`);
    const run = (session?: OpenSession) => callAction(action, { workspaceId, ...input }, { ...call, ...session });
    for (const { role, session } of people)
      expect([name, role, (await run(session)) === "forbidden"]).toEqual([name, role, !allowed.includes(role)]);
    expect([name, await run(stranger), await run()]).toEqual([name, "not_found", "auth_failed"]);
  }
});

test("no action runs for a forged page, without a session, for a page drawn for another person, or on another person's behalf", async () => {
  const session = await openSession("owner@forged.example", workspaceId, "owner");
  const before = await listAudit(operatorContext(db), { workspaceId });
  const call = { url: service.url, workspaceId };
  for (const action of readActions()) {
    if (OPEN_ACTIONS.includes(action.name)) continue;
    const known = WRITING.find(([name]) => name === action.name);
    const input = { workspaceId, ...known?.[2] };
    const forged = await callAction(action, input, { ...call, ...session, origin: "https://evil.example" });
    expect([action.name, /^(status (4|5)\d\d|forbidden)$/.test(forged)]).toEqual([action.name, true]);
    expect([action.name, await callAction(action, input, call)]).toEqual([action.name, "auth_failed"]);
  }
  for (const action of readActions()) {
    if (OPEN_ACTIONS.includes(action.name)) continue;
    const input = { workspaceId, ...WRITING.find(([name]) => name === action.name)?.[2] };
    for (const person of [USER.userId, undefined]) {
      const outcome = await callAction(action, input, { ...call, sessionToken: session.sessionToken, person });
      expect([action.name, outcome]).toEqual([action.name, "forbidden"]);
    }
  }
  const [end, endOthers, unlink] = ["endSessionAction", "endOtherSessionsAction", "unlinkProviderAction"].map((name) =>
    readActions().find((action) => action.name === name),
  );
  const sessionId = `ses_${"0".repeat(32)}`;
  for (const [action, input] of [
    [end, { ...USER, sessionId }],
    [endOthers, USER],
    [unlink, { ...USER, provider: "oidc" }],
  ] as const) {
    if (!action) throw new Error("an action of sessions is missing");
    expect(await callAction(action, input, { ...call, ...session })).toBe("forbidden");
  }
  expect(await listAudit(operatorContext(db), { workspaceId })).toEqual(before);
});

test("no page fails or redirects to another origin, whatever is in its URL", async () => {
  const session = await openSession("owner@hostile.example", workspaceId, "owner");
  await db.execute("update users set is_operator = true where email = 'owner@hostile.example'");
  const faults = await addressFaults({ url: service.url, workspaceId, ...session });
  expect(faults, service.output()).toEqual([]);
});

test("no action fails on unstorable fields, malformed forms or foreign pages", async () => {
  const session = await openSession("owner@fields.example", workspaceId, "owner");
  await db.execute("update users set is_operator = true where email = 'owner@fields.example'");
  const faults = await actionFaults({ url: service.url, workspaceId, ...session });
  expect(faults, service.output()).toEqual([]);
});

test("an identity provider that hangs or is down is reported, and sign-in by email link remains available", async () => {
  const tellsThat = () =>
    asNobody(async (page) => {
      await signInBy(page, "Example ID");
      await page.getByText("does not answer at present").waitFor();
      await page.getByLabel("E-mail address").waitFor();
    });
  provider.fallSilent();
  await tellsThat();
  await provider.close();
  await tellsThat();
});
