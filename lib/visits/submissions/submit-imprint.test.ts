import { randomBytes } from "node:crypto";

import { sql } from "drizzle-orm";
import { expect, test } from "vitest";

import { countRoundTrips } from "@/db/client";
import { createTestDatabase } from "@/test/database";
import { countLockWaits } from "@/test/lock-waits";
import { Report } from "@/lib/contract/report";
import { idToUuid } from "@/lib/contract/ids";
import { pauseWebApp, removeOrigin } from "@/lib/tenancy/web-apps";
import {
  BROWSER_HEADERS,
  call,
  CHROME_USER_AGENT,
  createSite,
  ordinarySignals,
  readReport,
  requestChallenge,
  type Site,
  submissionBody,
  submit,
  visit,
} from "@/test/visits";
import { operatorContext } from "@/test/workspaces";

const { db } = await createTestDatabase({ poolSize: 20 });

const codeOf = async (response: Response) => ((await response.json()) as { error: { code: string } }).error.code;

async function stored(site: Site) {
  const workspace = idToUuid(site.workspaceId);
  const [row] = await db.execute<Record<"visits" | "devices" | "uses" | "refused", number>>(sql`
    select (select count(*)::int from visits where workspace_id = ${workspace}::uuid) as visits,
      (select count(*)::int from devices where workspace_id = ${workspace}::uuid) as devices,
      (select count(*)::int from challenge_uses where workspace_id = ${workspace}::uuid) as uses,
      (select coalesce(sum(count), 0)::int from refused_origins where workspace_id = ${workspace}::uuid) as refused`);
  return row;
}

const reportOf = async (site: Site, imprint: string) =>
  Report.parse(await (await readReport(site.apiKey, imprint)).json());

test("a visit gets an imprint and its Report passes the strict schema of the contract", async () => {
  const site = await createSite(db);
  const { imprint } = await visit(site, { address: "8.8.8.8", surface: "sign-in" });
  expect(imprint).toMatch(/^imp_[0-9a-f]{32}$/);
  const report = await reportOf(site, imprint);
  expect(report).toMatchObject({
    schema_version: "1.0",
    imprint,
    device: { seen_before: false, access_count: 1, previous_seen_at: null },
    risk: { status: "PASS", reasons: [], findings: [] },
    browser: { status: "PASS", name: "Chrome" },
    operating_system: { status: "PASS", name: "Windows" },
    network: { observed_ip: "8.8.8.8", ip_consistency: "UNKNOWN" },
    activity: { "5m": { events: 1, distinct_ips: 1 }, "24h": { events: 1, distinct_ips: 1 } },
  });
  expect(report.device.id).toMatch(/^dev_[0-9a-f]{32}$/);
});

const UNNAMED_HEADERS = Object.fromEntries(Object.entries(BROWSER_HEADERS).filter(([name]) => name !== "user-agent"));

test.each([
  ["node", { "user-agent": "node", accept: "*/*", "accept-language": "*", "sec-fetch-mode": "cors" }],
  [
    "node under the browser's name",
    { "user-agent": CHROME_USER_AGENT, "accept-language": "*", "sec-fetch-mode": "cors" },
  ],
  ["curl", { "user-agent": "curl/8.5.0", accept: "*/*" }],
  ["a client that sends no headers", {}],
  ["a client that sends all headers but user-agent", UNNAMED_HEADERS],
])("an ordinary browser's answers do not pass when sent by %s", async (_name, headers) => {
  const site = await createSite(db);
  const { challenge } = await requestChallenge(site);
  const response = await call("/api/v1/imprints", {
    method: "POST",
    headers: { origin: site.origin, ...headers },
    body: submissionBody(site, { challenge }),
  });
  const { imprint } = (await response.json()) as { imprint: string };
  expect((await reportOf(site, imprint)).risk.status).toBe("SUSPICIOUS");
});

