import { sql } from "drizzle-orm";
import { expect, test } from "vitest";

import { ensurePartitions, eventIdFloor } from "@/db/partitions";
import { idToUuid, newId } from "@/lib/contract/ids";
import { deleteView, saveView } from "@/lib/tenancy/views";
import { createEndpoint, listDeliveries } from "@/lib/tenancy/webhooks";
import { listAudit } from "@/lib/tenancy/workspaces";
import { createTestDatabase } from "@/test/database";
import { startMailServer } from "@/test/mail-server";
import { createSite, type Site, visit } from "@/test/visits";
import { memberContext, operatorContext } from "@/test/workspaces";
import { checkAlerts, createAlert, deleteAlert, listAlerts, sendAlerts, updateAlert } from "./index";

const { db } = await createTestDatabase();
const operator = operatorContext(db);
const { signal } = new AbortController();
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

const after = (minutes: number) => new Date(Date.now() + minutes * MINUTE_MS);

async function createSetup(more: Partial<Parameters<typeof createAlert>[1]> = {}) {
  const site = await createSite(db);
  const { workspaceId } = site;
  const analyst = await memberContext(db, workspaceId, "analyst");
  const { viewId } = await saveView(analyst, { workspaceId, name: "Everything", query: "span=24h&risk=PASS" });
  const input = {
    workspaceId,
    viewId,
    name: "Many",
    condition: "number",
    threshold: 2,
    windowMinutes: 60,
    mailTo: [analyst.actor.userId],
  };
  const { alertId } = await createAlert(analyst, { ...input, ...more });
  const { mails, refused, url } = await startMailServer();
  const send = (now: Date) => sendAlerts(db, now, signal, url);
  /** Runs the jobs at a given time. Alerts of other tests are not due. */
  const run = async (now: Date) => {
    await checkAlerts(db, now, signal);
    await send(now);
  };
  const incident = async () =>
    (await listAlerts(analyst, { workspaceId })).find((each) => each.alertId === alertId)?.incident;
  return { site, workspaceId, analyst, viewId, alertId, input, mails, refused, send, run, incident };
}

const visits = async (site: Site, count: number) => {
  for (let index = 0; index < count; index += 1) await visit(site);
};

test("an incident is notified once, by mail and to endpoints, however long it lasts, and so is the next one", async () => {
  const { site, workspaceId, analyst, alertId, mails, run, incident } = await createSetup();
  const { endpointId } = await createEndpoint(operator, {
    ...{ workspaceId, name: "Alerts", url: "https://a.example/events", eventTypes: ["alert.raised"] },
  });
  await visits(site, 2);
  await run(after(1));
  expect([mails, await incident()]).toEqual([[], null]);
  await visits(site, 1);
  await run(after(2));
  expect(mails).toMatchObject([
    {
      to: analyst.actor.email,
      subject: "Alert: Many",
      text: expect.stringMatching(/^3 visits within 1 h, more than 2\./) as string,
    },
  ]);
  await visits(site, 1);
  for (const minutes of [3, 4, 5]) await run(after(minutes));
  expect(await incident()).toMatchObject({ visits: 4, limit: 2, closedAt: null });
  await run(after(90));
  expect((await incident())?.closedAt).toBeInstanceOf(Date);
  expect(mails).toHaveLength(1);
  const deliveries = () => listDeliveries(operator, { workspaceId, endpointId });
  expect((await deliveries()).deliveries.map(({ type }) => type)).toEqual(["alert.raised"]);
  // At the time of the second incident the same visits are new again, since its window is different.
  await db.execute(sql`update view_alerts set window_minutes = 300 where alert_id = ${idToUuid(alertId)}::uuid`);
  await run(after(120));
  expect(mails).toHaveLength(2);
  expect((await deliveries()).deliveries).toHaveLength(2);
  const { entries } = await listAudit(operator, { workspaceId, filter: { action: "alert" } });
  expect(entries).toMatchObject([{ action: "alert.create", target: alertId, actorId: analyst.actor.userId }]);
});

