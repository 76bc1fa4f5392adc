import { expect, onTestFinished, test } from "vitest";

import { Report } from "@/lib/contract/report";
import { TrialGrant } from "@/lib/contract/trial";
import { startProgram } from "./demo-process";

type Facts = {
  ok: boolean;
  trial_id: string;
  paid_atomic: string;
  settlement: { success: boolean };
  report: unknown;
  grant: unknown;
};

/** A few seconds on a quiet machine. */
const TIMEOUT_MS = 300_000;

test(
  "npm run demo:agent buys with play money, visits with a browser, reads the Report, and exits by itself",
  async () => {
    const demo = startProgram("npm", ["run", "--silent", "demo:agent", "--", "--json"], {});
    onTestFinished(async () => {
      await demo.stop();
    });
    await expect.poll(() => demo.process.exitCode, { timeout: TIMEOUT_MS, interval: 100 }).not.toBeNull();
    const factsLine = () => demo.lines.find((line) => line.startsWith('{"ok"')) ?? demo.lines.join("\n");
    await expect.poll(factsLine, { timeout: 10_000 }).toMatch(/^\{"ok"/);
    const facts = JSON.parse(factsLine()) as Facts;
    expect(facts).toMatchObject({ ok: true, paid_atomic: "1000000", settlement: { success: true } });
    expect(facts.trial_id).toMatch(/^trial_/);
    expect(Report.parse(facts.report)).toMatchObject({ device: { seen_before: false } });
    expect(TrialGrant.parse(facts.grant)).toMatchObject({ status: "active", used_report_units: 1 });
    expect(demo.process.exitCode).toBe(0);
    expect(demo.lines.join("\n")).not.toMatch(/svc_trial_\w{38}/);
  },
  TIMEOUT_MS,
);
