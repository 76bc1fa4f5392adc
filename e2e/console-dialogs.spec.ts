import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { foreign } from "@/components/ui/foreign";
import { type ConsoleFixture, OWNER, prepareConsole } from "./console/console-fixture";
import { drawn, expectReflow, settle } from "./console/console-page";

const prepare = await prepareConsole();
let fixture: ConsoleFixture;

beforeAll(async () => {
  fixture = await prepare();
});
afterAll(() => fixture.close());

test("what is pressed and typed before the scripts of a page have run is done once they have", async () => {
  await fixture.asOwner(async (page) => {
    let run = () => {};
    const open = async (path: string) => {
      const isRun = new Promise<void>((resolve) => (run = resolve));
      await page.unrouteAll();
      await page.route("**/_next/static/**/*.js", async (route) => {
        await isRun;
        await route.continue();
      });
      await page.goto(`${fixture.home}/${path}`, { waitUntil: "commit" });
    };
    await open("keys");
    await page.getByRole("button", { name: "New key" }).press("Enter");
    run();
    await page.getByRole("dialog", { name: "New key" }).waitFor();
    await open("settings");
    const name = page.getByRole("textbox", { name: "Name of the workspace" });
    await name.fill("Typed early");
    await name.press("Enter");
    run();
    await page.getByText("Renamed", { exact: true }).waitFor();
    expect(await name.inputValue()).toBe("Typed early");
  });
});

test("a dialog with a running action cannot be closed, sends it once, keeps the focus, and shows the new secret", async () => {
  await fixture.asOwner(async (page) => {
    let [answer, sent] = [() => {}, 0];
    const asked = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.goto(`${fixture.home}/keys`);
    await settle(page);
    await page.route(`${fixture.home}/keys`, async (route) => {
      if (route.request().method() === "POST") {
        sent += 1;
        await asked;
      }
      await route.continue();
    });
    await page.getByRole("button", { name: "New key" }).click();
    await page.getByLabel("Name").fill("Held");
    await page.getByRole("button", { name: "Create key" }).click();
    await page.getByRole("button", { name: "Cancel", disabled: true }).waitFor();
    expect(await page.locator(":focus").textContent()).toBe("Create key");
    for (const key of ["Enter", "Space", "Escape", "Escape"]) await page.keyboard.press(key);
    await page.getByLabel("Name").press("Enter");
    answer();
    await page.getByRole("dialog", { name: "Store the key “Held”" }).waitFor();
    expect(await page.locator("dialog:focus-within").count()).toBe(1);
    expect(sent).toBe(1);
  });
});

test("a page older than the service stays open and asks for a reload", async () => {
  await fixture.asOwner(async (page) => {
    await page.goto(`${fixture.home}/keys`);
    await settle(page);
    await page.route(`${fixture.home}/keys`, async (route) => {
      const headers = route.request().headers();
      const isAction = headers["next-action"] !== undefined;
      await route.continue(isAction ? { headers: { ...headers, "next-action": `40${"ab".repeat(20)}` } } : {});
    });
    await page.getByRole("button", { name: "New key" }).click();
    await page.getByLabel("Name").fill("Of an old page");
    await page.getByRole("button", { name: "Create key" }).click();
    await page.getByText("The service was upgraded since this page was opened.").waitFor();
    await page.keyboard.press("Escape");
    await page.route("**/_next/static/**", (route) => route.fulfill({ status: 404, body: "" }));
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog", { name: "This could not be loaded" }).waitFor();
    await page.getByRole("button", { name: "Not now" }).click();
    await page.getByRole("heading", { name: "Keys", level: 1 }).waitFor();
  });
});

/** Answers every question of the browser, and returns the questions. */
function answerWith(page: Page, answer: "accept" | "dismiss"): string[] {
  const asked: string[] = [];
  page.removeAllListeners("dialog");
  page.on("dialog", (dialog) => {
    asked.push(dialog.type());
    void dialog[answer]();
  });
  return asked;
}

/** Creates a key on its page, which is reached from another one without a new document. */
async function createKey(page: Page, name: string): Promise<void> {
  await page.goto(fixture.home);
  await settle(page);
  await page.getByRole("link", { name: "Keys" }).first().click();
  await page.waitForURL(`${fixture.home}/keys`);
  await page.getByRole("button", { name: "New key" }).click();
  await page.getByLabel("Name").fill(name);
  await page.getByRole("button", { name: "Create key" }).click();
}