test("an alert is changed by its creator, unspecified values stay, and a different limit ends the incident", async () => {
  const { site, workspaceId, analyst, alertId, mails, run, incident } = await createSetup({
    quietFrom: "01:00",
    quietTo: "02:00",
  });
  const read = async () => (await listAlerts(analyst, { workspaceId }))[0];
  await visits(site, 3);
  await checkAlerts(db, after(1), signal);
  expect(await incident()).toMatchObject({ visits: 3, closedAt: null });

  await updateAlert(analyst, { workspaceId, alertId, name: "Too many", quietFrom: null, quietTo: null });
  expect(await read()).toMatchObject({
    name: "Too many",
    threshold: 2,
    quietHours: null,
    incident: { closedAt: null },
  });
  await updateAlert(analyst, { workspaceId, alertId, threshold: 1_000, mailTo: [] });
  expect((await incident())?.closedAt).toBeInstanceOf(Date);
  await run(after(3));
  expect([mails, (await read())?.mailTo]).toEqual([[], []]);

  const other = await memberContext(db, workspaceId, "analyst");
  await expect(updateAlert(other, { workspaceId, alertId, name: "Mine" })).rejects.toMatchObject({ code: "forbidden" });
  await expect(updateAlert(analyst, { workspaceId, alertId, windowMinutes: 1 })).rejects.toMatchObject({
    code: "invalid_request",
  });
  expect(await read()).toMatchObject({ name: "Too many", threshold: 1_000 });
});

test("nothing is sent in quiet hours; an incident in them is notified once they end, whether ongoing or over", async () => {
  const now = after(1);
  const clock = (minutes: number) => new Date(now.getTime() + minutes * MINUTE_MS).toISOString().slice(11, 16);
  const { site, mails, run } = await createSetup({ quietFrom: clock(-10), quietTo: clock(30), threshold: 0 });
  await visits(site, 1);
  await run(now);
  await run(new Date(now.getTime() + 10 * MINUTE_MS));
  expect(mails).toEqual([]);
  await run(new Date(now.getTime() + 200 * MINUTE_MS));
  await run(new Date(now.getTime() + 210 * MINUTE_MS));
  expect(mails).toMatchObject([
    { text: expect.stringMatching(/1 visit within 1 h, more than 0\.\n\nIt began at .* and ended at /s) as string },
  ]);
});

test("a mail that no recipient received is sent again, but not one that anyone received", async () => {
  const { site, analyst, workspaceId, input, mails, refused, send } = await createSetup({ threshold: 0 });
  await visits(site, 1);
  await checkAlerts(db, after(1), signal);
  refused.set(analyst.actor.email, 451);
  await send(after(1));
  refused.clear();
  await send(after(2));
  expect(mails).toEqual([]);
  await send(after(7));
  expect(mails).toHaveLength(1);
  const second = await memberContext(db, workspaceId, "owner");
  await createAlert(analyst, {
    ...input,
    name: "Two",
    threshold: 0,
    mailTo: [analyst.actor.userId, second.actor.userId],
  });
  await checkAlerts(db, after(8), signal);
  refused.set(second.actor.email, 451);
  await send(after(8));
  refused.clear();
  await send(after(20));
  expect(mails.map(({ to, subject }) => [to, subject])).toEqual([
    [analyst.actor.email, "Alert: Many"],
    [analyst.actor.email, "Alert: Two"],
  ]);
});

/** Copies the workspace's visits to the same time of earlier weeks. */
async function copyToEarlierWeeks({ workspaceId }: Site, weeks: readonly number[]) {
  const now = new Date();
  await ensurePartitions(db, new Date(now.getTime() - 35 * DAY_MS), now);
  for (const week of weeks) {
    const at = new Date(now.getTime() - week * 7 * DAY_MS);
    await db.execute(sql`
      insert into visits (workspace_id, event_id, device_id, web_app_id, recorded_at, access_count, surface, origin, status,
        reasons, rules_version, evidence, report)
      select workspace_id, (left(${eventIdFloor(at)}, 24) || right(event_id::text, 12))::uuid, device_id, web_app_id,
        ${at.toISOString()}::timestamptz, access_count, surface, origin, status, reasons, rules_version, evidence, report
      from visits where workspace_id = ${idToUuid(workspaceId)}::uuid and recorded_at > now() - interval '1 hour'`);
  }
}