test("the same token is the same device, whose Report distinguishes first, previous and current visit", async () => {
  const site = await createSite(db);
  const first = await visit(site, { address: "8.8.8.8" });
  const second = await visit(site, { token: first.token, address: "1.1.1.1" });
  const [before, after] = [await reportOf(site, first.imprint), await reportOf(site, second.imprint)];
  expect(after.device).toEqual({
    id: before.device.id,
    seen_before: true,
    access_count: 2,
    first_seen_at: before.created_at,
    previous_seen_at: before.created_at,
  });
  expect(after.activity?.["1h"]).toMatchObject({ events: 2, distinct_ips: 2 });
  expect(before.activity?.["1h"]).toMatchObject({ events: 1, distinct_ips: 1 });
  // The database writes this text, which must equal the schema's own serialization.
  for (const { imprint } of [first, second]) {
    const text = await (await readReport(site.apiKey, imprint)).text();
    expect(text).toBe(JSON.stringify(Report.parse(JSON.parse(text))));
  }
});

test("visits without a token, or with a forged one, are never merged", async () => {
  const site = await createSite(db);
  const forged = randomBytes(33).toString("base64url");
  const imprints: string[] = [];
  for (const token of [undefined, undefined, forged, forged]) {
    const { challenge } = await requestChallenge(site);
    const response = await submit(site, submissionBody(site, { challenge, token }));
    imprints.push(((await response.json()) as { imprint: string }).imprint);
  }
  const devices = await Promise.all(imprints.map(async (imprint) => (await reportOf(site, imprint)).device.id));
  expect(new Set(devices).size).toBe(4);
});

test("a token of one workspace means nothing in another", async () => {
  const [one, other] = [await createSite(db), await createSite(db)];
  const first = await visit(one);
  const answer = await requestChallenge(other, { token: first.token });
  expect(answer.token).toBeDefined();
  const elsewhere = await visit(other, { token: first.token });
  expect((await reportOf(other, elsewhere.imprint)).device.seen_before).toBe(false);
});

