import { sql } from "drizzle-orm";
import { expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { idToUuid, newId, newImprint } from "@/lib/contract/ids";
import { call, createSite, type Site } from "@/test/visits";
import { addMember, setMemberRole } from "@/lib/tenancy/workspaces";
import { contextOf, operatorContext } from "@/test/workspaces";
import {
  countRecentCalls,
  endOverlap,
  flushKeyUses,
  listFailingKeys,
  recordKeyUse,
  purgeKeyUses,
  readKeyUses,
  revokeKey,
  rotateKey,
} from "./index";
import { addUses } from "./queries-uses";

const { db } = await createTestDatabase();
const operator = operatorContext(db);

type Ask = { key?: string; address?: string; agent?: string };
const ask = (site: Site, { key = site.apiKey, address = "192.0.2.7", agent = "curl/8.1" }: Ask = {}) =>
  call(`/api/v1/fingerprint/report/${newImprint(Date.now())}`, {
    headers: { "x-api-key": key, "user-agent": agent },
    address,
  });

async function usesOf({ workspaceId, keyId }: Site, context: Parameters<typeof readKeyUses>[0] = operator) {
  await flushKeyUses();
  return await readKeyUses(context, { workspaceId, keyId });
}

/** The lines of a key without their times, merged in case an hour ended meanwhile. */
async function linesOf(site: Site) {
  const { uses } = await usesOf(site);
  return uses.map(({ address, agent, code, calls }) => ({ address, agent, code, calls }));
}

test("calls with a key are counted by IP address, client and outcome", async () => {
  const site = await createSite(db);
  for (let count = 0; count < 3; count += 1) await ask(site);
  await ask(site, { address: "2001:db8::9" });
  await ask(site, { agent: "python-requests/2.32\u00e9" });
  await call("/api/v1/fingerprint/report/imp_short?x=1", {
    headers: { "x-api-key": site.apiKey },
    address: "192.0.2.7",
  });
  const lines = await linesOf(site);
  expect(lines.reduce((sum, { calls }) => sum + calls, 0)).toBe(6);
  const missing = { code: "report_not_found" };
  expect(lines).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ ...missing, address: "192.0.2.7", agent: "curl/8.1" }),
      expect.objectContaining({ ...missing, address: "2001:db8::9", calls: 1 }),
      expect.objectContaining({ ...missing, agent: "python-requests/2.32?" }),
      expect.objectContaining({ ...missing, agent: "" }),
    ]),
  );
  const { uses } = await usesOf(site);
  expect(uses[0]?.lastRequestId).toMatch(/^req_/);
});

test("an answered call has no code, and neither the key nor the request is stored", async () => {
  const site = await createSite(db);
  const answer = await call("/api/v1/agent/trial", { headers: { "x-api-key": site.apiKey }, address: "192.0.2.7" });
  expect(answer.status).toBe(403);
  expect(await linesOf(site)).toEqual([{ address: "192.0.2.7", agent: "", code: "trial_key_required", calls: 1 }]);
  const rows = await db.execute(
    sql`select * from api_key_uses where workspace_id = ${idToUuid(site.workspaceId)}::uuid`,
  );
  expect(JSON.stringify(rows)).not.toContain(site.apiKey);
  recordKeyUse({
    ...{ workspaceId: site.workspaceId, keyId: site.keyId, address: undefined, agent: "x".repeat(500) },
    ...{ operation: "readReport", code: "", requestId: newId("request") },
  });
  expect(await linesOf(site)).toContainEqual({ address: "", agent: "x".repeat(120), code: "", calls: 1 });
});

test("calls with a revoked or replaced key are refused, but still appear in its log", async () => {
  const site = await createSite(db);
  const key = { workspaceId: site.workspaceId, keyId: site.keyId };
  const { keyId, apiKey } = await rotateKey(operator, { ...key, overlap: "1h" });
  await endOverlap(operator, key);
  expect((await ask(site, { address: "203.0.113.66" })).status).toBe(401);
  await revokeKey(operator, { ...key, keyId });
  expect((await ask(site, { key: apiKey })).status).toBe(401);
  expect(await linesOf(site)).toEqual([{ address: "203.0.113.66", agent: "curl/8.1", code: "auth_failed", calls: 1 }]);
  expect(await linesOf({ ...site, keyId })).toMatchObject([{ address: "192.0.2.7", code: "auth_failed" }]);
});

