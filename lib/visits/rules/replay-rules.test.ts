import { sql } from "drizzle-orm";
import { expect, test } from "vitest";

import { idToUuid, newId, newImprint } from "@/lib/contract/ids";
import { setLabel } from "@/lib/visits/labels";
import { CAPTURED, DESCRIBED, DESCRIBED_TOOLS } from "@/lib/visits/risk/testing";
import { assessFacts } from "@/lib/visits/network";
import { assessRisk, type Visit } from "@/lib/visits/risk";
import { createTestDatabase } from "@/test/database";
import { createSite, ordinarySignals, requestChallenge, type Site, submissionBody, submit, visit } from "@/test/visits";
import { memberContext, operatorContext } from "@/test/workspaces";
import { compareAccuracy } from "./domain/tally";
import { replayVisit, verdictOf } from "./replay-visit";
import { type Candidate, currentRules, parseCandidate, replayRules, switchRule } from "./index";

const { db } = await createTestDatabase();
const operator = operatorContext(db);

const FIXTURES: Record<string, Visit> = { ...CAPTURED, ...DESCRIBED, ...DESCRIBED_TOOLS };
const ATTACKERS = Object.keys(FIXTURES).filter((name) =>
  /playwright|puppeteer|selenium|driven|Headless|headless/i.test(name),
);

const ofToday = ({ workspaceId }: Site) => ({
  workspaceId,
  from: new Date(Date.now() - 3_600_000),
  to: new Date(Date.now() + 60_000),
});

/** Sends a fixture browser's submission with its request headers. */
async function send(site: Site, { signals, request }: Visit): Promise<string> {
  const { challenge, token } = await requestChallenge(site);
  const { brands, mobile, platform } = request.clientHints;
  const metadata = request.fetchMetadata ?? {};
  const headers = {
    ...{ "user-agent": request.userAgent, "accept-language": request.acceptLanguage, accept: request.accept },
    ...{ "sec-ch-ua": brands, "sec-ch-ua-mobile": mobile, "sec-ch-ua-platform": platform },
    ...{ "sec-fetch-site": metadata.site, "sec-fetch-mode": metadata.mode, "sec-fetch-dest": metadata.dest },
  };
  const sent = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined)) as Record<
    string,
    string
  >;
  const response = await submit(site, submissionBody(site, { challenge, token, signals }), { headers: sent });
  return ((await response.json()) as { imprint: string }).imprint;
}

const candidateOf = (rules: unknown): Candidate => {
  const candidate = parseCandidate(JSON.stringify({ name: "candidate", rules }));
  if (typeof candidate === "string") throw new Error(candidate);
  return candidate;
};

/**
 * A workspace with a stored visit of every attacker and clean browser, and of others that the rules do not distinguish.
 */
async function createPopulation() {
  const site = await createSite(db);
  const imprints: Record<string, string> = {};
  for (const [name, fixture] of Object.entries(FIXTURES)) imprints[name] = await send(site, fixture);
  const { token } = await visit(site, { address: "8.8.8.8" });
  await visit(site, { token, address: "1.1.1.1" });
  await visit(site, { token, timings: { total: -0, challenge: 90_000, signals: {} } });
  return { site, imprints };
}

const population = await createPopulation();

test("the same rules version gives the same result for every stored attacker and clean browser, byte for byte", async () => {
  const replay = await replayRules(operator, { ...ofToday(population.site), candidate: currentRules });
  const visits = Object.keys(FIXTURES).length + 3;
  expect(ATTACKERS.length).toBeGreaterThan(8);
  expect(replay.sameVersion).toEqual({ visits, different: 0, imprints: [] });
  expect(replay).toMatchObject({ visits, withoutSignals: 0, changes: [], rules: [], refusedBecause: undefined });
});