test("50 parallel submissions with one fresh token and 50 challenges make one device with 50 distinct counts", async () => {
  const site = await createSite(db);
  const { token } = await requestChallenge(site);
  const challenges = await Promise.all(Array.from({ length: 50 }, () => requestChallenge(site, { token })));
  const responses = await Promise.all(
    challenges.map(({ challenge }) => submit(site, submissionBody(site, { challenge, token }))),
  );
  expect(responses.map((response) => response.status)).toEqual(Array.from({ length: 50 }, () => 201));
  const imprints = await Promise.all(
    responses.map(async (response) => ((await response.json()) as { imprint: string }).imprint),
  );
  const rows = await db.execute<{ device_id: string; access_count: number; report: string }>(sql`
    select device_id, access_count, report from visits where workspace_id = ${idToUuid(site.workspaceId)}::uuid order by recorded_at`);
  expect(new Set(imprints).size).toBe(50);
  expect(new Set(rows.map((row) => row.device_id)).size).toBe(1);
  expect(rows.map((row) => row.access_count)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
  expect(rows.map((row) => Report.parse(JSON.parse(row.report)).activity?.["5m"].events)).toEqual(
    Array.from({ length: 50 }, (_, index) => index + 1),
  );
});

test("a visit overtaken by another of the same device counts the visits in between", async () => {
  const site = await createSite(db);
  const { token } = await visit(site, { address: "8.8.8.8" });
  const { challenge } = await requestChallenge(site, { token });
  const workspace = sql`${idToUuid(site.workspaceId)}::uuid`;
  const overtaken = await db.transaction(async (tx) => {
    await tx.execute(sql`update devices set access_count = access_count + 1 where workspace_id = ${workspace}`);
    await tx.execute(sql`
      insert into device_addresses select workspace_id, device_id, '1.1.1.1', country_code, first_seen_at, clock_timestamp()
      from device_addresses where workspace_id = ${workspace}`);
    const answer = submit(site, submissionBody(site, { challenge, token }), { address: "9.9.9.9" });
    await expect.poll(() => countLockWaits(db), { timeout: 20_000, interval: 5 }).toBeGreaterThan(0);
    return { answer };
  });
  const { imprint } = (await (await overtaken.answer).json()) as { imprint: string };
  const report = await reportOf(site, imprint);
  expect(report.device.access_count).toBe(3);
  expect(report.activity?.["5m"]).toMatchObject({ events: 3, distinct_ips: 3 });
});

test("resubmitting the identical body returns the same imprint and counts once, also in parallel; another body is refused", async () => {
  const site = await createSite(db);
  const { challenge, token } = await requestChallenge(site);
  const body = submissionBody(site, { challenge, token });
  const responses = await Promise.all(Array.from({ length: 5 }, () => submit(site, body)));
  const answers = await Promise.all(responses.map(async (response) => [response.status, await response.text()]));
  expect(new Set(answers.map((answer) => answer.join())).size).toBe(1);
  expect(answers[0]?.[0]).toBe(201);
  const other = await submit(site, submissionBody(site, { challenge, token, surface: "other" }));
  expect([other.status, await codeOf(other)]).toEqual([409, "challenge_used"]);
  expect(await stored(site)).toEqual({ visits: 1, devices: 1, uses: 1, refused: 0 });
});

test.each([
  ["another origin", { origin: "https://evil.example" }, 403, "origin_not_allowed"],
  ["no origin", {}, 403, "origin_not_allowed"],
  ["the null origin", { origin: "null" }, 403, "origin_not_allowed"],
  ["another port", { origin: "https://shop.example:8443" }, 403, "origin_not_allowed"],
  ["another scheme", { origin: "http://shop.example" }, 403, "origin_not_allowed"],
])("%s is refused and only counted", async (_name, headers, status, code) => {
  const site = await createSite(db);
  const { challenge } = await requestChallenge(site);
  const response = await call("/api/v1/imprints", {
    method: "POST",
    headers,
    body: submissionBody(site, { challenge }),
  });
  expect([response.status, await codeOf(response)]).toEqual([status, code]);
  expect(response.headers.get("access-control-allow-origin")).toBe((headers as { origin?: string }).origin ?? null);
  expect(response.headers.get("vary")).toBe("Origin");
  expect(await stored(site)).toEqual({ visits: 0, devices: 0, uses: 0, refused: 1 });
});

test.each([
  ["no JSON", () => "{", 400, "invalid_request"],
  ["no environment", () => "{}", 400, "invalid_request"],
  ["an unknown environment", () => `{"environment_id":"env_${"0".repeat(32)}"}`, 404, "environment_not_found"],
  ["an unknown field", (body: string) => body.replace('"v":1', '"v":1,"extra":1'), 400, "invalid_request"],
  ["another version", (body: string) => body.replace('"v":1', '"v":2'), 400, "invalid_request"],
  ["a bad surface", (body: string) => body.replace('"v":1', '"v":1,"surface":"a b"'), 400, "invalid_request"],
  [
    "a forged challenge",
    (body: string) => body.replace(/"challenge":"[^"]+"/, `"challenge":"${"A".repeat(60)}"`),
    400,
    "invalid_request",
  ],
  [
    "17 KiB",
    (body: string) => body.replace('"v":1', `"v":1,"pad":"${"x".repeat(17 * 1024)}"`),
    413,
    "payload_too_large",
  ],
  [
    "deep nesting",
    (body: string) => body.replace('"v":1', `"v":1,"deep":${"[".repeat(40)}${"]".repeat(40)}`),
    400,
    "invalid_request",
  ],
])("%s gets its error code and changes nothing", async (_name, change, status, code) => {
  const site = await createSite(db);
  const { challenge } = await requestChallenge(site);
  const response = await submit(site, change(submissionBody(site, { challenge })));
  expect([response.status, await codeOf(response)]).toEqual([status, code]);
  expect(await stored(site)).toEqual({ visits: 0, devices: 0, uses: 0, refused: 0 });
});

test("a challenge of another environment or origin is not accepted", async () => {
  const [one, other] = [
    await createSite(db, { origins: ["https://shop.example", "https://pay.example"] }),
    await createSite(db),
  ];
  const { challenge } = await requestChallenge(one);
  const elsewhere = await submit(other, submissionBody(other, { challenge }));
  expect(await codeOf(elsewhere)).toBe("invalid_request");
  const fromPay = await submit({ ...one, origin: "https://pay.example" }, submissionBody(one, { challenge }));
  expect(await codeOf(fromPay)).toBe("invalid_request");
});

test("an origin entered with its default port is stored as browsers send it; a request's Origin with a default port never matches", async () => {
  const site = await createSite(db, { origins: ["https://shop.example:443"] });
  expect((await visit(site)).imprint).toMatch(/^imp_/);
  const { challenge } = await requestChallenge(site);
  const sent = { ...site, origin: "https://shop.example:443" };
  const refused = await submit(sent, submissionBody(site, { challenge }));
  expect([refused.status, await refused.json()]).toMatchObject([403, { error: { code: "origin_not_allowed" } }]);
});

test("removing an origin and pausing a Web App take effect immediately", async () => {
  const site = await createSite(db);
  const { challenge } = await requestChallenge(site);
  await pauseWebApp(operatorContext(db), { workspaceId: site.workspaceId, webAppId: site.webAppId });
  expect(await codeOf(await submit(site, submissionBody(site, { challenge })))).toBe("environment_disabled");
  await removeOrigin(operatorContext(db), {
    workspaceId: site.workspaceId,
    webAppId: site.webAppId,
    origin: site.origin,
  });
  expect(await codeOf(await submit(site, submissionBody(site, { challenge })))).toBe("origin_not_allowed");
});

test("automation is DECEPTIVE and missing signals are SUSPICIOUS, in the Report of a real submission", async () => {
  const site = await createSite(db);
  const driven = ordinarySignals();
  if (driven.navigator?.state === "ok") driven.navigator.value.webdriver = true;
  const bot = await reportOf(site, (await visit(site, { signals: driven })).imprint);
  expect(bot.risk).toMatchObject({
    status: "DECEPTIVE",
    reasons: ["AUTOMATION_DETECTED"],
    findings: [{ reason: "AUTOMATION_DETECTED", status: "DECEPTIVE" }],
  });
  const empty = await reportOf(site, (await visit(site, { signals: {} })).imprint);
  expect(empty.risk.findings).toContainEqual({ reason: "SIGNAL_DATA_INCOMPLETE", status: "SUSPICIOUS" });
});

test("a preflight is answered only for the browser's operations", async () => {
  const headers = { origin: "https://shop.example", "access-control-request-method": "POST" };
  const allowed = await call("/api/v1/imprints", { method: "OPTIONS", headers });
  expect([allowed.status, allowed.headers.get("access-control-allow-origin")]).toEqual([204, "https://shop.example"]);
  // Tracing tools add headers such as `traceparent`.
  expect(allowed.headers.get("access-control-allow-headers")).toBe("*");
  const refused = await call(`/api/v1/fingerprint/report/imp_${"0".repeat(32)}`, { method: "OPTIONS", headers });
  expect([refused.status, refused.headers.get("allow"), refused.headers.get("access-control-allow-origin")]).toEqual([
    405,
    "GET",
    null,
  ]);
});

test("the 41st submission from one address in a burst is refused with the time to wait, and other addresses are not affected", async () => {
  const site = await createSite(db);
  const responses = await Promise.all(Array.from({ length: 60 }, () => submit(site, "{", { address: "198.51.100.7" })));
  const refused = responses.filter((response) => response.status === 429);
  expect(refused.length).toBeGreaterThanOrEqual(15);
  expect(refused[0]?.headers.get("retry-after")).toBe("1");
  expect(refused[0]?.headers.get("ratelimit-policy")).toBe('"submission";q=40;w=4');
  expect((await submit(site, "{", { address: "198.51.100.8" })).status).toBe(400);
});

test("a submission takes a fixed number of round trips, however many visits the device has", async () => {
  const site = await createSite(db);
  const { token } = await visit(site);
  const { challenge } = await requestChallenge(site, { token });
  const { result, roundTrips } = await countRoundTrips(() => submit(site, submissionBody(site, { challenge, token })));
  expect([result.status, roundTrips]).toEqual([201, 2]);
});