test("no way out of a page loses a secret that is shown once, unless the person confirms it", async () => {
  await fixture.asOwner(async (page) => {
    await createKey(page, "Guarded");
    const secret = page.getByLabel("Secret key");
    await secret.waitFor();
    const shown = await secret.textContent();

    const questions = answerWith(page, "dismiss");
    for (const asked of [["confirm"], ["confirm", "confirm"]]) {
      await page.evaluate("history.back()");
      await expect.poll(() => questions).toEqual(asked);
    }
    for (const key of ["Escape", "Escape", "Control+k", "g", "o"]) await page.keyboard.press(key);
    await page.mouse.click(2, 2);
    expect(await page.getByRole("dialog").count()).toBe(1);
    expect(await secret.textContent()).toBe(shown);
    expect(page.url()).toBe(`${fixture.home}/keys`);
    await page.reload({ timeout: 2_000 }).catch(() => undefined);
    expect(questions).toEqual(["confirm", "confirm", "beforeunload"]);
    expect(await secret.textContent()).toBe(shown);

    answerWith(page, "accept");
    await page.evaluate("history.back()");
    await page.waitForURL(fixture.home);
    await secret.waitFor({ state: "detached" });
  });
});

test("once a secret is stored, nothing asks", async () => {
  await fixture.asOwner(async (page) => {
    await createKey(page, "Stored");
    await page.getByLabel("I have stored the key").check();
    const questions = answerWith(page, "dismiss");
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
    await page.getByRole("cell", { name: "Stored" }).first().waitFor();
    await page.evaluate("history.back()");
    await page.waitForURL(fixture.home);
    expect(questions).toEqual([]);
  });
});

test("an invitation link is closed only by its button", async () => {
  await fixture.asOwner(async (page) => {
    await page.goto(`${fixture.home}/members`);
    await settle(page);
    await page.getByRole("button", { name: "Invite" }).click();
    await page.getByLabel("E-mail address").fill("invited@example.com");
    await page.getByRole("button", { name: "Make the link" }).click();
    const link = page.getByLabel("Invitation link");
    await link.waitFor();
    for (const key of ["Escape", "Escape", "Control+k"]) await page.keyboard.press(key);
    await page.mouse.click(2, 2);
    expect(await page.getByRole("dialog").count()).toBe(1);
    await page.getByRole("button", { name: "Done" }).click();
    await link.waitFor({ state: "detached" });
  });
});

/** Of 80 characters without a place to break. */
const LONG_NAME = "W".repeat(80);
const RIGHT_TO_LEFT_NAME = `${"שלום".repeat(17)} x\u0301 🛍 (2)`;

async function openCase(page: Page): Promise<void> {
  const { case_id: caseId = "" } = await fixture.service.admin(
    ...["case", "create", "--workspace", fixture.site.workspaceId, "--name", LONG_NAME],
  );
  await page.goto(`${fixture.home}/cases/${caseId}`);
  await settle(page);
}

test("a comment stays when the session has ended, and is sent after signing in in a new tab", async () => {
  await fixture.asOwner(async (page) => {
    await openCase(page);
    const context = page.context();
    const [cookie] = (await context.cookies()).filter(({ name }) => name === "authjs.session-token");
    const box = page.getByRole("textbox", { name: "Comment" });
    await box.fill("A long thought");
    await context.clearCookies({ name: "authjs.session-token" });
    await page.getByRole("button", { name: "Comment", exact: true }).click();
    const [other] = await Promise.all([
      context.waitForEvent("page"),
      page.getByRole("link", { name: "Sign in in a new tab" }).click(),
    ]);
    await other.getByRole("heading", { name: "Sign in" }).waitFor();
    await other.close();
    expect(await box.inputValue()).toBe("A long thought");
    if (cookie) await context.addCookies([cookie]);
    await page.getByRole("button", { name: "Comment", exact: true }).click();
    await page.getByRole("listitem").filter({ hasText: "A long thought" }).waitFor();
    expect(await box.inputValue()).toBe("");
    await page.getByRole("button", { name: "Comment", exact: true, disabled: true }).waitFor();
    await drawn(page);
    expect(await page.locator(":focus").textContent()).toBe("Comment");
  });
});

