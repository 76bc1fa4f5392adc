import type { Page } from "playwright-core";
import { expect } from "vitest";

import { expectReflow, settle, violationsOf } from "./console-page";

/** Counts what a person does: one click, or one text with Enter. */
export function countActions() {
  let actions = 0;
  return {
    act: async (work: Promise<unknown>) => {
      await work;
      actions += 1;
    },
    count: () => actions,
  };
}

/** The demonstration's account farm in the list of devices: one device with many visits, all of them deceptive. */
export const farmOf = (page: Page) =>
  page
    .getByRole("region", { name: "Devices" })
    .getByRole("row")
    .filter({ hasText: "Deceptive" })
    .filter({ has: page.getByRole("cell", { name: /^(?:[1-9]\d)$/ }) })
    .first()
    .getByRole("link");

/** What the Overview says of last night's attack, which leads to its visits. */
export const attackOn = (page: Page) =>
  page.locator("#attention").getByRole("listitem").filter({ hasText: "12 on sign-up" }).getByRole("link").first();

/** The accounts of the visits that the list shows, by the file of the same filters. */
export async function accountsOf(page: Page): Promise<string[]> {
  await page.waitForURL(/\/reports\?from=.*reason=/);
  const href = await page.getByRole("link", { name: "CSV", exact: true }).getAttribute("href");
  const file = await page.context().request.get(new URL(href ?? "", page.url()).href);
  return [...new Set((await file.text()).match(/acc_[0-9a-f]{32}/g))];
}

const textOf = async (stream: Promise<AsyncIterable<unknown>>): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of await stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
};

/** Clicks a link to a file; its text. */
export async function download(page: Page, name: string): Promise<string> {
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name, exact: true }).click(),
  ]);
  return textOf(file.createReadStream());
}

export const soundAndNarrow = async (page: Page, what: string) => {
  await settle(page);
  expect(await violationsOf(page), what).toEqual([]);
  await page.setViewportSize({ width: 320, height: 800 });
  await expectReflow(page, what);
  await page.setViewportSize({ width: 1360, height: 900 });
};
