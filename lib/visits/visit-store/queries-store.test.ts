import { randomBytes } from "node:crypto";

import { afterAll, expect, test } from "vitest";

import { connect } from "@/db/client";
import { ensurePartitions } from "@/db/partitions";
import { newId, newImprint } from "@/lib/contract/ids";
import { createTestDatabase } from "@/test/database";
import { createSite, readReport, type Site } from "@/test/visits";
import { makeVisitToStore } from "@/test/visits-to-store";
import { appendDeviceVisit, storeVisits } from "./queries-store";

/** PostgreSQL makes five custom plans before it considers a generic one. Source: PREPARE, Notes. */
const STATEMENTS = 12;
const MONTH_MS = 30 * 86_400_000;

const { db, url } = await createTestDatabase();
const alone = connect({ url, poolSize: 1, prepare: true, applicationName: "plans" });
afterAll(() => alone.close());

const newToken = () => randomBytes(16).toString("hex");

/** Stores a visit that shows only its token; resolves to its device. */
function record(workspaceId: string, tokenId: string, isTokenKnown: boolean): Promise<string | undefined> {
  const challenge = { nonce: newToken(), bodyHash: randomBytes(32), eventId: newImprint(Date.now()) };
  const recognition = {
    tokenId,
    isTokenKnown,
    linkedDeviceId: undefined,
    newDeviceId: newId("device"),
    profile: undefined,
    place: undefined,
    shadow: undefined,
  };
  return appendDeviceVisit(db, { workspaceId, challenge, recognition, browserFamily: "Chrome", osFamily: "Windows" });
}

type DeviceOfReport = { device: { id: string; seen_before: boolean; access_count: number } };

async function deviceIn(site: Site, imprint: string) {
  const response = await readReport(site.apiKey, imprint);
  if (response.status !== 200) return undefined;
  const { device } = (await response.json()) as DeviceOfReport; // the contract's
  return { id: device.id, isSeen: device.seen_before, count: device.access_count };
}

test("a token that was bound before leads to its device, whatever was known of it when the visit was matched", async () => {
  const { workspaceId } = await createSite(db);
  const token = newToken();
  const device = await record(workspaceId, token, false);
  expect(device).toMatch(/^dev_/);
  expect(await record(workspaceId, token, true)).toBe(device);
  expect(await record(workspaceId, token, false)).toBe(device);
});

test("a visit whose device was deleted after matching becomes the first of a new device", async () => {
  const { workspaceId } = await createSite(db);
  const token = newToken();
  const [first, second] = [await record(workspaceId, token, true), await record(workspaceId, token, true)];
  expect(first).toMatch(/^dev_/);
  expect(second).not.toBe(first);
});

test("visits that are stored together get the devices and positions that they would get one by one", async () => {
  const site = await createSite(db, { plan: "enterprise" });
  const [known, linked, bound] = [makeVisitToStore(site, { tokenId: newToken() }), makeVisitToStore(site), newToken()];
  expect(await storeVisits(db, [known, linked], new Date())).toEqual(["stored", "stored"]);
  const [ofToken, ofEvidence] = [known.device.recognition, linked.device.recognition];
  await record(site.workspaceId, bound, false);

  const visits = [
    makeVisitToStore(site, { tokenId: ofToken.tokenId, isTokenKnown: true, shadow: "agreed" }),
    makeVisitToStore(site, { linkedDeviceId: ofEvidence.newDeviceId }),
    makeVisitToStore(site, { tokenId: newToken(), place: { network: "7", model: "8", stratum: "home" } }),
    makeVisitToStore(site, { linkedDeviceId: newId("device") }),
    makeVisitToStore(site),
  ] as const;
  expect(await storeVisits(db, visits, new Date())).toEqual(Array.from(visits, () => "stored"));
  const devices = await Promise.all(visits.map(({ visit }) => deviceIn(site, visit.eventId)));
  expect(devices).toEqual([
    { id: ofToken.newDeviceId, isSeen: true, count: 2 },
    { id: ofEvidence.newDeviceId, isSeen: true, count: 2 },
    ...visits.slice(2).map(({ device }) => ({ id: device.recognition.newDeviceId, isSeen: false, count: 1 })),
  ]);
});

test("of visits that are stored together, one whose challenge was used is left out, and the others are stored", async () => {
  const site = await createSite(db, { plan: "enterprise" });
  const [first, second, third] = [makeVisitToStore(site), makeVisitToStore(site), makeVisitToStore(site)];
  const again = { ...third, device: { ...third.device, challenge: { ...first.device.challenge } } };
  expect(await storeVisits(db, [first], new Date())).toEqual(["stored"]);
  expect(await storeVisits(db, [second, again], new Date())).toEqual(["stored", "used"]);
  expect(await deviceIn(site, third.visit.eventId)).toBeUndefined();
});

test("a visit that repeats an earlier one leaves nothing of those that are stored with it", async () => {
  const site = await createSite(db, { plan: "enterprise" });
  const [first, other, repeated] = [makeVisitToStore(site), makeVisitToStore(site), makeVisitToStore(site)];
  const replay = { ...repeated, device: { ...repeated.device, payload: first.device.payload } };
  await storeVisits(db, [first], new Date());
  expect(await storeVisits(db, [other, replay], new Date())).toBe("staleSnapshot");
  expect(await deviceIn(site, other.visit.eventId)).toBeUndefined();
  expect(await storeVisits(db, [other], new Date())).toEqual(["stored"]);
});

test("two visits of one device are refused together", async () => {
  const site = await createSite(db);
  const visit = makeVisitToStore(site);
  await storeVisits(db, [visit], new Date());
  const next = () => makeVisitToStore(site, { linkedDeviceId: visit.device.recognition.newDeviceId });
  await expect(storeVisits(db, [next(), next()], new Date())).rejects.toMatchObject({ code: "21000" });
});

test("several visits are stored by one generic plan, however many they are and however many months are stored", async () => {
  const site = await createSite(db, { plan: "enterprise" });
  const now = Date.now();
  await ensurePartitions(db, new Date(now - 12 * MONTH_MS), new Date(now + MONTH_MS));
  await alone.pool.unsafe("analyze visits, devices, payload_sightings");
  await alone.pool.unsafe("set random_page_cost = 40");
  for (let statement = 0; statement < STATEMENTS; statement += 1) {
    const first = makeVisitToStore(site);
    const others = Array.from({ length: 1 + (statement % 7) }, () => makeVisitToStore(site));
    expect(await storeVisits(alone.db, [first, ...others], new Date())).not.toContain("used");
  }
  const plans = await alone.pool<{ custom: string; generic: string }[]>`
    select custom_plans as custom, generic_plans as generic from pg_prepared_statements
    where statement like 'with input as (%'`;
  expect(plans.map(({ custom, generic }) => [Number(custom), Number(generic)])).toEqual([[5, STATEMENTS - 5]]);
});