test("a rule that was observed when a visit arrived is also observed in its replay", async () => {
  const site = await createSite(db);
  await switchRule(operator, { scope: site, ruleId: "automation.webdriver-flag", mode: "observe" });
  await send(site, CAPTURED.playwright);
  await switchRule(operator, { scope: site, ruleId: "automation.webdriver-flag", mode: "enforce" });
  await send(site, CAPTURED.playwright);
  const replay = await replayRules(operator, { ...ofToday(site), candidate: currentRules });
  expect(replay).toMatchObject({ sameVersion: { visits: 2, different: 0 }, changes: [] });
});

test("stored verdicts that differ from their rules are reported by imprint, and visits without signals are skipped", async () => {
  const site = await createSite(db);
  const [changed, erased] = [(await visit(site)).imprint, (await visit(site)).imprint];
  await db.execute(sql`update visits set report = replace(report, '"status":"PASS","reasons":[]', '"status":"SUSPICIOUS","reasons":[]')
    where workspace_id = ${idToUuid(site.workspaceId)}::uuid and event_id = ${idToUuid(changed)}::uuid`);
  await db.execute(sql`delete from visit_signals
    where workspace_id = ${idToUuid(site.workspaceId)}::uuid and event_id = ${idToUuid(erased)}::uuid`);
  const replay = await replayRules(operator, { ...ofToday(site), candidate: currentRules });
  expect(replay).toMatchObject({
    visits: 1,
    withoutSignals: 1,
    sameVersion: { visits: 1, different: 1, imprints: [changed] },
    changes: [{ from: "SUSPICIOUS", to: "PASS", visits: 1 }],
  });
});

test("a candidate reports which verdicts and rules change, and writes nothing", async () => {
  const range = ofToday(population.site);
  const stored = () =>
    db.execute(
      sql`select report from visits where workspace_id = ${idToUuid(range.workspaceId)}::uuid order by event_id`,
    );
  const before = await stored();
  const candidate = candidateOf({ "automation.webdriver-flag": { mode: "observe" } });
  const replay = await replayRules(operator, { ...range, candidate });
  expect(replay.sameVersion.different).toBe(0);
  expect(replay.rules).toEqual([
    { ruleId: "automation.webdriver-flag", before: expect.any(Number) as number, after: 0 },
  ]);
  expect(replay.changes.length).toBeGreaterThan(0);
  expect(await stored()).toEqual(before);
  const analyst = await memberContext(db, range.workspaceId, "analyst");
  await expect(replayRules(analyst, { ...range, candidate })).rejects.toMatchObject({ code: "forbidden" });
});

/** A window that overlaps its screen by a few pixels, as with the borders of some desktops. */
function signalsWithOverlap(pixels: number) {
  const signals = ordinarySignals();
  if (signals.screen?.state === "ok")
    Object.assign(signals.screen.value, {
      ...{
        width: 1920,
        height: 1080,
        outerWidth: 1920 + pixels,
        outerHeight: 1040,
        innerWidth: 1900,
        innerHeight: 900,
      },
    });
  return signals;
}

test("a candidate that accuses more visits labelled legitimate than their interval allows is refused; one wrong label is not enough", async () => {
  const site = await createSite(db);
  const label = (imprint: string, to: "fraud" | "legitimate") =>
    setLabel(operator, { workspaceId: site.workspaceId, subject: { imprint }, label: to });
  // Twelve legitimate visits whose windows overlap by up to 24 pixels. Noise: an attack labelled legitimate, and a
  // legitimate visit labelled fraud.
  for (let visits = 0; visits < 12; visits += 1)
    await label(
      (await visit(site, { signals: signalsWithOverlap(visits * 2) })).imprint,
      visits === 11 ? "fraud" : "legitimate",
    );
  await label(await send(site, CAPTURED.playwright), "legitimate");
  for (let visits = 0; visits < 4; visits += 1) await label(await send(site, CAPTURED.playwright), "fraud");
  const replay = (maxOverlap: number) =>
    replayRules(operator, {
      ...ofToday(site),
      candidate: candidateOf({ "environment.window": { limits: { maxOverlap } } }),
    });

  const slight = await replay(18);
  expect(slight.changes).toEqual([{ from: "PASS", to: "SUSPICIOUS", visits: 2 }]);
  expect(slight).toMatchObject({
    refusedBecause: undefined,
    before: { falseAccusations: { visits: 12, share: 1 / 12 } },
  });
  const severe = await replay(-1);
  expect(severe.after.falseAccusations?.share).toBeGreaterThan(severe.before.falseAccusations?.high ?? 1);
  expect(severe.refusedBecause).toMatch(
    /^It accuses 100\.0 % of the visits labelled legitimate, more than the upper bound of \d/,
  );
  expect(severe.before.precision).toMatchObject({ visits: 5, share: 4 / 5 });
  expect(severe.after.precision?.share).toBeCloseTo(5 / 17);
});

