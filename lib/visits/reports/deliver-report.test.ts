import { sql } from "drizzle-orm";
import { expect, test } from "vitest";

import { countRoundTrips } from "@/db/client";
import { createTestDatabase } from "@/test/database";
import { createKey, revokeKey } from "@/lib/tenancy/api-keys";
import { idToUuid } from "@/lib/contract/ids";
import { letEvidenceAge, particularSignals } from "@/test/devices";
import {
  call,
  createSite,
  readReport,
  requestChallenge,
  type Site,
  submissionBody,
  submit,
  visit,
} from "@/test/visits";
import { operatorContext } from "@/test/workspaces";
import { setPlan } from "@/lib/tenancy/workspaces";

const { db } = await createTestDatabase({ poolSize: 20 });

async function ledger(site: Site) {
  const workspace = idToUuid(site.workspaceId);
  const [row] = await db.execute<{ deliveries: number; units: number }>(sql`
    select (select count(*)::int from report_deliveries where workspace_id = ${workspace}::uuid) as deliveries,
      (select coalesce(sum(units_used), 0)::int from unit_slices where workspace_id = ${workspace}::uuid) as units`);
  return row;
}

/** Everything in a response that a caller could compare, except for what differs with every request. */
async function comparable(response: Response) {
  const headers = Object.fromEntries(
    [...response.headers].filter(([name]) => !["date", "x-request-id", "ratelimit", "ratelimit-policy"].includes(name)),
  );
  return { status: response.status, headers, body: await response.text() };
}

test("the first delivery consumes one unit; re-reads return the same bytes and consume nothing", async () => {
  const site = await createSite(db);
  const { imprint } = await visit(site);
  const texts: string[] = [];
  for (let index = 0; index < 3; index += 1) texts.push(await (await readReport(site.apiKey, imprint)).text());
  expect(new Set(texts).size).toBe(1);
  expect(await ledger(site)).toEqual({ deliveries: 1, units: 1 });
});

test("50 parallel first reads of one imprint consume one unit", async () => {
  const site = await createSite(db);
  const { imprint } = await visit(site);
  const responses = await Promise.all(Array.from({ length: 50 }, () => readReport(site.apiKey, imprint)));
  expect(responses.every((response) => response.status === 200)).toBe(true);
  expect(await ledger(site)).toEqual({ deliveries: 1, units: 1 });
});

test("once the month's units are used up, new imprints are refused and delivered ones stay readable", async () => {
  const site = await createSite(db);
  const [first, second] = [await visit(site), await visit(site)];
  expect((await readReport(site.apiKey, first.imprint)).status).toBe(200);
  await setPlan(operatorContext(db), { workspaceId: site.workspaceId, plan: "lite" });
  await db.execute(
    sql`update unit_slices set units_used = case when slice = 0 then 20000 else 0 end where workspace_id = ${idToUuid(site.workspaceId)}::uuid`,
  );
  const refused = await readReport(site.apiKey, second.imprint);
  expect([refused.status, await refused.json()]).toEqual([
    429,
    { error: { code: "quota_exhausted", message: "All report units of this period are used" } },
  ]);
  expect((await readReport(site.apiKey, first.imprint)).status).toBe(200);
  expect(await ledger(site)).toEqual({ deliveries: 1, units: 20000 });
});

test("every misplaced, malformed, wrong, revoked or foreign credential gets the same refusal and consumes nothing", async () => {
  const [site, other] = [await createSite(db), await createSite(db)];
  const { imprint } = await visit(site);
  const path = `/api/v1/fingerprint/report/${imprint}`;
  const revoked = await createKey(operatorContext(db), { workspaceId: site.workspaceId, name: "old" });
  await revokeKey(operatorContext(db), { workspaceId: site.workspaceId, keyId: revoked.keyId });
  const answers = await Promise.all(
    [
      call(path),
      call(`${path}?api_key=${site.apiKey}&x-api-key=${site.apiKey}`),
      call(path, { headers: { authorization: `Bearer ${site.apiKey}` } }),
      readReport("svc_live_wrong", imprint),
      readReport(
        site.apiKey.replace(/.$/, (last) => (last === "0" ? "1" : "0")),
        imprint,
      ),
      readReport(revoked.apiKey, imprint),
    ].map(async (response) => comparable(await response)),
  );
  expect(answers[0]).toMatchObject({
    status: 401,
    body: '{"error":{"code":"auth_failed","message":"Authentication failed"}}',
  });
  expect(answers[0]?.headers).toMatchObject({
    "cache-control": "private, no-store",
    link: '</docs/errors/auth_failed>; rel="help"',
  });
  for (const answer of answers) expect(answer).toEqual(answers[0]);
  const unknown = await comparable(
    await readReport(other.apiKey, `imp_${"0".repeat(12)}7${"0".repeat(3)}8${"0".repeat(15)}`),
  );
  const foreign = await comparable(await readReport(other.apiKey, imprint));
  const malformed = await comparable(await readReport(other.apiKey, "imp_x"));
  const encoded = await comparable(await readReport(other.apiKey, "%E0%A4%A"));
  expect(unknown.status).toBe(404);
  expect([foreign, malformed, encoded]).toEqual([unknown, unknown, unknown]);
  expect(await ledger(site)).toEqual({ deliveries: 0, units: 0 });
});

test.each(["lite", "pro", "enterprise"] as const)("a %s key reads the same bytes of the same visit", async (plan) => {
  const site = await createSite(db);
  const { imprint } = await visit(site);
  const text = await (await readReport(site.apiKey, imprint)).text();
  await setPlan(operatorContext(db), { workspaceId: site.workspaceId, plan });
  expect(await (await readReport(site.apiKey, imprint)).text()).toBe(text);
});

