import { sql } from "drizzle-orm";
import { expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { accountKeyStore, deleteAccount } from "@/lib/visits/account-map";
import { createChance } from "@/lib/operations/demo/domain/chance";
import type { Report } from "@/lib/contract/report";
import { idToUuid, newImprint } from "@/lib/contract/ids";
import { deliverReportUnbound } from "@/lib/visits/reports";
import { rewrapSealed } from "@/lib/platform/sealed";
import { TEST_SECRETS } from "@/test/secrets";
import { createSite, readReport, type Site, visit } from "@/test/visits";
import { operatorContext } from "@/test/workspaces";
import { setPlan } from "@/lib/tenancy/workspaces";

const { db } = await createTestDatabase({ poolSize: 20 });

const answerOf = async (site: Site, imprint: string, account?: string) => {
  const response = await readReport(site.apiKey, imprint, account === undefined ? {} : { "x-account-ref": account });
  const text = await response.text();
  return {
    status: response.status,
    text,
    body: JSON.parse(text) as Report & { error?: { code: string; message: string } },
  };
};
const mapOf = async (site: Site, imprint: string, account: string) => {
  const { body } = await answerOf(site, imprint, account);
  const map = body.account_map;
  return (
    map && [
      map.account_seen_before,
      map.relationship_seen_before,
      map.accounts_on_device,
      map.devices_on_account,
      map.accounts_first_seen_on_device_1h,
    ]
  );
};

async function stored(site: Site) {
  const workspace = sql`${idToUuid(site.workspaceId)}::uuid`;
  const [row] = await db.execute<{ units: number; links: number; positions: number }>(sql`
    select (select coalesce(sum(units_used), 0)::int from unit_slices where workspace_id = ${workspace}) as units,
      (select count(*)::int from account_links where workspace_id = ${workspace}) as links,
      (select count(*)::int from device_accounts where workspace_id = ${workspace}) as positions`);
  return row;
}

test("an empty header means no account, on every plan", async () => {
  for (const plan of ["lite", "pro"] as const) {
    const site = await createSite(db, { plan });
    const { imprint } = await visit(site);
    const plain = await answerOf(site, imprint);
    for (const empty of ["", " ", "\t"]) {
      const answer = await answerOf(site, imprint, empty);
      expect([answer.status, answer.text]).toEqual([200, plain.text]);
    }
    expect(await stored(site)).toMatchObject({ links: 0, positions: 0 });
  }
});

test("without the header the answer is unchanged, and with it only account_map is added", async () => {
  const site = await createSite(db, { plan: "pro" });
  const { imprint } = await visit(site);
  const before = await answerOf(site, imprint);
  const mapped = await answerOf(site, imprint, "42");
  const after = await answerOf(site, imprint);
  expect(before.body).not.toHaveProperty("account_map");
  expect(after.text).toBe(before.text);
  const { account_map: map, ...rest } = mapped.body;
  expect(JSON.stringify(rest)).toBe(before.text);
  expect(map).toEqual({
    account_seen_before: false,
    relationship_seen_before: false,
    accounts_on_device: 1,
    devices_on_account: 1,
    accounts_first_seen_on_device_1h: 1,
  });
  expect(await stored(site)).toEqual({ units: 1, links: 1, positions: 1 });
});

test("a late link changes the maps of later visits and leaves those of earlier ones unchanged", async () => {
  const site = await createSite(db, { plan: "pro" });
  const first = await visit(site);
  const second = await visit(site, { token: first.token });
  const third = await visit(site, { token: first.token });
  const elsewhere = await visit(site);
  expect(await mapOf(site, first.imprint, "anna")).toEqual([false, false, 1, 1, 1]);
  expect(await mapOf(site, third.imprint, "anna")).toEqual([true, true, 1, 1, 1]);
  expect(await mapOf(site, elsewhere.imprint, "bert")).toEqual([false, false, 1, 1, 1]);
  // The second visit is linked last but still counts in its position between the others.
  expect(await mapOf(site, second.imprint, "bert")).toEqual([false, false, 2, 1, 2]);
  expect(await mapOf(site, first.imprint, "anna")).toEqual([false, false, 1, 1, 1]);
  expect(await mapOf(site, third.imprint, "anna")).toEqual([true, true, 2, 1, 2]);
  expect(await mapOf(site, elsewhere.imprint, "bert")).toEqual([true, false, 1, 2, 1]);
});

test("reading without binding returns the map that binding would return, in any order, and leaves no trace", async () => {
  const site = await createSite(db, { plan: "pro" });
  const random = createChance(15).next;
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const tokens = [await visit(site), await visit(site), await visit(site)].map(({ token }) => token);
  const imprints: string[] = [];
  for (let count = 0; count < 40; count += 1) imprints.push((await visit(site, { token: pick(tokens) })).imprint);
  const recipient = { workspaceId: site.workspaceId, plan: "pro" } as const;
  const preview = async (imprint: string, account: string) =>
    (JSON.parse((await deliverReportUnbound({ db }, recipient, { imprint, accountRef: account })).report) as Report)
      .account_map;
  const distinct = new Set<string>();
  // Shuffled, so that links come late and an account's first position on a device moves backwards.
  for (const imprint of imprints.sort(() => random() - 0.5)) {
    const account = pick(["anna", "bert", "carl", "dora"]);
    const before = await stored(site);
    const told = await preview(imprint, account);
    await preview(imprint, "nobody-else");
    const after = await stored(site);
    expect([after?.links, after?.positions]).toEqual([before?.links, before?.positions]);
    expect((await answerOf(site, imprint, account)).body.account_map).toEqual(told);
    expect(await preview(imprint, account)).toEqual(told);
    await expect(preview(imprint, "nobody-else")).rejects.toMatchObject({ code: "account_ref_conflict" });
    distinct.add(JSON.stringify(told));
  }
  expect(distinct.size).toBeGreaterThan(10);
});

test("another account for the same imprint is refused, consumes nothing and leaves the first account's map unchanged", async () => {
  const site = await createSite(db, { plan: "pro" });
  const { imprint } = await visit(site);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => answerOf(site, imprint, `account-${index % 2}`)),
  );
  const [winners, losers] = [
    answers.filter(({ status }) => status === 200),
    answers.filter(({ status }) => status !== 200),
  ];
  expect([winners.length, losers.length]).toEqual([10, 10]);
  expect(new Set(losers.map(({ status, body }) => `${status} ${body.error?.code}`))).toEqual(
    new Set(["409 account_ref_conflict"]),
  );
  expect(new Set(winners.map(({ text }) => text)).size).toBe(1);
  expect(await stored(site)).toEqual({ units: 1, links: 1, positions: 1 });
});