test("repeated visits of one device neither hide nor cause a false accusation", () => {
  const visitsOf = (deviceId: string, count: number, after: "PASS" | "SUSPICIOUS") =>
    Array.from({ length: count }, () => ({ deviceId, label: "legitimate" as const, before: "PASS" as const, after }));
  const crowd = Array.from({ length: 50 }, (_, index) => visitsOf(`crowd ${index}`, 2, "PASS")).flat();
  expect(compareAccuracy([...crowd, ...visitsOf("one", 1, "SUSPICIOUS")]).refusedBecause).toBeUndefined();
  expect(compareAccuracy([...crowd, ...visitsOf("one", 100, "SUSPICIOUS")]).refusedBecause).toMatch(/accuses/);
  expect(compareAccuracy([]).refusedBecause).toBeUndefined();
});

test.each([
  ["no JSON", "{"],
  ["an unknown rule", '{"name":"x","rules":{"no.rule":{}}}'],
  ["an unknown limit", '{"name":"x","rules":{"environment.window":{"limits":{"maxWidth":1}}}}'],
  ["a limit of a rule that has none", '{"name":"x","rules":{"automation.webdriver-flag":{"limits":{"a":1}}}}'],
  ["a status of a rule that is not computed again", '{"name":"x","rules":{"repeat.payload":{"status":"DECEPTIVE"}}}'],
  ["a status that passes", '{"name":"x","rules":{"environment.window":{"status":"PASS"}}}'],
  ["a further field", '{"name":"x","rules":{},"more":1}'],
])("a candidate with %s is refused with a message", (_name, text) => {
  expect(parseCandidate(text)).toEqual(expect.any(String));
});

test("a replay separates the rules of a journey that the candidate observes, and so agrees with a visit made under it", () => {
  const home = (address: string, asn: number) => ({
    ...{ address, asn, evidence: [] },
    connectionType: "residential" as const,
  });
  const observed = { ...home("87.128.1.1", 3320), countryCode: "DE", countryAgrees: true };
  const facts = { observed, challenge: home("91.10.1.1", 3209), probed: { evidence: [] } };
  const { signals, request } = CAPTURED.chromium;
  const now = new Date();
  const networkOf = (rules: readonly string[]) =>
    assessFacts(facts, { timeZone: "Asia/Tokyo", isHidden: false }, now, rules).findings;
  const stored = {
    ...{ imprint: newImprint(now.getTime()), deviceId: newId("device"), rulesVersion: "1", report: "" },
    ...{ signals: { signals, request }, evidence: { risk: networkOf([]) } },
  };
  const candidate = { observed: ["network.clock-elsewhere"] };
  const live = assessRisk(
    { signals, request, now },
    { extraFindings: networkOf(candidate.observed), settings: candidate },
  );
  expect(replayVisit(stored, { observed: [] }).reasons).toEqual(["LOCATION_INCONSISTENT"]);
  expect(verdictOf(replayVisit(stored, candidate))).toEqual(verdictOf(live));
  expect(live.reasons).toEqual(["NETWORK_INCONSISTENT"]);
});
