import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { countRoundTrips } from "@/db/client";
import { createTestDatabase } from "@/test/database";
import { openAgentKeys } from "@/lib/visits/agents";
import { createAgent, keyFileOf, signedHeaders } from "@/test/agents";
import { Report } from "@/lib/contract/report";
import type { Signals } from "@/lib/contract/signals";
import { readReportForConsole } from "@/lib/visits/reports";
import {
  createSite,
  ordinarySignals,
  readReport,
  requestChallenge,
  type Site,
  submissionBody,
  submit,
} from "@/test/visits";
import { operatorContext } from "@/test/workspaces";

const { db } = await createTestDatabase();
const folder = mkdtempSync(path.join(tmpdir(), "imprint-declared-"));
const file = path.join(folder, "agents.json");
const agent = createAgent("Example Agent");

beforeAll(async () => {
  writeFileSync(file, keyFileOf([agent]));
  await openAgentKeys({ path: file });
});

afterAll(async () => {
  await openAgentKeys({});
  rmSync(folder, { recursive: true });
});

/** A browser that declares its automation. */
function drivenSignals(): Signals {
  const signals = ordinarySignals();
  const { navigator } = signals;
  if (navigator?.state !== "ok") throw new Error("ordinary signals have a navigator");
  return { ...signals, navigator: { ...navigator, value: { ...navigator.value, webdriver: true } } };
}

const signed = (authority = "localhost:3000", created = Math.floor(Date.now() / 1000)) => ({
  host: authority,
  ...signedHeaders(agent, { authority, created }),
});

async function visitOf(site: Site, headers: Record<string, string>, signals = drivenSignals()) {
  const { challenge, token } = await requestChallenge(site);
  const body = submissionBody(site, { challenge, token, signals });
  const { imprint } = (await (await submit(site, body, { headers })).json()) as { imprint: string };
  const response = await readReport(site.apiKey, imprint);
  const report = Report.parse(await response.json());
  const shown = await readReportForConsole(operatorContext(db), { workspaceId: site.workspaceId, imprint });
  return { imprint, body, report, shown, agent: response.headers.get("imprint-agent") };
}

test("a verified agent counts as declared automation: SUSPICIOUS, with its name in the header, the finding and the Console", async () => {
  const { report, shown, agent: name } = await visitOf(await createSite(db), signed());
  expect(report.risk).toMatchObject({
    status: "SUSPICIOUS",
    findings: [{ reason: "AUTOMATION_DETECTED", status: "SUSPICIOUS" }],
  });
  expect(name).toBe("Example Agent");
  expect(shown.agent).toBe("Example Agent");
  expect(shown.findings.map(({ ruleId, status }) => [ruleId, status])).toEqual([
    ["automation.declared-agent", "SUSPICIOUS"],
    ["automation.webdriver-flag", "SUSPICIOUS"],
  ]);
  expect(shown.findings[0]?.text).toContain("Example Agent");
});

test("contradictions in a verified agent's visit stay DECEPTIVE", async () => {
  const signals = drivenSignals();
  const { report } = await visitOf(await createSite(db), signed(), {
    ...signals,
    engine: {
      state: "ok",
      value: { family: "gecko", evalLength: 37, errorText: "can't access property", hasChromeObject: false },
    },
  });
  expect(report.risk.status).toBe("DECEPTIVE");
  expect(report.risk.findings).toContainEqual({ reason: "AUTOMATION_DETECTED", status: "SUSPICIOUS" });
});

test("a stale signature, one for another host or one by an unknown signer identifies no agent and raises no finding", async () => {
  const site = await createSite(db);
  const stranger = createAgent("Stranger");
  const now = Math.floor(Date.now() / 1000);
  for (const headers of [
    signed("localhost:3000", now - 400),
    signed("other.example"),
    signedHeaders(stranger, { authority: "localhost:3000", created: now }),
    { "signature-input": "sig1=", signature: "sig1=" },
  ]) {
    const automated = await visitOf(site, headers);
    expect([automated.agent, automated.report.risk.status]).toEqual([null, "DECEPTIVE"]);
    const ordinary = await visitOf(site, headers, ordinarySignals());
    expect([ordinary.agent, ordinary.report.risk.status]).toEqual([null, "PASS"]);
    expect(ordinary.shown.agent).toBeUndefined();
  }
});

test("a signature copied from another visit identifies no agent, and resubmitting the identical body is the same visit", async () => {
  const site = await createSite(db);
  const headers = signed();
  const first = await visitOf(site, headers);
  const again = (await (await submit(site, first.body, { headers })).json()) as { imprint: string };
  expect(again.imprint).toBe(first.imprint);
  const other = await createSite(db);
  for (const replayed of [await visitOf(site, headers), await visitOf(other, headers)])
    expect([replayed.agent, replayed.report.risk.status]).toEqual([null, "DECEPTIVE"]);
});

test("only a submission with a valid signature takes one more statement", async () => {
  const site = await createSite(db);
  await visitOf(site, {});
  const statementsOf = async (headers: Record<string, string>) => {
    const { challenge, token } = await requestChallenge(site);
    const body = submissionBody(site, { challenge, token });
    const { statements } = await countRoundTrips(() => submit(site, body, { headers }));
    return statements.filter((text) => text.includes("agent_signatures")).length;
  };
  expect(await statementsOf({})).toBe(0);
  expect(await statementsOf(signed("other.example"))).toBe(0);
  expect(await statementsOf(signed())).toBe(1);
});
