import { readdirSync, readFileSync } from "node:fs";

import { sql } from "drizzle-orm";
import { expect, test } from "vitest";

import { countRoundTrips } from "@/db/client";
import { idToUuid } from "@/lib/contract/ids";
import { Report } from "@/lib/contract/report";
import { setLabel } from "@/lib/visits/labels";
import { readReportForConsole } from "@/lib/visits/reports";
import { listAudit } from "@/lib/tenancy/workspaces";
import { createTestDatabase } from "@/test/database";
import {
  createSite,
  ordinarySignals,
  readReport,
  requestChallenge,
  type Site,
  submissionBody,
  submit,
  visit,
} from "@/test/visits";
import { memberContext, operatorContext } from "@/test/workspaces";
import { RULES_VERSION } from "@/lib/visits/risk";
import { CATALOGUE } from "./catalogue";
import { listRules, readRule, switchRule } from "./index";
import released from "./released-rules.json";

const { db } = await createTestDatabase();
const operator = operatorContext(db);

const FLAG = "automation.webdriver-flag";
const ofToday = ({ workspaceId }: Site) => ({
  workspaceId,
  from: new Date(Date.now() - 3_600_000),
  to: new Date(Date.now() + 60_000),
});

/** The submission of a browser that declares that software controls it. */
function automatedSignals() {
  const signals = ordinarySignals();
  if (signals.navigator?.state === "ok") signals.navigator.value.webdriver = true;
  return signals;
}

const riskOf = async ({ apiKey }: Site, imprint: string) =>
  Report.parse(await (await readReport(apiKey, imprint)).json()).risk;

const flagOf = async (site: Site) => (await listRules(operator, ofToday(site))).rules.find(({ id }) => id === FLAG);

test("the catalogue has the rules of docs/risk.md and docs/network.md and no others, with their reasons", () => {
  const pages = ["risk", "network"].map((name) => readFileSync(`docs/${name}.md`, "utf8")).join("");
  const rows = pages.matchAll(/^\| `([a-z]+\.[a-z-]+)` +\| (`[A-Z_]+`(?: or `[A-Z_]+`)?) +\|/gm);
  const listed = new Set([...rows].map(([, id, reasons]) => `${id} ${reasons}`));
  const catalogued = CATALOGUE.map(({ id, reason, otherReason }) =>
    otherReason === undefined ? `${id} \`${reason}\`` : `${id} \`${reason}\` or \`${otherReason}\``,
  );
  expect(catalogued.toSorted()).toEqual([...listed].toSorted());
});

test("the catalogue has every rule that domain code declares, once", () => {
  const ids = CATALOGUE.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const declared = /\b(?:id|ruleId): "([a-z]+\.[a-z-]+)"|"([a-z]+\.[a-z-]+)": "[A-Z_]+"/g;
  const named = readdirSync("lib/visits", { recursive: true, encoding: "utf8" })
    .filter((path) => /\/domain\/.*(?<!\.test)\.ts$/.test(path))
    .flatMap((path) => [...readFileSync(`lib/visits/${path}`, "utf8").matchAll(declared)])
    .map(([, id, key]) => id ?? key);
  expect(new Set(named)).toEqual(new Set(ids));
});

