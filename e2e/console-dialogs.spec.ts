import { afterAll, beforeAll, test } from "vitest";

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