test("a form does not act as somebody who signed in since it was opened, and keeps what was typed, and the focus", async () => {
  await fixture.addMember(fixture.site.workspaceId, "second@example.com", "owner");
  await fixture.asOwner(async (page) => {
    await page.goto(`${fixture.home}/keys`);
    await settle(page);
    const signInAs = async (email: string) => {
      const value = await fixture.service.openSession(email);
      await page.context().addCookies([{ name: "authjs.session-token", value, url: fixture.service.url }]);
    };
    await page.getByRole("button", { name: "New key" }).click();
    const name = page.getByLabel("Name");
    await name.fill("Of the first");
    await signInAs("second@example.com");
    await page.getByRole("button", { name: "Create key" }).press("Enter");
    const refusal = page.getByRole("alert").filter({ hasText: "This page was opened by somebody else" });
    await refusal.waitFor();
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    await expect.poll(focused).toBe("Create key");
    expect(await name.inputValue()).toBe("Of the first");
    expect(
      JSON.stringify(await fixture.service.admin("key", "list", "--workspace", fixture.site.workspaceId)),
    ).not.toContain("Of the first");
    await signInAs(OWNER);
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Store the key “Of the first”" }).waitFor();
  });
});

test("a comment that was not sent is there on return to its case, and the browser asks before it is closed", async () => {
  await fixture.asOwner(async (page) => {
    await openCase(page);
    const box = page.getByRole("textbox", { name: "Comment" });
    await box.fill("Half a thought");
    await page.getByRole("navigation", { name: "Console" }).getByRole("link", { name: "Cases" }).click();
    await page.getByRole("heading", { name: "Cases", level: 1 }).waitFor();
    await page.goBack();
    await expect.poll(() => box.inputValue()).toBe("Half a thought");
    const questions = answerWith(page, "accept");
    await page.reload();
    expect(questions).toHaveLength(1);
    await expect.poll(() => box.inputValue()).toBe("");
  });
});

test("signing out without a connection leaves the page as it is and says that nothing was ended", async () => {
  await fixture.asOwner(async (page) => {
    await page.goto(`${fixture.home}/settings`);
    await settle(page);
    await page.context().setOffline(true);
    await page.getByRole("button", { name: `Account ${OWNER}` }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByText("You may still be signed in").waitFor();
    await page.getByRole("heading", { name: "Settings", level: 1 }).waitFor();
    await page.context().setOffline(false);
    await page.getByRole("button", { name: `Account ${OWNER}` }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.waitForURL(/\/sign-in$/);
  });
});

test.each([
  ["one long word", LONG_NAME],
  ["letters from right to left, combining accents and emoji", RIGHT_TO_LEFT_NAME],
])("a name of 80 characters fits a narrow page wherever it is shown: %s", async (_, name) => {
  const of = ["--workspace", fixture.site.workspaceId, "--name", name];
  const url = `https://hooks.example.com/${"a".repeat(150)}`;
  const { webhook_id: webhookId = "" } = await fixture.service.admin(
    ...["webhook", "create", ...of, "--url", url, "--event", "visit.recorded"],
  );
  const { web_app_id: webAppId = "" } = await fixture.service.admin(
    ...["web-app", "create", ...of, "--origin", "https://long.example"],
  );
  const { key_id: keyId = "" } = await fixture.service.admin("key", "create", ...of);
  const { workspace_id: newWorkspace = "" } = await fixture.service.admin("workspace", "create", "--name", name);
  await fixture.addMember(newWorkspace, OWNER, "owner");
  await fixture.service.admin("web-app", "create", "--workspace", newWorkspace, "--name", name);
  await fixture.asOwner(async (page) => {
    await page.goto(`${fixture.service.url}/w/${newWorkspace}`);
    await page.getByRole("heading", { name }).waitFor();
    await expectReflow(page, "the first steps");
    const about = [`webhooks/${webhookId}`, `web-apps/${webAppId}`, `keys/${keyId}`];
    for (const path of ["webhooks", "web-apps", "keys", "audit", "cases", ...about]) {
      await page.goto(`${fixture.home}/${path}`);
      await settle(page);
      await expectReflow(page, path);
      if (path === "keys") await page.getByRole("button", { name: `Actions for ${foreign(name)}` }).waitFor();
    }
    await page.goto(`${fixture.home}/reports`);
    await settle(page);
    await page.locator("summary").filter({ hasText: "More filters" }).click();
    await page.locator("summary").filter({ hasText: "Web App:" }).click();
    await page.getByRole("checkbox", { name }).waitFor();
    await expectReflow(page, "a list of choices");
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Page or anything to search for" }).fill(name.slice(0, 2));
    const option = page.getByRole("option", { name });
    await option.waitFor();
    expect(await option.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  });
});

test("paper shows the whole JSON of a Report", async () => {
  await fixture.asOwner(async (page) => {
    await page.goto(`${fixture.home}/reports/${fixture.imprint}`);
    await settle(page);
    const json = page.getByRole("region", { name: "Report as JSON" });
    const isCut = () => json.evaluate(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight);
    expect(await isCut()).toBe(true);
    await page.emulateMedia({ media: "print" });
    expect(await isCut()).toBe(false);
  });
});
