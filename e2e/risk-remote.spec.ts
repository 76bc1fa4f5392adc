import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { launchChromium } from "@/test/browser";
import { Report } from "@/lib/contract/report";
import { startProgram } from "./demo-process";

type Told = { url?: string; report?: unknown; evidence?: { ruleId: string }[] };

const program = startProgram(
  process.execPath,
  ["scripts/run.mjs", "test-remote", "--address", "localhost", "--json"],
  {},
);
const told = async (key: keyof Told) => JSON.parse(await program.waitForLine(new RegExp(`^\\{"${key}"`))) as Told;
let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
  expect(await program.stop()).toBe(0);
});

test("when a device opens the printed URL, its Report and the rules behind it are printed", async () => {
  const { url = "" } = await told("url");
  const page = await browser.newPage();
  await page.goto(url);
  const { report, evidence = [] } = await told("report");
  const { imprint, risk } = Report.parse(report);
  expect(risk.reasons).toContain("AUTOMATION_DETECTED");
  expect(evidence.map(({ ruleId }) => ruleId)).toContain("automation.webdriver-flag");
  await page.getByText(`Done. The Report is in the terminal: ${imprint}`).waitFor();
});