test("a conflict on a first delivery is never charged: link and unit are stored together or not at all", async () => {
  const site = await createSite(db, { plan: "pro" });
  const { imprint } = await visit(site);
  await mapOf(site, imprint, "42");
  await db.execute(sql`delete from report_deliveries where workspace_id = ${idToUuid(site.workspaceId)}::uuid`);
  expect((await answerOf(site, imprint, "43")).status).toBe(409);
  expect(await stored(site)).toEqual({ units: 1, links: 1, positions: 1 });
  await db.execute(sql`update unit_slices set plan_units = 500000, units_limit = 31250, units_used = 31250
    where workspace_id = ${idToUuid(site.workspaceId)}::uuid`);
  const other = await visit(site);
  const refused = await answerOf(site, other.imprint, "44");
  expect([refused.status, refused.body.error?.code]).toEqual([429, "quota_exhausted"]);
  expect(await stored(site)).toEqual({ units: 500_000, links: 1, positions: 1 });
});

test("plans without Account Map refuse the header and serve the Report without it, from the next request on", async () => {
  const site = await createSite(db, { plan: "lite" });
  const { imprint } = await visit(site);
  const refused = await answerOf(site, imprint, "42");
  expect([refused.status, refused.body.error?.code]).toEqual([403, "account_map_not_allowed"]);
  expect(await stored(site)).toEqual({ units: 0, links: 0, positions: 0 });
  expect((await answerOf(site, imprint)).status).toBe(200);
  await setPlan(operatorContext(db), { workspaceId: site.workspaceId, plan: "enterprise" });
  expect((await answerOf(site, imprint, "42")).status).toBe(200);
});

test.each([
  [
    "ada@example.com",
    "The account reference looks like an e-mail address: send the immutable internal id of the account instead",
  ],
  [
    "+49 151 12345678",
    "The account reference looks like a telephone number: send the immutable internal id of the account instead",
  ],
  ["x".repeat(129), "The account reference is longer than 128 characters"],
])("%j as a reference is refused with a reason and binds nothing", async (reference, message) => {
  const site = await createSite(db, { plan: "pro" });
  const { imprint } = await visit(site);
  const refused = await answerOf(site, imprint, reference);
  expect([refused.status, refused.body.error]).toEqual([400, { code: "invalid_account_ref", message }]);
  expect(await stored(site)).toEqual({ units: 0, links: 0, positions: 0 });
});

