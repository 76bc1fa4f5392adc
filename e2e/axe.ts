import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

import type { AxeResults, RunOptions } from "axe-core";
import type { Page } from "playwright-core";

/** The minified file, because every page parses it again. */
const SOURCE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/**
 * The API reference has one section per operation, all rendered by the same code: checking the first ones is enough.
 */
const REPEATED = "section[aria-labelledby]:nth-of-type(n + 10)";

/** Violations that axe finds on the current page, as text with rule and element. */
export async function findViolations(page: Page, options: RunOptions = {}): Promise<string[]> {
  if ((await page.evaluate("typeof axe")) === "undefined") await page.evaluate(SOURCE);
  const given = JSON.stringify({ resultTypes: ["violations"], preload: false, ...options });
  const context = JSON.stringify({ exclude: [[REPEATED]] });
  const { violations } = await page.evaluate<AxeResults>(`axe.run(${context}, ${given})`);
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
}
