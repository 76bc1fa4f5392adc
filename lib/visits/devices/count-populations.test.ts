import { sql } from "drizzle-orm";
import { expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import type { Signals } from "@/lib/contract/signals";
import { Report } from "@/lib/contract/report";
import { idToUuid } from "@/lib/contract/ids";
import { createSite, readReport, type Site, visit } from "@/test/visits";
import { countPopulations } from "./index";
import { iphoneSignals, letEvidenceAge, particularSignals } from "@/test/devices";

const { db } = await createTestDatabase();

const HOME = "87.128.7.7";

/** Visits from home or another network; resolves to the device that its Report names. */
async function visitOf(site: Site, signals: Signals, known?: string, address = HOME) {
  const { imprint, token } = await visit(site, {
    ...{ signals, address },
    ...(known !== undefined && { token: known }),
  });
  const { device } = Report.parse(await (await readReport(site.apiKey, imprint)).json());
  return { token, device };
}

/** Runs the background count as if it were some days later. */
async function letDaysPass(site: Site) {
  const workspace = sql`${idToUuid(site.workspaceId)}::uuid`;
  await db.execute(
    sql`update network_tokens set first_day = first_day - 4, last_day = last_day - 4 where workspace_id = ${workspace}`,
  );
  await db.execute(
    sql`update device_populations set counted_at = counted_at - interval '4 days' where workspace_id = ${workspace}`,
  );
}

test("a link ends when both tokens return: the second machine becomes a new device, the first one keeps its own", async () => {
  const site = await createSite(db);
  const visitHome = (token?: string) => visitOf(site, particularSignals(), token);
  const first = await visitHome();
  await letEvidenceAge(db, site.workspaceId);
  const second = await visitHome();
  expect(second.device.id).toBe(first.device.id);
  await letDaysPass(site);
  await visitHome(second.token);
  await countPopulations(db, new AbortController().signal);
  // Only one token returned: the storage was cleared.
  expect((await visitHome(second.token)).device.id).toBe(first.device.id);
  await visitHome(first.token);
  await letDaysPass(site);
  await countPopulations(db, new AbortController().signal);
  const parted = await visitHome(second.token);
  expect(parted.device).toMatchObject({ seen_before: false });
  expect(parted.device.id).not.toBe(first.device.id);
  await letDaysPass(site);
  await countPopulations(db, new AbortController().signal);
  expect((await visitHome(second.token)).device).toMatchObject({ id: parted.device.id, access_count: 2 });
  expect((await visitHome(first.token)).device.id).toBe(first.device.id);
});

test("a link ends when the second token returns only from another network: it was a guest's", async () => {
  const site = await createSite(db);
  const first = await visitOf(site, particularSignals());
  await letEvidenceAge(db, site.workspaceId);
  const guest = await visitOf(site, particularSignals());
  expect(guest.device.id).toBe(first.device.id);
  await letDaysPass(site);
  await visitOf(site, particularSignals(), guest.token, "87.129.8.8");
  await countPopulations(db, new AbortController().signal);
  // The first token did not return: its storage may have been cleared before a journey.
  expect((await visitOf(site, particularSignals(), guest.token, "87.129.8.8")).device.id).toBe(first.device.id);
  await visitOf(site, particularSignals(), first.token);
  await letDaysPass(site);
  await countPopulations(db, new AbortController().signal);
  const parted = await visitOf(site, particularSignals(), guest.token, "87.129.8.8");
  expect(parted.device).toMatchObject({ seen_before: false });
  expect((await visitOf(site, particularSignals(), first.token)).device.id).toBe(first.device.id);
});

test("a link ends, and counts as wrong, when the first token returns from another network: its owner has moved away", async () => {
  const site = await createSite(db);
  const moved = "87.129.8.8";
  const first = await visitOf(site, particularSignals());
  await letEvidenceAge(db, site.workspaceId);
  const second = await visitOf(site, particularSignals());
  expect(second.device.id).toBe(first.device.id);
  await letDaysPass(site);
  await visitOf(site, particularSignals(), second.token);
  await visitOf(site, particularSignals(), first.token, moved);
  await countPopulations(db, new AbortController().signal);
  const parted = await visitOf(site, particularSignals(), second.token);
  expect(parted.device).toMatchObject({ seen_before: false });
  expect(parted.device.id).not.toBe(first.device.id);
  expect((await visitOf(site, particularSignals(), first.token, moved)).device.id).toBe(first.device.id);
  const [row] = await db.execute<{ wrong: number }>(sql`
    select sum((tally.value ->> 'wrong')::int)::int as wrong
    from device_populations, jsonb_each(counts -> 'tallies') tally
    where workspace_id = ${idToUuid(site.workspaceId)}::uuid`);
  expect(row?.wrong).toBe(1);
});

test("nothing is linked where two machines of a model followed each other, since both live on in different networks", async () => {
  const site = await createSite(db);
  const elsewhere = "87.129.8.8";
  const guest = await visitOf(site, particularSignals());
  await letEvidenceAge(db, site.workspaceId);
  const next = await visitOf(site, particularSignals());
  expect(next.device.id).toBe(guest.device.id);
  await letDaysPass(site);
  await visitOf(site, particularSignals(), next.token);
  // So far the first guest's storage may have been cleared.
  expect((await visitOf(site, particularSignals())).device.id).toBe(guest.device.id);
  await visitOf(site, particularSignals(), guest.token, elsewhere);
  expect((await visitOf(site, particularSignals())).device.seen_before).toBe(false);
});

test("a workspace is counted once its devices were active, and recounted only after a while", async () => {
  const site = await createSite(db);
  for (let phones = 0; phones < 4; phones += 1) await visitOf(site, iphoneSignals());
  const never = new AbortController().signal;
  expect(await countPopulations(db, never)).toBeGreaterThanOrEqual(1);
  expect(await countPopulations(db, never)).toBe(0);
  const [row] = await db.execute<{
    devices: number;
    counts: { models: { total: number; values: Record<string, number> }; tallies: Record<string, unknown> };
  }>(sql`
    select devices, counts from device_populations where workspace_id = ${idToUuid(site.workspaceId)}::uuid`);
  expect(row).toMatchObject({ devices: 4, counts: { models: { total: 4 }, tallies: {} } });
  expect(Object.values(row?.counts.models.values ?? {})).toEqual([4]);
});

test("a workspace that was counted while the clock was ahead is counted again once the clock is set back", async () => {
  const site = await createSite(db);
  await visitOf(site, iphoneSignals());
  const never = new AbortController().signal;
  await countPopulations(db, never);
  await db.execute(sql`update device_populations set counted_at = now() + interval '1 day'
    where workspace_id = ${idToUuid(site.workspaceId)}::uuid`);
  expect([await countPopulations(db, never), await countPopulations(db, never)]).toEqual([1, 0]);
});