test("workspaces are isolated: an account known in one is new in another, and another workspace's imprint cannot be bound", async () => {
  const [site, other] = [await createSite(db, { plan: "pro" }), await createSite(db, { plan: "pro" })];
  const [own, foreign] = [await visit(site), await visit(other)];
  expect(await mapOf(site, own.imprint, "42")).toEqual([false, false, 1, 1, 1]);
  expect(await mapOf(other, foreign.imprint, "42")).toEqual([false, false, 1, 1, 1]);
  const [unknown, elsewhere] = [
    await answerOf(site, newImprint(Date.now()), "42"),
    await answerOf(site, foreign.imprint, "42"),
  ];
  expect([elsewhere.status, elsewhere.text]).toEqual([404, unknown.text]);
  const hashes = await db.execute(sql`
    select distinct account_hash from device_accounts
    where workspace_id in (${idToUuid(site.workspaceId)}::uuid, ${idToUuid(other.workspaceId)}::uuid)`);
  expect(hashes).toHaveLength(2);
});

test("the reference itself is stored nowhere", async () => {
  const site = await createSite(db, { plan: "pro" });
  const reference = `canary-${crypto.randomUUID()}`;
  await mapOf(site, (await visit(site)).imprint, reference);
  const tables = await db.execute<{ name: string }>(sql`
    select c.oid::regclass::text as name from pg_class c
    where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace in ('public'::regnamespace)`);
  expect(tables.length).toBeGreaterThan(20);
  for (const { name } of tables) {
    const rows = await db.execute(
      sql`select 1 from ${sql.raw(name)} t where strpos(to_jsonb(t)::text, ${reference}) > 0`,
    );
    expect([name, rows.length]).toEqual([name, 0]);
  }
});

test("a deleted account disappears from every map, its visits may be bound again, and the log does not name it", async () => {
  const site = await createSite(db, { plan: "pro" });
  const first = await visit(site);
  const second = await visit(site, { token: first.token });
  await mapOf(site, first.imprint, "anna");
  expect(await mapOf(site, second.imprint, "bert")).toEqual([false, false, 2, 1, 2]);
  const input = { workspaceId: site.workspaceId, accountRef: "anna" };
  expect(await deleteAccount(operatorContext(db), input)).toEqual({ links: 1, devices: 1 });
  expect(await deleteAccount(operatorContext(db), input)).toEqual({ links: 0, devices: 0 });
  expect(await mapOf(site, second.imprint, "bert")).toEqual([false, false, 1, 1, 1]);
  expect(await mapOf(site, first.imprint, "carl")).toEqual([false, false, 1, 1, 1]);
  const log = await db.execute<{ text: string }>(
    sql`select to_jsonb(a)::text as text from audit_log a where action = 'account.delete' and workspace_id = ${idToUuid(site.workspaceId)}::uuid`,
  );
  expect(log).toHaveLength(2);
  for (const { text } of log) expect(text).not.toContain("anna");
});

test("an account is recognised after the pepper and the key-encryption key were changed", async () => {
  const site = await createSite(db, { plan: "pro" });
  const first = await visit(site);
  const second = await visit(site, { token: first.token });
  await mapOf(site, first.imprint, "42");
  const { deliverReport } = await import("./deliver-report");
  const { publishSecrets } = await import("@/lib/platform/secrets");
  const [old, fresh] = [Buffer.alloc(32, 7).toString("base64"), Buffer.alloc(32, 9).toString("base64")];
  const rings = { keyPepper: `k2:${fresh},k1:${old}`, keks: `k2:${fresh},k1:${old}` };
  publishSecrets({ authSecret: "test-auth-secret-test-auth-secret", ...rings });
  await rewrapSealed(operatorContext(db), [accountKeyStore]);
  const sealed = await db.execute<{ sealed: string }>(sql`select sealed from account_keys`);
  expect(sealed.every((row) => row.sealed.startsWith("v1.k2."))).toBe(true);
  const recipient = { workspaceId: site.workspaceId, plan: "pro" } as const;
  const report = JSON.parse(
    (await deliverReport({ db }, recipient, { imprint: second.imprint, accountRef: "42" })).report,
  ) as Report;
  publishSecrets(TEST_SECRETS);
  expect(report.account_map).toMatchObject({ account_seen_before: true, relationship_seen_before: true });
});
