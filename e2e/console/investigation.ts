import type { Page } from "playwright-core";
import { expect } from "vitest";

import { expectReflow, settle, violationsOf } from "./console-page";

/** Counts user actions: a click, or a text with Enter. */
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

/** The demo data's account farm in the device list: one device with many visits, all deceptive. */
export const farmOf = (page: Page) =>
  page
    .getByRole("region", { name: "Devices" })
    .getByRole("row")
    .filter({ hasText: "Deceptive" })
    .filter({ has: page.getByRole("cell", { name: /^(?:[1-9]\d)$/ }) })
    .first()
    .getByRole("link");

/** The Overview's entry about last night's attack, which links to its visits. */
export const attackOn = (page: Page) =>
  page.locator("#attention").getByRole("listitem").filter({ hasText: "12 on sign-up" }).getByRole("link").first();

/** Accounts of the listed visits, from the exported file with the same filters. */
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

/** Clicks a download link; returns the file's text. */
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

/** What paper would cut, and what could be pressed. */
export const readUnprintable = (page: Page) =>
  page.evaluate(() => {
    const seen = [...document.querySelectorAll<HTMLElement>("body *")].filter((element) => element.checkVisibility());
    const isCut = (element: HTMLElement) =>
      /auto|scroll/.test(getComputedStyle(element).overflow) &&
      (element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight);
    const isControl = (element: HTMLElement) =>
      element.matches("button:not([aria-pressed=true]), input, textarea, aside");
    const { scrollWidth, clientWidth } = document.documentElement;
    const isOutside = (element: HTMLElement) =>
      scrollWidth > clientWidth && element.getBoundingClientRect().right > clientWidth;
    return [
      ...(scrollWidth > clientWidth ? [`the page is ${scrollWidth} pixels wide`] : []),
      ...seen
        .filter((element) => isCut(element) || isControl(element) || isOutside(element))
        .map((element) => element.outerHTML.slice(0, 120)),
    ];
  });
