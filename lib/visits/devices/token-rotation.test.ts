import { sql } from "drizzle-orm";
import { expect, test } from "vitest";

import { countRoundTrips } from "@/db/client";
import { createTestDatabase } from "@/test/database";
import { Report } from "@/lib/contract/report";
import { idToUuid } from "@/lib/contract/ids";
import { createSite, readReport, requestChallenge, type Site, submissionBody, submit, visit } from "@/test/visits";
import { readDeviceToken, tokenGeneration } from "./token";

const { db } = await createTestDatabase();

const reportOf = async (site: Site, { imprint }: { imprint: string }) =>
  Report.parse(await (await readReport(site.apiKey, imprint)).json());

/** Moves everything recorded about the workspace's tokens into the past. */
const letPass = (site: Site, time: string) =>
  db.execute(sql`
    update device_tokens set bound_at = bound_at - ${time}::interval, presented_at = presented_at - ${time}::interval,
      offered_on = (offered_on - ${time}::interval)::date, reused_at = reused_at - ${time}::interval
    where workspace_id = ${idToUuid(site.workspaceId)}::uuid`);

/** A device whose token was renewed, with the previous token. */
async function renewedDevice(site: Site) {
  const first = await visit(site);
  await letPass(site, "1 day");
  const second = await visit(site, { token: first.token });
  return { old: first.token, renewed: second.token, deviceId: (await reportOf(site, first)).device.id };
}

test("a token is renewed once, by the first visit of a later day, and both generations are one device", async () => {
  const site = await createSite(db);
  const first = await visit(site);
  expect((await visit(site, { token: first.token })).token).toBe(first.token);
  await letPass(site, "1 day");
  const second = await visit(site, { token: first.token });
  expect([tokenGeneration(first.token), tokenGeneration(second.token)]).toEqual([0, 1]);
  expect(readDeviceToken(site.workspaceId, second.token)).toBe(readDeviceToken(site.workspaceId, first.token));
  const [third, lost] = [await visit(site, { token: second.token }), await visit(site, { token: first.token })];
  expect(third.token).toBe(second.token);
  // A page that loaded before the renewal receives the newest generation.
  expect(lost.token).toBe(second.token);
  const reports = await Promise.all([first, second, third, lost].map((made) => reportOf(site, made)));
  expect(new Set(reports.map(({ device }) => device.id)).size).toBe(1);
  expect(reports.map(({ risk }) => risk.status)).toEqual(["PASS", "PASS", "PASS", "PASS"]);
});

test("an older generation presented after a newer one is reported for both sides; device and owner stay the same", async () => {
  const site = await createSite(db);
  const { old, renewed, deviceId } = await renewedDevice(site);
  expect((await reportOf(site, await visit(site, { token: renewed }))).risk.status).toBe("PASS");
  await letPass(site, "6 minutes");
  const [copy, owner] = [await visit(site, { token: old }), await visit(site, { token: renewed })];
  for (const made of [copy, owner]) {
    const { device, risk } = await reportOf(site, made);
    expect(device).toMatchObject({ id: deviceId, seen_before: true });
    expect(risk).toMatchObject({ status: "SUSPICIOUS", reasons: ["ENVIRONMENT_INCONSISTENT"] });
  }
  await letPass(site, "3 days");
  expect((await reportOf(site, await visit(site, { token: renewed }))).risk.status).toBe("PASS");
});

test("a client that never presents a renewed token is never reported, however often it is offered", async () => {
  const site = await createSite(db);
  const { token } = await visit(site);
  for (let day = 0; day < 4; day += 1) {
    await letPass(site, "1 day");
    const made = await visit(site, { token });
    expect(tokenGeneration(made.token)).toBe(1);
    expect((await reportOf(site, made)).risk.status).toBe("PASS");
  }
});

test("renewing a token takes no additional statement, and resending the submission returns the same answer", async () => {
  const site = await createSite(db);
  const { token } = await visit(site);
  await letPass(site, "1 day");
  const { challenge } = await requestChallenge(site, { token });
  const body = submissionBody(site, { challenge, token });
  const { result, roundTrips } = await countRoundTrips(() => submit(site, body));
  const again = await submit(site, body);
  expect([result.status, roundTrips]).toEqual([201, 2]);
  const answer = (await result.json()) as { token: string };
  expect(tokenGeneration(answer.token)).toBe(1);
  expect(await again.json()).toEqual(answer);
});

test("parallel visits of a later day all receive the same renewed token or none", async () => {
  const site = await createSite(db);
  const { token } = await visit(site);
  await letPass(site, "1 day");
  const made = await Promise.all(Array.from({ length: 8 }, () => visit(site, { token })));
  expect(new Set(made.map((each) => tokenGeneration(each.token))).size).toBeLessThanOrEqual(2);
  expect(Math.max(...made.map((each) => tokenGeneration(each.token)))).toBe(1);
});

test("an unsigned generation is no token", async () => {
  const site = await createSite(db);
  const { renewed } = await renewedDevice(site);
  const bytes = Buffer.from(renewed, "base64url");
  bytes.writeUInt32BE(7, 17);
  expect(readDeviceToken(site.workspaceId, bytes.toString("base64url"))).toBeUndefined();
  expect((await requestChallenge(site, { token: bytes.toString("base64url") })).token).toBeDefined();
});

test("a token whose row was lost is accepted in its generation and continues from there", async () => {
  const site = await createSite(db);
  const { renewed } = await renewedDevice(site);
  await db.execute(sql`delete from device_tokens where workspace_id = ${idToUuid(site.workspaceId)}::uuid`);
  const made = await visit(site, { token: renewed });
  expect((await reportOf(site, made)).risk.status).toBe("PASS");
  await letPass(site, "1 day");
  expect(tokenGeneration((await visit(site, { token: renewed })).token)).toBe(2);
});