test("an alert by history is raised if the same hours of earlier weeks had fewer visits, and never without such weeks", async () => {
  const { site, incident, run } = await createSetup({ condition: "history", threshold: 200 });
  await visits(site, 11);
  await run(after(1));
  expect(await incident()).toBeNull();
  await copyToEarlierWeeks(site, [1, 2]);
  await run(after(2));
  expect(await incident()).toBeNull();
  await visits(site, 12);
  await run(after(3));
  expect(await incident()).toMatchObject({ visits: 23, limit: 22, closedAt: null });
});

test("an alert is deleted with its view, and only its creator or a manager can delete it", async () => {
  const { workspaceId, analyst, alertId, viewId } = await createSetup();
  const other = await memberContext(db, workspaceId, "analyst");
  await expect(deleteAlert(other, { workspaceId, alertId })).rejects.toMatchObject({ code: "forbidden" });
  const second = await createSetup();
  await expect(deleteAlert(analyst, { workspaceId: second.workspaceId, alertId })).rejects.toMatchObject({
    code: "not_found",
  });
  await deleteAlert(second.analyst, second);
  expect(await listAlerts(second.analyst, second)).toEqual([]);
  await deleteView(analyst, { workspaceId, viewId });
  expect(await listAlerts(operator, { workspaceId })).toEqual([]);
});

test("an invalid alert is refused with a message", async () => {
  const { workspaceId, analyst, input } = await createSetup();
  const owner = await memberContext(db, workspaceId, "owner");
  const places = await saveView(owner, { workspaceId, name: "One office", query: "address=203.0.113.7" });
  await expect(createAlert(analyst, { ...input, viewId: places.viewId })).rejects.toMatchObject({ code: "forbidden" });
  await expect(createAlert(analyst, { ...input, viewId: newId("view") })).rejects.toMatchObject({ code: "not_found" });
  for (const wrong of [
    { condition: "always" },
    { threshold: -1 },
    { condition: "history", threshold: 100 },
    { windowMinutes: 1 },
    { mailTo: [newId("user")] },
    { quietFrom: "22:00" },
    { quietFrom: "22:00", quietTo: "22:00" },
    { quietFrom: "25:00", quietTo: "07:00" },
    { zone: "Mars/Olympus" },
    { name: " " },
  ])
    await expect(createAlert(analyst, { ...input, ...wrong })).rejects.toMatchObject({ code: "invalid_request" });
});

test("an alert that was checked while the clock was ahead is checked once the clock is set back", async () => {
  const { site, workspaceId, alertId, mails, run } = await createSetup();
  await db.execute(sql`update view_alerts set checked_at = now() + interval '1 day'
    where workspace_id = ${idToUuid(workspaceId)}::uuid and alert_id = ${idToUuid(alertId)}::uuid`);
  await visits(site, 3);
  await run(after(1));
  expect(mails).toHaveLength(1);
});

test("an incident that opens while the mail about an earlier one is being sent is notified too", async () => {
  const { site, alertId, incident, analyst } = await createSetup();
  await visits(site, 3);
  await checkAlerts(db, after(1), signal);
  const first = await incident();
  let meanwhile: Promise<void> | undefined;
  const { mails, url } = await startMailServer({
    onRcptTo(_address, _session, done) {
      // The mail server takes its time: the incident ends, and another begins.
      meanwhile ??= (async () => {
        await checkAlerts(db, after(90), signal);
        await db.execute(sql`update view_alerts set window_minutes = 300 where alert_id = ${idToUuid(alertId)}::uuid`);
        await checkAlerts(db, after(100), signal);
      })();
      void meanwhile.then(() => {
        done();
      });
    },
  });
  await sendAlerts(db, after(2), signal, url);
  expect((await incident())?.openedAt).not.toEqual(first?.openedAt);
  const own = () => mails.filter(({ to }) => to === analyst.actor.email);
  for (const minutes of [120, 140]) {
    await sendAlerts(db, after(minutes), signal, url);
    expect(own()).toHaveLength(2);
  }
});
