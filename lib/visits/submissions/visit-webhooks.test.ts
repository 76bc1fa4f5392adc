import { sql } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";

import { countRoundTrips } from "@/db/client";
import { idToUuid } from "@/lib/contract/ids";
import { Report } from "@/lib/contract/report";
import { webhookMessage } from "@/lib/contract/webhooks";
import { pauseEndpoint, updateEndpoint } from "@/lib/tenancy/webhooks";
import { sendAllDue } from "@/lib/tenancy/webhooks/send-due";
import { insertTestEndpoint, startTarget, testPorts, verified } from "@/test/webhooks";
import { createTestDatabase } from "@/test/database";
import { createSite, readReport, requestChallenge, submissionBody, submit, visit } from "@/test/visits";
import { operatorContext } from "@/test/workspaces";

const { db } = await createTestDatabase({ poolSize: 20 });
const never = new AbortController().signal;
const target = await startTarget();
afterAll(target.close);

/** Messages received by a workspace's endpoint, after everything due was sent. */
async function received(workspaceId: string) {
  const { ports, pass } = testPorts();
  for (let round = 0; round < 60; round += 1) {
    await sendAllDue(db, ports, never);
    const [waiting] = await db.execute<{ count: number }>(sql`
      select count(*)::int as count from webhook_deliveries
      where workspace_id = ${idToUuid(workspaceId)}::uuid and state = 'pending'`);
    if (waiting?.count === 0) break;
    pass(2);
  }
  return target.received.filter(({ body }) => body.includes(workspaceId));
}

test("the message of a visit has its identifiers, verdict and reasons, and no personal data", async () => {
  const site = await createSite(db);
  const { endpointId, secret } = await insertTestEndpoint(db, site.workspaceId, target.url);
  const { imprint } = await visit(site, { address: "8.8.8.8", surface: "sign-in" });
  const [message] = await received(site.workspaceId);
  if (!message) throw new Error("nothing was received");
  const { timestamp, data } = webhookMessage("visit.recorded").parse(verified(secret, message));
  const report = Report.parse(await (await readReport(site.apiKey, imprint)).json());
  expect(timestamp).toBe(report.created_at);
  expect(data).toEqual({
    imprint,
    device_id: report.device.id,
    workspace_id: site.workspaceId,
    web_app_id: site.webAppId,
    surface: "sign-in",
    origin: site.origin,
    risk: { status: report.risk.status, reasons: report.risk.reasons },
  });
  expect(message.body).not.toContain("8.8.8.8");
  expect(endpointId).toMatch(/^whk_/);
});

test("an endpoint receives only the Web Apps and statuses it chose, and nothing while paused", async () => {
  const [site, other] = [await createSite(db), await createSite(db)];
  const { endpointId } = await insertTestEndpoint(db, site.workspaceId, target.url);
  const chosen = { workspaceId: site.workspaceId, endpointId };
  const context = operatorContext(db);
  await visit(other);
  await updateEndpoint(context, { ...chosen, statuses: ["DECEPTIVE"] });
  await visit(site);
  await updateEndpoint(context, { ...chosen, statuses: [], webAppIds: [other.webAppId] });
  await visit(site);
  await pauseEndpoint(context, chosen);
  await updateEndpoint(context, { ...chosen, webAppIds: [] });
  await visit(site);
  expect(await received(site.workspaceId)).toEqual([]);
  expect(await received(other.workspaceId)).toEqual([]);
});

test("a submission takes the same two round trips with and without an endpoint; a repeated one is sent once", async () => {
  const [site, notified] = [await createSite(db), await createSite(db)];
  await insertTestEndpoint(db, notified.workspaceId, target.url);
  const tripsOf = async (at: typeof site) => {
    const { challenge, token } = await requestChallenge(at);
    const body = submissionBody(at, { challenge, token });
    const { roundTrips } = await countRoundTrips(() => submit(at, body, { address: "8.8.8.8" }));
    await submit(at, body, { address: "8.8.8.8" });
    return roundTrips;
  };
  await tripsOf(site);
  await tripsOf(notified);
  expect([await tripsOf(site), await tripsOf(notified)]).toEqual([2, 2]);
  expect(await received(notified.workspaceId)).toHaveLength(2);
});

test("50 parallel visits of several devices are each sent once, in order for each device", async () => {
  const site = await createSite(db);
  await insertTestEndpoint(db, site.workspaceId, target.url);
  const { token } = await requestChallenge(site);
  await Promise.all(
    Array.from({ length: 50 }, async (_, index) => {
      const issued = await requestChallenge(site, index % 5 === 0 ? {} : { token });
      await submit(site, submissionBody(site, { challenge: issued.challenge, token: issued.token ?? token }));
    }),
  );
  const messages = (await received(site.workspaceId)).map(({ body }) =>
    webhookMessage("visit.recorded").parse(JSON.parse(body)),
  );
  expect(new Set(messages.map(({ data }) => data.imprint)).size).toBe(50);
  const rows = await db.execute<{ device: string; event: string }>(sql`
    select device_id as device, event_id as event from visits
    where workspace_id = ${idToUuid(site.workspaceId)}::uuid order by access_count`);
  for (const device of new Set(rows.map((row) => row.device))) {
    const stored = rows.flatMap((row) => (row.device === device ? [`imp_${row.event.replaceAll("-", "")}`] : []));
    const arrived = messages.filter(({ data }) => data.device_id === `dev_${device.replaceAll("-", "")}`);
    expect(arrived.map(({ data }) => data.imprint)).toEqual(stored);
  }
});