test("nothing is stored for an unknown key", async () => {
  const site = await createSite(db);
  await ask(site, { key: "svc_live_0000000000000000000000000000000000000" });
  expect(await linesOf(site)).toEqual([]);
});

test("a member without permission to see IP addresses gets none", async () => {
  const site = await createSite(db);
  const { workspaceId } = site;
  const email = `${newId("user")}@example.com`;
  const { userId } = await addMember(operator, { workspaceId, email, role: "developer" });
  const developer = contextOf(db, { kind: "user", userId, email, isOperator: false });
  await ask(site, { address: "198.51.100.20" });
  const hidden = await usesOf(site, developer);
  expect(hidden.addressesVisible).toBe(false);
  expect(JSON.stringify(hidden)).not.toContain("198.51.100.20");
  await setMemberRole(operator, { workspaceId, userId, role: "developer", canSeeAddresses: true });
  expect(JSON.stringify(await usesOf(site, developer))).toContain("198.51.100.20");
});

test("an hour keeps a bounded number of callers; further ones are counted together, and no call is lost", async () => {
  const site = await createSite(db);
  const use = (index: number) => ({
    ...{ workspaceId: site.workspaceId, keyId: site.keyId, address: `198.51.100.${index}`, agent: "a" },
    ...{ operation: "readReport", code: "", calls: 2, requestId: newId("request") },
  });
  const uses = Array.from({ length: 30 }, (_, index) => use(index));
  await addUses(db, uses.slice(0, 4), 5);
  await Promise.all([addUses(db, uses, 5), addUses(db, [...uses].reverse(), 5)]);
  const lines = await linesOf(site);
  expect(lines.reduce((sum, { calls }) => sum + calls, 0)).toBe(2 * (4 + 30 + 30));
  expect(lines.find(({ address }) => address === "*")?.calls).toBeGreaterThan(50);
  expect(lines.find(({ address }) => address === "198.51.100.0")?.calls).toBe(6);
});

test("entries older than 30 days are deleted", async () => {
  const site = await createSite(db);
  await ask(site);
  await flushKeyUses();
  const age = (days: number) =>
    db.execute(sql`update api_key_uses set hour = statement_timestamp() - make_interval(days => ${days})
      where workspace_id = ${idToUuid(site.workspaceId)}::uuid`);
  await age(29);
  await purgeKeyUses(db, new AbortController().signal);
  expect(await linesOf(site)).toHaveLength(1);
  await age(31);
  await purgeKeyUses(db, new AbortController().signal);
  expect(await linesOf(site)).toEqual([]);
});

test("keys with refused calls are failing; unknown imprints do not count as refused, answered calls are reported", async () => {
  const site = await createSite(db);
  const { workspaceId, keyId } = site;
  const use = { workspaceId, address: "192.0.2.7", agent: "curl", operation: "report", requestId: "req_1" };
  const count = (key: string, code: string, calls: number) => addUses(db, [{ ...use, keyId: key, code, calls }], 100);
  await count(keyId, "", 400);
  await count(keyId, "report_not_found", 500);
  await count(keyId, "rate_limited", 9);
  expect(await listFailingKeys(operator, site)).toEqual([]);
  expect(await countRecentCalls(operator, site)).toMatchObject({ calls: 400 });

  await count(keyId, "quota_exhausted", 30);
  const fresh = await rotateKey(operator, { ...site, overlap: "0" });
  expect(await listFailingKeys(operator, site)).toMatchObject([
    { keyId, state: "revoked", refused: 39, answered: 400, code: "quota_exhausted" },
  ]);
  await count(fresh.keyId, "quota_exhausted", 50);
  await count(fresh.keyId, "", 5);
  expect((await listFailingKeys(operator, site)).map((key) => key.keyId)).toEqual([fresh.keyId, keyId]);
  expect(await countRecentCalls(operator, { workspaceId, keyId: fresh.keyId })).toMatchObject({ calls: 5 });
});