test.each([
  ["GET", "/api/v1/unknown", 404, "not_found", null],
  ["GET", "/api/v1//imprints", 404, "not_found", null],
  ["GET", "/api/v1/imprints/", 404, "not_found", null],
  ["GET", "/api/%E0%A4%A", 404, "not_found", null],
  ["GET", "/api/v1/imprints", 405, "method_not_allowed", "POST"],
  ["DELETE", `/api/v1/fingerprint/report/imp_${"0".repeat(32)}`, 405, "method_not_allowed", "GET"],
  // A delivery uses a unit and a poll opens the window for the credentials, so neither may answer HEAD.
  ["HEAD", `/api/v1/fingerprint/report/imp_${"0".repeat(32)}`, 405, "method_not_allowed", "GET"],
  ["HEAD", `/api/v1/agent/trial-intents/tri_${"0".repeat(32)}`, 405, "method_not_allowed", "GET"],
  ["HEAD", "/api/v1/imprints", 405, "method_not_allowed", "POST"],
  ["DELETE", "/api/v1/agent/products", 405, "method_not_allowed", "GET, HEAD"],
])("%s %s gets the error envelope", async (method, path, status, code, allow) => {
  const response = await call(path, { method });
  expect(response.status).toBe(status);
  expect(((await response.json()) as { error: { code: string } }).error.code).toBe(code);
  expect(response.headers.get("allow")).toBe(allow);
  expect(response.headers.get("cache-control")).toBe("private, no-store");
  expect(response.headers.get("x-request-id")).toMatch(/^req_[0-9a-f]{32}$/);
});

test(
  "a key over its rate is refused with the time to wait and the limits that applied",
  { timeout: 60_000 },
  async () => {
    const site = await createSite(db, { plan: "lite" });
    const { imprint } = await visit(site);
    const startedAt = performance.now();
    const responses: Response[] = [];
    // A slow machine earns permits in the meantime, so repeat until refused.
    while (!responses.some(({ status }) => status === 429))
      responses.push(...(await Promise.all(Array.from({ length: 30 }, () => readReport(site.apiKey, imprint)))));
    const elapsedSeconds = (performance.now() - startedAt) / 1000;
    const refused = responses.filter((response) => response.status === 429);
    expect(responses.length - refused.length).toBeGreaterThanOrEqual(9);
    expect(responses.length - refused.length).toBeLessThanOrEqual(10 + 10 * elapsedSeconds);
    expect(refused[0]?.headers.get("ratelimit-policy")).toBe('"key";q=10;w=1');
    expect(refused[0]?.headers.get("ratelimit")).toBe('"key";r=0;t=1');
    expect(refused[0]?.headers.get("retry-after")).toBe("1");
  },
);

test("a re-read takes one round trip while the process has permits in hand", async () => {
  const site = await createSite(db);
  const { imprint } = await visit(site);
  await readReport(site.apiKey, imprint);
  const counts: number[] = [];
  // Permits in hand last a tenth of a second, so a slow machine needs several tries.
  await expect
    .poll(
      async () => {
        const { result, roundTrips } = await countRoundTrips(() => readReport(site.apiKey, imprint));
        counts.push(roundTrips);
        return [result.status, roundTrips];
      },
      { timeout: 15_000, interval: 1 },
    )
    .toEqual([200, 1]);
  expect(Math.min(...counts)).toBe(1);
});

const toldOf = (response: Response) =>
  Object.fromEntries(
    ["imprint-recognition", "imprint-confidence", "imprint-agent"].flatMap((name) => {
      const value = response.headers.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );

test("the headers say how the device was recognised, also on a re-read and with an account; older visits have no such headers", async () => {
  const site = await createSite(db);
  const home = { signals: particularSignals(), address: "87.128.7.7" };
  const first = await visit(site, home);
  const known = await visit(site, { ...home, token: first.token });
  await letEvidenceAge(db, site.workspaceId);
  const cleared = await visit(site, home);
  const read = (imprint: string, account?: string) =>
    readReport(site.apiKey, imprint, account === undefined ? {} : { "x-account-ref": account });
  expect(toldOf(await read(first.imprint))).toEqual({ "imprint-recognition": "new" });
  expect(toldOf(await read(known.imprint))).toEqual({ "imprint-recognition": "token" });
  const [delivered, again, linked] = [
    await read(cleared.imprint),
    await read(cleared.imprint),
    await read(cleared.imprint, "7"),
  ];
  expect(toldOf(delivered)).toEqual({
    "imprint-recognition": "evidence",
    "imprint-confidence": expect.stringMatching(/^0\.9[0-9]$/) as string,
  });
  expect([toldOf(again), toldOf(linked)]).toEqual([toldOf(delivered), toldOf(delivered)]);
  await db.execute(
    sql`update visits set recognition = null, confidence = null where event_id = ${idToUuid(cleared.imprint)}::uuid`,
  );
  const old = await read(cleared.imprint);
  expect([old.status, toldOf(old), await old.text()]).toEqual([200, {}, await again.text()]);
});

test("a first visit concurrent with another one of its device is not called new", async () => {
  const site = await createSite(db);
  const { challenge, token } = await requestChallenge(site);
  const other = await requestChallenge(site);
  const answers = await Promise.all(
    [challenge, other.challenge].map((each) => submit(site, submissionBody(site, { challenge: each, token }))),
  );
  const told = await Promise.all(
    answers.map(async (answer) => {
      const { imprint } = (await answer.json()) as { imprint: string };
      const read = await readReport(site.apiKey, imprint);
      const { device } = (await read.json()) as { device: { seen_before: boolean } };
      return [device.seen_before, toldOf(read)["imprint-recognition"]];
    }),
  );
  expect(told).toContainEqual([false, "new"]);
  expect(told).not.toContainEqual([true, "new"]);
});
