import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { type ConsoleBench, prepareConsole } from "./console/console-bench";
import { settle } from "./console/console-page";

const prepare = await prepareConsole();
let bench: ConsoleBench;

beforeAll(async () => {
  bench = await prepare();
});
afterAll(() => bench.close());

test("a dialog with a running action cannot be closed, and shows the new secret", async () => {
  await bench.asOwner(async (page) => {
    let answer = () => {};
    const asked = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.goto(`${bench.home}/keys`);
    await settle(page);
    await page.route(`${bench.home}/keys`, async (route) => {
      if (route.request().method() === "POST") await asked;
      await route.continue();
    });
    await page.getByRole("button", { name: "New key" }).click();
    await page.getByLabel("Name").fill("Held");
    await page.getByRole("button", { name: "Create key" }).click();
    await page.getByRole("button", { name: "Cancel", disabled: true }).waitFor();
    for (const key of ["Escape", "Escape"]) await page.keyboard.press(key);
    answer();
    await page.getByRole("dialog", { name: "Store the key “Held”" }).waitFor();
  });
});

test("a page older than the service stays open and asks for a reload", async () => {
  await bench.asOwner(async (page) => {
    await page.goto(`${bench.home}/keys`);
    await settle(page);
    await page.route(`${bench.home}/keys`, async (route) => {
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
  await page.goto(bench.home);
  await settle(page);
  await page.getByRole("link", { name: "Keys" }).first().click();
  await page.waitForURL(`${bench.home}/keys`);
  await page.getByRole("button", { name: "New key" }).click();
  await page.getByLabel("Name").fill(name);
  await page.getByRole("button", { name: "Create key" }).click();
}

test("no way out of a page loses a secret that is shown once, unless the person confirms it", async () => {
  await bench.asOwner(async (page) => {
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
    expect(page.url()).toBe(`${bench.home}/keys`);
    await page.reload({ timeout: 2_000 }).catch(() => undefined);
    expect(questions).toEqual(["confirm", "confirm", "beforeunload"]);
    expect(await secret.textContent()).toBe(shown);

    answerWith(page, "accept");
    await page.evaluate("history.back()");
    await page.waitForURL(bench.home);
    await secret.waitFor({ state: "detached" });
  });
});

test("once a secret is stored, nothing asks", async () => {
  await bench.asOwner(async (page) => {
    await createKey(page, "Stored");
    await page.getByLabel("I have stored the key").check();
    const questions = answerWith(page, "dismiss");
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
    await page.getByRole("cell", { name: "Stored" }).first().waitFor();
    await page.evaluate("history.back()");
    await page.waitForURL(bench.home);
    expect(questions).toEqual([]);
  });
});

test("an invitation link is closed only by its button", async () => {
  await bench.asOwner(async (page) => {
    await page.goto(`${bench.home}/members`);
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