test("rules that differ from those of the last release have another version", () => {
  const last = readdirSync("releases/database", { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(released.release).toBe(
    last
      .map(({ name }) => name)
      .sort((a, b) => a.localeCompare(b, "en", { numeric: true }))
      .at(-1),
  );
  if (RULES_VERSION === released.rulesVersion)
    expect(CATALOGUE.map(({ id }) => id).sort()).toEqual(released.ids.toSorted());
});

test("an observed rule leaves evidence but no finding, from the next visit on and until it is switched back", async () => {
  const site = await createSite(db);
  const { workspaceId } = site;
  const admin = await memberContext(db, workspaceId, "admin");
  const scope = { workspaceId };
  const automated = async () => (await visit(site, { signals: automatedSignals() })).imprint;
  const before = await automated();
  await switchRule(admin, { scope, ruleId: FLAG, mode: "observe" });
  const observed = await automated();
  await switchRule(admin, { scope, ruleId: FLAG, mode: "enforce" });
  const after = await automated();
  expect(await riskOf(site, observed)).toEqual({ status: "PASS", reasons: [], findings: [] });
  for (const imprint of [before, after])
    expect(await riskOf(site, imprint)).toMatchObject({ status: "DECEPTIVE", reasons: ["AUTOMATION_DETECTED"] });
  const shown = await readReportForConsole(operator, { workspaceId, imprint: observed });
  expect([shown.findings.map(({ ruleId }) => ruleId), shown.observed.map(({ ruleId }) => ruleId)]).toEqual([
    [],
    [FLAG],
  ]);
  expect(await flagOf(site)).toMatchObject({ visits: 3, observedVisits: 1, observedBy: [] });
  const { entries } = await listAudit(operator, { workspaceId, filter: { action: "rule" } });
  expect(entries.map(({ action, target }) => [action, target])).toEqual([
    ["rule.enforce", FLAG],
    ["rule.observe", FLAG],
  ]);
});

test("a visit's own list of rules has its recorded rules except for those that are only observed", async () => {
  const site = await createSite(db);
  await visit(site);
  await visit(site, { signals: automatedSignals() });
  await switchRule(operator, { scope: site, ruleId: FLAG, mode: "observe" });
  await visit(site, { signals: automatedSignals() });
  const rows = await db.execute<{ listed: string[]; noted: string[]; observed: string[] }>(sql`
    select to_json(v.rules) as listed,
      to_json(array(select r.rule_id from visit_rules r where r.workspace_id = v.workspace_id and r.event_id = v.event_id
        and not r.is_observed order by 1)) as noted,
      to_json(array(select r.rule_id from visit_rules r where r.workspace_id = v.workspace_id and r.event_id = v.event_id
        and r.is_observed order by 1)) as observed
    from visits v where v.workspace_id = ${idToUuid(site.workspaceId)}::uuid order by v.event_id`);
  expect(rows.map(({ listed }) => listed.toSorted())).toEqual(rows.map(({ noted }) => noted));
  expect(rows.map(({ noted, observed }) => [noted.includes(FLAG), observed.includes(FLAG)])).toEqual([
    [false, false],
    [true, false],
    [false, true],
  ]);
});

test("a rule observed by the instance cannot be enforced by a workspace; strangers and other rules are not affected", async () => {
  const [site, other] = [await createSite(db), await createSite(db)];
  const rule = "environment.languages";
  const owner = await memberContext(db, site.workspaceId, "owner");
  const analyst = await memberContext(db, site.workspaceId, "analyst");
  const observe = { ruleId: rule, mode: "observe" } as const;
  await expect(switchRule(owner, { ...observe, scope: "instance" })).rejects.toMatchObject({ code: "forbidden" });
  await expect(switchRule(owner, { ...observe, scope: other })).rejects.toMatchObject({ code: "not_found" });
  await expect(switchRule(analyst, { ...observe, scope: site })).rejects.toMatchObject({ code: "forbidden" });
  await expect(switchRule(owner, { ...observe, scope: site, ruleId: "no.rule" })).rejects.toMatchObject({
    code: "not_found",
  });
  await switchRule(operator, { ...observe, scope: "instance" });
  try {
    await switchRule(owner, { scope: site, ruleId: rule, mode: "enforce" });
    for (const each of [site, other]) {
      const { rules } = await listRules(operator, ofToday(each));
      expect(rules.filter(({ observedBy }) => observedBy.length > 0)).toMatchObject([
        { id: rule, observedBy: [{ scope: "instance", actorKind: "operator" }] },
      ]);
    }
    expect(await riskOf(site, (await visit(site, { signals: automatedSignals() })).imprint)).toMatchObject({
      status: "DECEPTIVE",
    });
  } finally {
    await switchRule(operator, { scope: "instance", ruleId: rule, mode: "enforce" });
  }
});

test("a submission with findings, observed or not, takes no more statements than one without", async () => {
  const site = await createSite(db);
  await switchRule(operator, { scope: site, ruleId: FLAG, mode: "observe" });
  const { token } = await visit(site);
  const trips = async (signals = ordinarySignals()) => {
    const { challenge } = await requestChallenge(site, { token });
    const body = submissionBody(site, { challenge, token, signals });
    const { result, roundTrips } = await countRoundTrips(() => submit(site, body));
    expect(result.status).toBe(201);
    return roundTrips;
  };
  expect(await trips(automatedSignals())).toBe(await trips());
});

test("precision and false accusations are measured by effective labels, including noise; testers are ignored", async () => {
  const site = await createSite(db);
  const { workspaceId } = site;
  const label = (imprint: string, to: "fraud" | "legitimate" | "tester") =>
    setLabel(operator, { workspaceId, subject: { imprint }, label: to });
  // Six frauds that the rule finds, one of which is wrongly labelled; a legitimate visit that it accuses, and three
  // that it does not; a fraud that it misses; a tester.
  for (const to of ["fraud", "fraud", "fraud", "fraud", "fraud", "legitimate", "legitimate", "tester"] as const)
    await label((await visit(site, { signals: automatedSignals() })).imprint, to);
  for (const to of ["legitimate", "legitimate", "legitimate", "fraud"] as const)
    await label((await visit(site)).imprint, to);
  const listed = await listRules(operator, ofToday(site));
  const flag = listed.rules[0];
  expect(flag).toMatchObject({ id: FLAG, visits: 8 });
  expect(flag?.precision).toMatchObject({ visits: 7, devices: 7, share: 5 / 7 });
  expect(flag?.falseAccusations).toMatchObject({ visits: 5, share: 2 / 5 });
  // The truth, without the wrong label: 6 of 7, and 1 of 4.
  for (const [measured, truth] of [
    [flag?.precision, 6 / 7],
    [flag?.falseAccusations, 1 / 4],
  ] as const) {
    expect(measured?.low).toBeLessThan(truth);
    expect(measured?.high).toBeGreaterThan(truth);
  }
  expect(listed).toMatchObject({ labelled: { fraud: 6, legitimate: 5, tester: 1 }, caught: { share: 5 / 6 } });
  const starts = [new Date(Date.now() - 3_600_000), new Date(Date.now() - 1_800_000)];
  const rule = await readRule(operator, { ...ofToday(site), from: starts[0] ?? new Date(), ruleId: FLAG, starts });
  expect(rule.steps.map(({ visits }) => visits)).toEqual([0, 8]);
  expect(rule).toMatchObject({ visits: 8, precision: flag?.precision, newest: expect.any(Array) as unknown });
  expect(rule.newest).toHaveLength(8);
  expect(rule.newest[0]).toMatchObject({ label: "tester", status: "DECEPTIVE", isObserved: false });
  expect(rule.facets).toContainEqual({ by: "browser", value: "Chrome", count: 8 });
  expect(rule.explanation).toMatch(/./);
});

test("a rule can only be read in its own workspace", async () => {
  const [site, other] = [await createSite(db), await createSite(db)];
  await visit(site, { signals: automatedSignals() });
  expect((await listRules(operator, ofToday(other))).rules.every(({ visits }) => visits === 0)).toBe(true);
  const stranger = await memberContext(db, other.workspaceId, "owner");
  await expect(listRules(stranger, ofToday(site))).rejects.toMatchObject({ code: "not_found" });
  await expect(readRule(operator, { ...ofToday(site), ruleId: "no.rule", starts: [] })).rejects.toMatchObject({
    code: "not_found",
  });
});
