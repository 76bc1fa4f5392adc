import axe, { type AxeResults, type RunOptions } from "axe-core";
import type { Page } from "playwright-core";

/** What axe finds wrong with the page as it stands, as text that names rule and element. */
export async function findViolations(page: Page, options: RunOptions = {}): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${JSON.stringify(options)})`);
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
}
