import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

import type { AxeResults, RunOptions } from "axe-core";
import type { Page } from "playwright-core";

/** The minified file: what a page parses for each look counts. */
const SOURCE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What axe finds wrong with the page as it stands, as text that names rule and element. */
export async function findViolations(page: Page, options: RunOptions = {}): Promise<string[]> {
  if ((await page.evaluate("typeof axe")) === "undefined") await page.evaluate(SOURCE);
  const given = JSON.stringify({ resultTypes: ["violations"], ...options });
  const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${given})`);
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
}
